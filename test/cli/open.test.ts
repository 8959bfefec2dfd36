import { readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ownFolder, parseLines, start } from "./program.ts";

const CANARY = "canary-51e0c7";

const secrets = {
  VENTANILLA_API_KEY: `api-${CANARY}`,
  VENTANILLA_SEAL_KEY: `seal-${CANARY}`,
  VENTANILLA_SESSION_KEY: `session-${CANARY}`,
  VENTANILLA_USERNAME: `user-${CANARY}`,
  BANK_PASSWORD: `password-${CANARY}`,
  NODE_OPTIONS: "--no-deprecation",
};

const trace = {
  format: "ventanilla-trace",
  version: 1,
  startedAt: new Date(0).toISOString(),
  isTruncated: false,
  events: [],
};

/** A folder with a browser that writes down what it was started with, and what it was to open. */
async function fakeBrowser() {
  const folder = await ownFolder();
  const script = [
    "#!/bin/sh",
    'printf "%s\\n" "$@" > "$HOME/argv"',
    'env > "$HOME/env.new"',
    'mv "$HOME/env.new" "$HOME/env"',
  ];
  await writeFile(join(folder, "xdg-open"), script.join("\n"), { mode: 0o755 });
  await symlink("xdg-open", join(folder, "open"));
  const read = (name: string) => readFile(join(folder, name), "utf8");
  const environment = { ...secrets, HOME: folder, DISPLAY: ":7", XDG_SESSION_TYPE: "x11", LC_ALL: "C" };
  return {
    folder,
    environment: { ...environment, PATH: `${folder}:${process.env["PATH"]}` },
    opened: async () => {
      await expect.poll(() => read("env").catch(() => ""), { interval: 50 }).not.toBe("");
      return { argv: (await read("argv")).trim(), env: await read("env") };
    },
  };
}

test("--open tells the browser neither a secret nor the viewer's address: its page, for the owner alone, leads there", async () => {
  const browser = await fakeBrowser();
  await writeFile(join(browser.folder, "run.json"), JSON.stringify(trace));
  const running = await start(["view", "run.json", "--open", "--json"], {
    cwd: browser.folder,
    environment: browser.environment,
  });
  onTestFinished(() => void running.child.kill("SIGKILL"));
  const url = String(parseLines({ stdout: await running.shows(/\n/) })[0]?.["url"]);
  const { argv, env } = await browser.opened();
  const page = await readFile(argv, "utf8");
  const token = new URL(url).pathname.split("/")[1] ?? "";
  expect(token).toMatch(/^[\w-]{22}$/);
  expect(argv + env).not.toContain(token);
  expect(argv + env + page).not.toContain(CANARY);
  expect(env).not.toMatch(/^(VENTANILLA|NODE)_/m);
  // What it needs is there.
  expect(env).toContain("DISPLAY=:7");
  expect(env).toContain("XDG_SESSION_TYPE=x11");
  expect(env).toContain(`HOME=${browser.folder}`);
  expect(page).toContain(`content="0;url=${url}"`);
  expect((await stat(argv)).mode & 0o777).toBe(0o600);
  running.child.kill("SIGINT");
  expect((await running.result).code).toBe(130);
  // Its page is gone with it.
  await expect(stat(argv)).rejects.toThrow("ENOENT");
});

test("a login that is watched opens the viewer in the same way", async () => {
  const browser = await fakeBrowser();
  const running = await start(["login", "test", "--credentials-from", "-", "--inspect", "--open"], {
    cwd: browser.folder,
    environment: { ...browser.environment, VENTANILLA_API_KEY: "", VENTANILLA_USERNAME: "" },
    input: JSON.stringify({ username: "12345", password: "gfdsa" }),
  });
  const { stderr } = await running.result;
  const [, token = ""] = /http:\/\/127\.0\.0\.1:\d+\/([\w-]{22})\/#watch/.exec(stderr) ?? [];
  const { argv, env } = await browser.opened();
  expect(token).not.toBe("");
  expect(argv).toContain("open.html");
  expect(argv + env).not.toContain(token);
  expect(argv + env).not.toContain(CANARY);
});
