import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { checkEncryption } from "../../../src/programs/cli/settings/service-settings.ts";
import { watchedBank } from "../../bank/watched-bank.ts";
import { ownFolder, parseLines, plainUser, run, runLogin } from "./program.ts";
import { openTerminalHere } from "./terminal.ts";

const KEY = "sandbox-api-key";

test.each<[name: string, environment: Readonly<Record<string, string>>]>([
  ["ventanilla.config.json", {}],
  ["ventanilla/config.json", {}],
  ["home/ventanilla/config.json", { XDG_CONFIG_HOME: "home" }],
  [".config/ventanilla/config.json", { HOME: "", XDG_CONFIG_HOME: "" }],
  [".config/ventanilla/config.json", { HOME: ".", XDG_CONFIG_HOME: "" }],
])("%s of the current folder is not read (%j)", async (name, environment) => {
  const [bank, cwd] = await Promise.all([watchedBank(), ownFolder()]);
  await mkdir(dirname(join(cwd, name)), { recursive: true });
  await writeFile(join(cwd, name), JSON.stringify({ baseUrl: bank.url, apiKey: KEY }), { mode: 0o600 });
  // Without one the home is that of the process.
  if ("HOME" in environment) vi.stubEnv("HOME", environment["HOME"]);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { stderr } = await run(["providers"], { cwd, environment });
  expect(stderr).toContain("No service is set");
  expect(bank.requests).toEqual([]);
});

describe("the command names the host before anything is typed or sent", () => {
  test("in a script once, on standard error, and not with --json", async () => {
    const { url, environment } = await watchedBank();
    const said = `Connecting through ${new URL(url).host}\nlogged_in: You are logged in.\n`;
    expect((await runLogin("test", plainUser, [], { environment })).stderr).toBe(said);
    expect((await runLogin("test", plainUser, ["--json"], { environment })).stderr).toBe("");
  });

  test("in a terminal, above the first prompt", async () => {
    const { url, environment } = await watchedBank();
    const terminal = await openTerminalHere(["login", "test"], environment);
    const [above] = (await terminal.shows("User name")).split("User name");
    expect(above).toContain(`Connecting through ${new URL(url).host}`);
  });
});

describe("http to another machine needs --allow-http", () => {
  test("without it the command is refused, with it the request is sent", async () => {
    const bank = await watchedBank();
    // A name of this machine that is not a loopback address.
    const address = bank.url.replace("127.0.0.1", "0.0.0.0");
    const words = ["providers", "--base-url", address, "--api-key-from", "-"];
    const refused = await run([...words, "--json"], { input: KEY });
    expect(refused.code).toBe(2);
    expect(parseLines(refused.stdout)).toMatchObject([{ state: "failed", code: "invalid_input", field: "baseUrl" }]);
    expect(bank.requests).toEqual([]);
    expect((await run([...words, "--allow-http"], { input: KEY })).code).toBe(0);
  });

  test.each([
    ["http://10.0.0.1", true],
    ["http://localhost.bank.invalid", true],
    ["http://127.0.0.1.bank.invalid", true],
    ["http://[::2]", true],
    ["http://[::ffff:192.0.2.1]", true],
    ["http://LOCALHOST:9", false],
    ["http://127.9.9.9/path", false],
    ["http://127.1", false],
    ["http://[0:0::1]", false],
    ["https://bank.invalid", false],
  ])("%s refused: %s", (address, expected) => {
    const check = expect(() => checkEncryption(address));
    if (expected) check.toThrow("invalid_input");
    else check.not.toThrow();
  });
});
