import { once } from "node:events";
import { cp, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { SANDBOX_API_KEY, sandboxAccounts } from "ventanilla/sandbox";
import { describe, expect, onTestFinished, test } from "vitest";
import { hold, watchedBank } from "../../bank/watched-bank.ts";
import { installProgram } from "./installed-program.ts";
import {
  ownFolder,
  parseLines,
  plainUser,
  run,
  runLogin,
  runProcess,
  start,
  startHere,
  writeFakeBrowser,
} from "./program.ts";

const login = ["login", "test", "--credentials-from", "-"];
const input = JSON.stringify(plainUser);

/** Starts a command that serves something, and stops it with the test. */
async function serve(words: readonly string[], options?: Parameters<typeof start>[1]) {
  const { child, result } = await start([...words, "--json"], options);
  onTestFinished(() => void child.kill("SIGKILL"));
  const [[line = {}]] = (await once(child.stdout, "data")).map(parseLines) as [Record<string, unknown>[]];
  const stop = async () => {
    child.kill("SIGINT");
    return (await result).code;
  };
  return { line, url: String(line["url"]), stop };
}

/** The same in this process, where the signal that stops it is not what is tested. */
async function serveHere(words: readonly string[]) {
  const { firstLine, stop } = startHere([...words, "--json"]);
  onTestFinished(async () => void (await stop()));
  const line = await firstLine();
  return { line, url: String(line["url"]), stop };
}

/** A copy of the installed program that a test may change. */
async function copyProgram() {
  const folder = await ownFolder();
  await cp((await installProgram()).folder, folder, { recursive: true });
  return { folder, main: join(folder, "dist/src/programs/cli/main.js") };
}

describe("sandbox", () => {
  test("serves the complete service until a signal", async () => {
    const { line, url, stop } = await serveHere(["sandbox"]);
    expect(line).toEqual({ state: "listening", url, apiKey: SANDBOX_API_KEY });
    expect((await fetch(`${url}/provider/`, { headers: { "X-API-Key": SANDBOX_API_KEY } })).status).toBe(200);
    expect(await stop()).toBe(143);
  });

  test("reports a port that is taken", async () => {
    const { port } = new URL((await watchedBank()).url);
    const { code, stderr } = await run(["sandbox", "--port", port]);
    expect([code, stderr]).toEqual([2, `Port ${port} is taken. Give another one with --port. [invalid_input]\n`]);
  });

  test("--accounts prints the users and their answers, and ends", async () => {
    const { code, stdout } = await run(["sandbox", "--accounts"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^test {2}UY\n {2}user name 12345, password gfdsa\n {6}logs in at once\n {2}user name 12345otp, /,
    );
    expect(stdout).toContain(
      "  user name group, password s3creto, type corp\n      a token, then a choice of clients\n      answer to token: 246802\n      clients: 0, 1\n",
    );
    // A bank's name stands once above its users.
    expect(stdout.match(/^\w+ {2}[A-Z]{2}$/gm)).toHaveLength(
      new Set(sandboxAccounts.map(({ provider }) => provider)).size,
    );
    const json = await run(["sandbox", "--accounts", "--json"]);
    expect(parseLines(json.stdout)).toEqual(JSON.parse(JSON.stringify(sandboxAccounts)));
  });
});

describe("a recorded login", () => {
  test("is written by --record and shown by view", async () => {
    const cwd = await ownFolder();
    expect((await runLogin("test", plainUser, ["--record", "run.json"], { cwd })).code).toBe(0);
    const { url } = await serveHere(["view", join(cwd, "run.json")]);
    expect(await (await fetch(url)).text()).toContain("submitCredentials");
  });

  test("may come later: view without a file serves the viewer for a page to open", async () => {
    expect(await (await fetch((await serveHere(["view"])).url)).text()).not.toContain('id="trace"');
  });

  test("is refused if the file is not a trace", async () => {
    const cwd = await ownFolder();
    await writeFile(join(cwd, "run.json"), "{}");
    expect((await run(["view", "run.json"], { cwd })).code).toBe(2);
  });
});

test.each([
  [["diagram"], expect.stringMatching(/^stateDiagram-v2\n {2}\[\*] --> idle\n/)],
  [["diagram", "link", "--format", "svg"], expect.stringMatching(/^<svg /)],
  [["diagram", "login", "--format", "json"], expect.stringMatching(/^\{\n/)],
])("%j prints a drawing", async (words, stdout) => {
  expect(await run(words)).toMatchObject({ code: 0, stdout });
});

test("serve without its pages responds with HTTP 500 at the address of a session, and logs why", async () => {
  const { folder, main } = await copyProgram();
  await rm(join(folder, "dist/hosted"), { recursive: true });
  const { child } = await start(["serve", "--json", "--port", "0"], { main });
  onTestFinished(() => void child.kill("SIGKILL"));
  let log = "";
  child.stderr.on("data", (part) => {
    log += part;
  });
  const [[line = {}]] = (await once(child.stdout, "data")).map(parseLines) as [Record<string, string>[]];
  const created = await fetch(`${line["url"]}/sessions`, {
    method: "POST",
    headers: { authorization: `Bearer ${line["key"]}`, "content-type": "application/json" },
    body: JSON.stringify({ user: "42" }),
  });
  const { url } = (await created.json()) as { url: string };
  expect((await fetch(url)).status).toBe(500);
  await expect.poll(() => log).toContain("invalid_setup");
});

describe("play", () => {
  test("without its pages names the part that is missing", async () => {
    const said =
      "invalid_setup: A part of the program is missing, or is not set up. [play: dist/play has no index.html]\n";
    const { folder, main } = await copyProgram();
    await rm(join(folder, "dist/play"), { recursive: true });
    expect(await runProcess(["play"], { main })).toEqual({ code: 1, stdout: "", stderr: said });
  });

  test("serves its pages to this machine, and nothing beside them", async () => {
    const { folder, main } = await copyProgram();
    await mkdir(join(folder, "dist/play/assets"), { recursive: true });
    await rm(join(folder, "dist/play/index.html.gz"));
    await writeFile(join(folder, "dist/play/index.html"), "<h1>Play</h1>");
    // The package has it compressed alone.
    await writeFile(join(folder, "dist/play/assets/main.js.gz"), gzipSync("1"));
    const { url, stop } = await serve(["play"], { main });
    const page = await fetch(url);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(await page.text()).toBe("<h1>Play</h1>");
    for (const [accepted, encoding] of [
      ["gzip", "gzip"],
      ["identity", null],
    ] as const) {
      const file = await fetch(`${url}assets/main.js`, { headers: { "accept-encoding": accepted } });
      expect(file.headers.get("content-type")).toContain("javascript");
      expect([file.headers.get("content-encoding"), await file.text()]).toEqual([encoding, "1"]);
    }
    for (const path of ["nothing.js", "..%2f..%2fpackage.json", "%2e%2e/src/cli/main.js", "assets"]) {
      expect((await fetch(url + path)).status).toBe(404);
    }
    expect(await stop()).toBe(130);
  });
});

// `batch` is ended by SIGINT, and the prompts of a terminal by others.
test("SIGTERM at a login in a script aborts its request and ends by the signal", async () => {
  const { environment, nextLogin } = await watchedBank(hold);
  const reached = nextLogin();
  const { child, result } = await start([...login, "--json"], { input, environment });
  const { abandoned } = await reached;
  child.kill("SIGTERM");
  await abandoned;
  const { stdout, stderr } = await result;
  const text = expect.stringMatching(/^The login was cancelled\..* may have reached the bank/);
  expect(parseLines(stdout)).toMatchObject([{ state: "cancelled", provider: "test", request: "POST /login/", text }]);
  expect(stderr).toContain("may have reached the bank");
  expect(child.signalCode).toBe("SIGTERM");
});

describe("--open", () => {
  const CANARY = "canary-51e0c7";

  /** A folder with a browser that writes down what it was started with, and what it was to open. */
  async function fakeBrowser() {
    const cwd = await ownFolder();
    await writeFakeBrowser(cwd, 'printf "%s" "$@" > "$HOME/argv"', 'env > "$HOME/new" && mv "$HOME/new" "$HOME/env"');
    const read = (name: string) => readFile(join(cwd, name), "utf8").catch(() => "");
    const environment = {
      VENTANILLA_SEAL_KEY: `seal-${CANARY}`,
      VENTANILLA_SESSION_KEY: `session-${CANARY}`,
      BANK_PASSWORD: `password-${CANARY}`,
      NODE_OPTIONS: "--no-deprecation",
      HOME: cwd,
      DISPLAY: ":7",
      XDG_SESSION_TYPE: "x11",
      PATH: `${cwd}:${process.env["PATH"]}`,
    };
    const opened = async () => {
      await expect.poll(() => read("env")).not.toBe("");
      return { argv: await read("argv"), env: await read("env") };
    };
    return { cwd, environment, opened };
  }

  test("gives the browser neither a secret nor the viewer's address, but a private page that leads there", async () => {
    const { cwd, environment, opened } = await fakeBrowser();
    const startedAt = new Date(0).toISOString();
    const trace = { format: "ventanilla-trace", version: 1, startedAt, isTruncated: false, events: [] };
    await writeFile(join(cwd, "run.json"), JSON.stringify(trace));
    const { url, stop } = await serve(["view", "run.json", "--open"], { cwd, environment });
    const { argv, env } = await opened();
    const page = await readFile(argv, "utf8");
    const [, token = ""] = /\/([\w-]{22})\//.exec(url) ?? [];
    expect(token).not.toBe("");
    expect(argv + env).not.toContain(token);
    expect(argv + env + page).not.toContain(CANARY);
    expect(env).not.toMatch(/^(VENTANILLA|NODE)_/m);
    // The browser gets what it needs.
    for (const needed of ["DISPLAY=:7", "XDG_SESSION_TYPE=x11", `HOME=${cwd}`]) expect(env).toContain(needed);
    expect(page).toContain(`content="0;url=${url}"`);
    expect((await stat(argv)).mode & 0o777).toBe(0o600);
    expect(await stop()).toBe(130);
    await expect(stat(argv)).rejects.toThrow("ENOENT");
  });

  test("opens the viewer of a running login in the same way, and the login goes on", async () => {
    const { cwd, environment, opened } = await fakeBrowser();
    const { code, stderr } = await run([...login, "--inspect", "--open"], { cwd, environment, input });
    expect(code).toBe(0);
    const [, token = ""] = /Listening on http:\/\/127\.0\.0\.1:\d+\/([\w-]{22})\/#watch/.exec(stderr) ?? [];
    const { argv, env } = await opened();
    expect(token).not.toBe("");
    expect(argv).toContain("open.html");
    expect(argv + env).not.toContain(token);
  });
});
