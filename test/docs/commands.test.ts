import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type CommandResult, toExitCode } from "../../src/programs/cli/exit-codes.ts";
import { ownFolder, run, runLogin } from "../programs/cli/program.ts";

const read = (name: string) => readFile(new URL(`../../docs/${name}`, import.meta.url), "utf8");

const page = await read("cli.md");
const [config = "", credentials = ""] = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => text);

test.each(["batch.md", "cli.md", "production.md", "troubleshooting.md"])(
  "each exit code in brackets in docs/%s is that of its status",
  async (name) => {
    const named = [...(await read(name)).matchAll(/`([a-z_]+)` \((\d+)\)/g)];
    expect(named.length).toBeGreaterThan(0);
    for (const [shown, status] of named) {
      expect(`\`${status}\` (${toExitCode(status as CommandResult)})`).toBe(shown);
    }
  },
);

describe("docs/cli.md", () => {
  test("has a credentials file that logs in on the sandbox", async () => {
    const { code, stdout } = await runLogin(JSON.parse(credentials).provider, JSON.parse(credentials), ["--json"]);
    expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ state: "logged_in" })]);
  });

  test("has a config file that the command takes", async () => {
    const cwd = await ownFolder();
    await writeFile(join(cwd, "config.json"), config, { mode: 0o600 });
    // The bank of the example is nowhere: no address is looked up if the options are wrong.
    const { stdout } = await run(
      ["providers", "--config", "config.json", "--json", "--base-url", "http://127.0.0.1:1"],
      { cwd },
    );
    expect(JSON.parse(stdout)).toMatchObject({ state: "failed", code: "network_failed" });
  });
});
