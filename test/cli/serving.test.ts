import { cp, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SANDBOX_API_KEY, sandboxAccounts } from "ventanilla/sandbox";
import { describe, expect, onTestFinished, test } from "vitest";
import { isLogin, watchedBank } from "./bank.ts";
import { buildProgram } from "./build.ts";
import { ownFolder, parseLines, plainUser, type Running, run, runLogin, runProcess, start } from "./program.ts";

/** Starts a command that serves something, and stops it with the test. */
async function serve(words: readonly string[], options: Parameters<typeof start>[1] = {}) {
  const running = await start([...words, "--json"], options);
  onTestFinished(() => void running.child.kill("SIGKILL"));
  const [line] = parseLines({ stdout: await running.shows(/\n/) });
  return { running, line: line ?? {}, url: String(line?.["url"]) };
}

const interrupt = async ({ child, result }: Running, signal: NodeJS.Signals = "SIGINT") => {
  child.kill(signal);
  return (await result).code;
};

describe("sandbox", () => {
  test("serves the whole service until Ctrl-C", async () => {
    const { running, line, url } = await serve(["sandbox"]);
    expect(line).toEqual({ status: "listening", url, apiKey: SANDBOX_API_KEY });
    expect((await fetch(`${url}/provider/`, { headers: { "X-API-Key": SANDBOX_API_KEY } })).status).toBe(200);
    expect(await interrupt(running)).toBe(130);
  });

  test("SIGTERM ends it with 143", async () => {
    const { running } = await serve(["sandbox"]);
    expect(await interrupt(running, "SIGTERM")).toBe(143);
  });

  test("a port that is taken is said so", async () => {
    const { url } = await watchedBank();
    const { code, stderr } = await run(["sandbox", "--port", new URL(url).port]);
    expect([code, stderr]).toEqual([2, "invalid_input: A value can't be used as it is. [--port: EADDRINUSE]\n"]);
  });

  test("--accounts prints whom to log in as and what to answer, and ends", async () => {
    const { code, stdout, stderr } = await run(["sandbox", "--accounts"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^test {2}UY\n {2}user 12345, password gfdsa\n {6}logs in at once\n {2}user 12345otp, /);
    expect(stdout).toContain(
      "  user group, password s3creto, type corp\n      a token, then a choice of clients\n      answer to token: 246802\n      clients: 0, 1\n",
    );
    // A bank's name stands once above its users.
    expect(stdout.match(/^\w+ {2}[A-Z]{2}$/gm)).toEqual([
      ...new Set(sandboxAccounts.map(({ provider, country }) => `${provider}  ${country}`)),
    ]);
    expect(stdout.match(/^ {2}\S/gm)).toHaveLength(sandboxAccounts.length);
    const json = await run(["sandbox", "--accounts", "--json"]);
    expect(parseLines(json)).toEqual(JSON.parse(JSON.stringify(sandboxAccounts)));
  });
});

describe("a recorded login", () => {
  const input = JSON.stringify(plainUser);

  test("is written by --record and shown by view", async () => {
    const cwd = await ownFolder();
    expect((await runLogin("test", plainUser, ["--record", "run.json"], { cwd })).code).toBe(0);
    const { running, url } = await serve(["view", "run.json"], { cwd });
    expect(await (await fetch(url)).text()).toContain("submitCredentials");
    expect(await interrupt(running)).toBe(130);
  });

  test("a file that is no recording is refused", async () => {
    const cwd = await ownFolder();
    await writeFile(join(cwd, "run.json"), "{}");
    expect((await runProcess(["view", "run.json"], { cwd })).code).toBe(2);
  });

  test("--inspect prints where to watch, and the login goes on", async () => {
    const result = await runProcess(["login", "test", "--credentials-from", "-", "--inspect"], { input });
    expect(result.code).toBe(0);
    expect(result.stderr).toMatch(/Listening on http:\/\/127\.0\.0\.1:\d+\//);
  });
});

describe("diagram", () => {
  test("prints the login as Mermaid", async () => {
    const { code, stdout } = await run(["diagram"]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^stateDiagram-v2\n {2}\[\*] --> idle\n/)]);
  });

  test.each([
    [["diagram", "link", "--format", "svg"], "<svg/>\n"],
    [["diagram", "login", "--format", "json"], expect.stringMatching(/^\{\n/)],
  ])("%j", async (words, printed) => {
    expect(await runProcess(words)).toMatchObject({ code: 0, stdout: printed });
  });
});

describe("play", () => {
  test("without its pages says what is missing", async () => {
    const { code, stderr } = await run(["play"]);
    expect(code).toBe(7);
    expect(stderr).toContain(
      "part_missing: A part of the program is not installed. [play: dist/play has no index.html]",
    );
  });

  test("serves its pages to this machine, and nothing beside them", async () => {
    const folder = await ownFolder();
    await cp((await buildProgram()).folder, folder, { recursive: true });
    await symlink(fileURLToPath(new URL("../../node_modules", import.meta.url)), join(folder, "node_modules"));
    await mkdir(join(folder, "dist/play/assets"), { recursive: true });
    await writeFile(join(folder, "dist/play/index.html"), "<h1>Play</h1>");
    await writeFile(join(folder, "dist/play/assets/main.js"), "1");
    const { running, url } = await serve(["play"], { main: join(folder, "dist/src/cli/main.js") });
    const page = await fetch(url);
    expect([page.headers.get("content-type"), await page.text()]).toEqual([
      "text/html; charset=utf-8",
      "<h1>Play</h1>",
    ]);
    expect((await fetch(`${url}assets/main.js`)).headers.get("content-type")).toContain("javascript");
    for (const path of ["nothing.js", "..%2f..%2fpackage.json", "%2e%2e/src/cli/main.js", "assets"]) {
      expect((await fetch(url + path)).status).toBe(404);
    }
    expect(await interrupt(running)).toBe(130);
  });
});

test("a login in a script that is interrupted aborts its request and ends with 130", async () => {
  const bank = await watchedBank({ respond: (seen) => (isLogin(seen) ? "held" : undefined) });
  const reached = bank.next(isLogin);
  const running = await start(["login", "test", "--credentials-from", "-", "--json"], {
    input: JSON.stringify(plainUser),
    environment: bank.environment,
  });
  const login = await reached;
  running.child.kill("SIGINT");
  await login.aborted;
  const result = await running.result;
  expect(result.code).toBe(130);
  expect(parseLines(result)).toMatchObject([{ status: "cancelled", provider: "test" }]);
});
