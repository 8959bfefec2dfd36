import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { holdingBank, watchedBank } from "../../../bank/watched-bank.ts";
import { createBrowser } from "../../../servers/hosted/stage.ts";
import { listen } from "../../../servers/relay/stage.ts";
import { ownFolder, parseLines, run, runProcess, start, startHere } from "../program.ts";

const KEY = "a-serve-key-of-a-test-01";

const toWords = (words: readonly string[]) => ["serve", "--port", "0", "--json", ...words];

/** Starts `ventanilla serve` on a free port, and calls its API. */
async function serve(words: readonly string[] = [], environment: Readonly<Record<string, string>> = {}) {
  const { child, result } = await start(toWords(words), { environment });
  onTestFinished(() => void child.kill("SIGKILL"));
  const failed = result.then(({ stderr }) => Promise.reject(stderr));
  return { child, result, ...(await callServe(child, failed, environment)) };
}

/** The same in this process, where its signals are not what is tested. */
async function serveHere(words: readonly string[] = [], environment: Readonly<Record<string, string>> = {}) {
  const program = startHere(toWords(words), environment);
  onTestFinished(async () => void (await program.stop()));
  const failed = program.ended.then((code) => Promise.reject(new Error(`ended with ${code}`)));
  return { stop: program.stop, ...(await callServe(program, failed, environment)) };
}

/** A budget fills up as the minute passes: on a busy machine some seconds do during a test. */
function stopDate() {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Reads what a `ventanilla serve` writes, and calls its API. */
async function callServe(
  { stdout, stderr }: { readonly stdout: Readable; readonly stderr: Readable },
  failed: Promise<never>,
  environment: Readonly<Record<string, string>>,
) {
  let err = "";
  stderr.on("data", (part) => {
    err += part;
  });
  // An end after the first line is what the tests do to it.
  failed.catch(() => {});
  const first = await Promise.race([once(stdout, "data"), failed]);
  const [line = {}] = parseLines(String(first[0]));
  const call = async (request: string, body?: object) => {
    const [method = "", path = ""] = request.split(" ");
    const authorization = `Bearer ${line["key"] ?? environment["VENTANILLA_SERVE_KEY"]?.replace(/^\w+:/, "")}`;
    const headers = { authorization, "content-type": "application/json", "idempotency-key": "job 1" };
    const response = await fetch(`${line["url"]}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return { http: response.status, body: await response.json() };
  };
  const log = () => parseLines(err.slice(0, err.lastIndexOf("\n") + 1));
  return { line, call, log };
}

/** An app's address for webhooks. */
async function receiver() {
  const received: { readonly headers: Record<string, string>; readonly body: string }[] = [];
  const url = await listen(
    createServer(async (request, response) => {
      received.push({ headers: request.headers as Record<string, string>, body: await text(request) });
      response.end();
    }),
  );
  return { url: `${url}/ends?canary=1`, received };
}

describe("serve", () => {
  test("without any setting serves the sandbox, with keys that its first line has", async () => {
    const { url: webhook, received } = await receiver();
    const { line, call, log } = await serveHere(["--webhook", webhook]);
    expect(line).toEqual({
      state: "listening",
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      pages: `${line["url"]}/login`,
      key: expect.stringMatching(/^[\da-f]{64}$/),
      webhookSecret: expect.stringMatching(/^whsec_/),
    });
    const { body: created } = await call("POST /sessions", { user: "42" });
    expect(created.url).toMatch(new RegExp(`^${line["pages"]}/[\\w-]{43}$`));
    const browser = createBrowser();
    expect((await browser.open(created.url)).status).toBe(200);
    expect((await browser.logIn()).status).toBe("logged_in");
    await expect.poll(() => received).toHaveLength(1);
    const [{ headers, body } = { headers: {}, body: "" }] = received;
    const ended = new Webhook(String(line["webhookSecret"])).verify(body, headers);
    expect(ended).toMatchObject({ type: "session.ended", data: { id: created.id, user: "42", status: "logged_in" } });
    const { body: taken } = await call(`POST /sessions/${created.id}/key`);
    // What the log says of one login can be joined, and each line of it is JSON.
    const lines = log().filter(({ session }) => session === created.id);
    expect(new Set(lines.map(({ event }) => event))).toEqual(new Set(["request", "relay", "end", "webhook"]));
    const pages = lines.filter(({ event, route }) => event === "request" && route === "page");
    for (const page of pages) expect(page).toMatchObject({ caller: "127.0.0.1", requestId: expect.any(String) });
    for (const one of lines.filter((other) => !pages.includes(other))) expect(one).toMatchObject({ user: "42" });
    for (const relay of lines.filter(({ event }) => event === "relay")) {
      expect(relay).toMatchObject({ caller: "127.0.0.1", login: expect.any(String) });
      // Each request of the page is a line of the server, too.
      expect(pages.map(({ requestId }) => requestId)).toContain(relay["requestId"]);
    }
    const [login] = lines.flatMap(({ event, login: named }) => (event === "relay" ? [named] : []));
    for (const one of lines.filter(({ event }) => event !== "request")) expect(one).toMatchObject({ login });
    const taking = { route: "POST /sessions/{id}/key", httpStatus: 200, user: "42", login, caller: "127.0.0.1" };
    expect(lines.filter(({ route }) => route === taking.route)).toEqual([expect.objectContaining(taking)]);
    // Neither the body nor the log has it, nor what opens the address.
    await expect.poll(() => log().map(({ event }) => event)).toContain("end");
    const secrets = [taken.key, created.url.split("/").at(-1), line["key"], line["webhookSecret"], "gfdsa", "canary"];
    for (const secret of secrets) expect(body + JSON.stringify(log())).not.toContain(secret);
  });

  test("a warning of Node is a line of the log", async () => {
    // As soon as somebody listens.
    const script = `process.on("newListener", (name) => name === "warning" && setImmediate(() => process.emitWarning("a thing is old", "DeprecationWarning")))`;
    const environment = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
    const { child, said, result } = await start(["serve", "--port", "0", "--json"], { environment });
    await said("a thing is old");
    child.kill("SIGTERM");
    const { code, stderr } = await result;
    expect([code, parseLines(stderr)]).toEqual([
      0,
      expect.arrayContaining([
        expect.objectContaining({ event: "notice", text: "DeprecationWarning: a thing is old" }),
      ]),
    ]);
  });

  test("tells the webhook of each step, if it is asked to", async () => {
    const { url: webhook, received } = await receiver();
    const { line, call, log } = await serveHere(["--webhook", webhook, "--webhook-progress"]);
    const { body: created } = await call("POST /sessions", { user: "42" });
    const browser = createBrowser();
    await browser.open(created.url);
    await browser.readState();
    await browser.logIn("12345", "wrong").catch(() => undefined);
    await browser.logIn();
    await expect.poll(() => received).toHaveLength(3);
    const secret = new Webhook(String(line["webhookSecret"]));
    const types = received.map(({ headers, body }) => (secret.verify(body, headers) as { type: string }).type);
    expect(types.sort()).toEqual(["session.ended", "session.opened", "session.refused"]);
    const hooks = () => log().filter(({ event }) => event === "webhook");
    await expect.poll(hooks).toHaveLength(3);
    // Two logins: the one with the wrong password, and the one that has ended the session.
    const logins = log().flatMap(({ event, login }) => (event === "relay" ? [login] : []));
    const named = new Map(hooks().map(({ type, login }) => [type, login]));
    expect([named.get("opened"), named.get("refused"), named.get("ended")]).toEqual([undefined, ...logins]);
  });

  test.each([
    ["ftp://shop.svc/ends", ["--webhook-http"], 2],
    ["shop.svc", ["--webhook-http"], 2],
  ] as const)("refuses the webhook %s with %j", async (webhook, more, code) => {
    const { stderr, code: ended } = await run(["serve", "--port", "0", "--webhook", webhook, ...more]);
    expect([ended, stderr]).toEqual([code, expect.stringContaining("[--webhook: must be an http")]);
  });

  test("takes an http webhook of a cluster, if that is asked for", async () => {
    const { line } = await serveHere(["--webhook", "http://shop.svc:8080/ends", "--webhook-http"]);
    expect(line).toMatchObject({ state: "listening" });
  });

  test("for a service needs its keys by variables, and says which one is missing", async () => {
    const { environment, sealingEnvironment } = await watchedBank();
    const outcome = async (words: readonly string[], variables: Readonly<Record<string, string>>) => {
      const { code, stderr } = await run(["serve", "--port", "0", ...words], { environment: variables });
      return [code, /\[(.*)\]/.exec(stderr)?.[1]];
    };
    const key = { VENTANILLA_SERVE_KEY: KEY };
    expect(await outcome(["--name", "Shop"], sealingEnvironment)).toEqual([2, "VENTANILLA_SERVE_KEY"]);
    expect(await outcome(["--name", "Shop"], { ...environment, ...key })).toEqual([
      2,
      "--seal-key-from: or VENTANILLA_SEAL_KEY",
    ]);
    expect(await outcome([], { ...sealingEnvironment, ...key })).toEqual([2, "--name"]);
    const hooked = ["--name", "Shop", "--webhook", "https://shop.example/ends"];
    expect(await outcome(hooked, { ...sealingEnvironment, ...key })).toEqual([2, "VENTANILLA_WEBHOOK_SECRET"]);
    const short = { VENTANILLA_SERVE_KEY: "short" };
    expect((await outcome(["--name", "Shop"], { ...sealingEnvironment, ...short }))[0]).toBe(2);
  });

  test.each([
    [["--url", "http://shop.example/bank"], 2, "--url: "],
    [["--url", "https://shop.example/sessions/bank"], 2, "--url: "],
    [["--return-to", "https://shop.example/path"], 2, "--return-to: "],
    [["--logo-hosts", "https://cdn.example/"], 2, "--logo-hosts: "],
    [["--webhook", "http://shop.example/ends"], 2, "--webhook: "],
    [["--caller-header", "x y"], 2, "--caller-header: "],
    [["--caller-header", "x-real-ip", "--proxies", "0"], 2, "--proxies: "],
    [["--store", "mysql://x"], 2, "--store: "],
    [["--store", "redis://user:password@localhost"], 2, "--store: VENTANILLA_STORE can hold a password"],
  ])("refuses %j", async (words, code, field) => {
    const { sealingEnvironment } = await watchedBank();
    const secret = `whsec_${"A".repeat(44)}`;
    const environment = { ...sealingEnvironment, VENTANILLA_SERVE_KEY: KEY, VENTANILLA_WEBHOOK_SECRET: secret };
    const ended = await run(["serve", "--port", "0", "--name", "Shop", ...words], { environment });
    expect(ended.code).toBe(code);
    expect(ended.stderr).toContain(`[${field}`);
  });

  test("goes on with its sessions while keys are replaced, from files too", async () => {
    const { sealingEnvironment } = await watchedBank();
    const folder = await ownFolder();
    const [oldSeal = "", newSeal] = [sealingEnvironment["VENTANILLA_SEAL_KEY"], randomBytes(32).toString("base64")];
    const words = ["--name", "Shop", "--store", `folder:${folder}/sessions`];
    const first = await serveHere(words, { ...sealingEnvironment, VENTANILLA_SERVE_KEY: KEY });
    const { body: created } = await first.call("POST /sessions", { user: "42", provider: "test", username: "12345" });
    const { body: other } = await first.call("POST /sessions", { user: "42", provider: "test" });
    const browser = createBrowser();
    await browser.open(created.url);
    await browser.logIn();
    const pages = [...words, "--url", String(first.line["pages"])];
    await first.stop();
    await writeFile(join(folder, "serve-keys"), `new:another-serve-key-01\nold:${KEY}\n`, { mode: 0o600 });
    const replaced = [...pages, "--serve-key-from", join(folder, "serve-keys")];
    const second = await serveHere(replaced, {
      ...sealingEnvironment,
      VENTANILLA_SERVE_KEY: KEY,
      VENTANILLA_SEAL_KEY: `${newSeal} ${oldSeal}`,
    });
    // The old key of the caller, and what the old key has sealed.
    expect(await second.call(`POST /sessions/${created.id}/key`)).toMatchObject({ http: 200 });
    const requests = second.log().filter(({ event }) => event === "request");
    expect(requests).toMatchObject([{ serveKey: "old", session: created.id }]);
    const dropped = await serveHere(pages, {
      ...sealingEnvironment,
      VENTANILLA_SERVE_KEY: `old:${KEY}`,
      VENTANILLA_SEAL_KEY: `${newSeal}`,
    });
    // What was written since then is sealed with the new one.
    expect((await dropped.call(`POST /sessions/${created.id}/key`)).http).toBe(200);
    expect((await dropped.call(`GET /sessions/${other.id}`)).http).toBe(500);
  });

  test("names the package that a store needs", async () => {
    const { sealingEnvironment } = await watchedBank();
    const environment = { ...sealingEnvironment, VENTANILLA_SERVE_KEY: KEY, VENTANILLA_STORE: "redis://localhost" };
    const { code, stderr } = await runProcess(["serve", "--port", "0", "--name", "Shop"], { environment });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("[--store: needs the package redis: npm install redis]"),
    ]);
  });

  test("takes several origins to go back to", async () => {
    const { call } = await serveHere(["--return-to", "https://shop.example", "--return-to=https://other.example"]);
    for (const return_to of ["https://shop.example/done", "https://other.example/done"]) {
      expect((await call("POST /sessions", { user: "42", return_to })).http).toBe(201);
    }
    expect((await call("POST /sessions", { user: "42", return_to: "https://third.example/" })).http).toBe(400);
  });

  test("behind a proxy warns once, as a line of the log, unless it knows the header of the caller", async () => {
    const logIn = async (words: readonly string[]) => {
      const { call, log } = await serveHere(words);
      const { body: created } = await call("POST /sessions", { user: "42" });
      const browser = createBrowser({ "x-forwarded-for": "203.0.113.9", "x-real-ip": "203.0.113.9" });
      await browser.open(created.url);
      await browser.logIn("12345", "wrong");
      await browser.logIn();
      await expect.poll(() => log().map(({ event }) => event)).toContain("end");
      return log();
    };
    expect((await logIn([])).filter(({ event }) => event === "warning")).toHaveLength(1);
    const known = await logIn(["--caller-header", "x-real-ip"]);
    expect(known.filter(({ event }) => event === "warning")).toEqual([]);
    expect(known.find(({ event }) => event === "relay")).toMatchObject({ caller: "203.0.113.9" });
  });

  test.each([
    [[], (number: number) => `10.0.0.${number}, 203.0.113.9`],
    [["--proxies", "2"], (number: number) => `10.0.0.${number}, 203.0.113.9, 192.0.2.1`],
  ])("reads the address that its own proxies have added, and no other: %j", async (words, forwardedFor) => {
    stopDate();
    const { call, log } = await serveHere(["--caller-header", "x-forwarded-for", ...words]);
    const refused: string[] = [];
    for (let number = 1; number <= 12; number += 1) {
      const { body: created } = await call("POST /sessions", { user: `${number}` });
      const browser = createBrowser({ "x-forwarded-for": forwardedFor(number) });
      await browser.open(created.url);
      await browser.logIn(`user-${number}`, "wrong").catch(({ code }) => refused.push(code));
    }
    expect(refused).toEqual(["rate_limited", "rate_limited"]);
    const callers = log().flatMap(({ event, caller }) => (event === "relay" ? [caller] : []));
    expect(new Set(callers)).toEqual(new Set(["203.0.113.9"]));
  });

  test("tells once a minute of the sessions that have expired without being opened or read", async () => {
    const { sealingEnvironment } = await watchedBank();
    const store = `folder:${await ownFolder()}/sessions`;
    const environment = { ...sealingEnvironment, VENTANILLA_SERVE_KEY: KEY, VENTANILLA_STORE: store };
    const pages = ["--name", "Shop", "--url", "https://login.shop.example/bank"];
    const first = await serveHere(pages, environment);
    const { body: created } = await first.call("POST /sessions", { user: "42", expires_in: 1 });
    await first.stop();
    const { url: webhook, received } = await receiver();
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const controller = new AbortController();
    const running = run(
      ["serve", "--port", "0", "--webhook", webhook, ...pages],
      { environment: { ...environment, VENTANILLA_WEBHOOK_SECRET: `whsec_${"A".repeat(44)}` } },
      { signal: controller.signal },
    );
    await expect.poll(() => vi.getTimerCount()).toBe(1);
    await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(created.expires_at));
    expect(received).toEqual([]);
    vi.advanceTimersByTime(60_000);
    await expect.poll(() => received).toHaveLength(1);
    expect(JSON.parse(received[0]?.body ?? "").data).toMatchObject({ id: created.id, status: "expired" });
    vi.useRealTimers();
    controller.abort();
    expect((await running).code).toBe(0);
  });

  test("makes at most twenty sessions a minute for one user", async () => {
    stopDate();
    const { call } = await serveHere();
    const codes: number[] = [];
    for (let index = 0; index < 21; index++) codes.push((await call("POST /sessions", { user: "42" })).http);
    expect(codes).toEqual([...Array<number>(20).fill(201), 429]);
  });
});

describe("SIGTERM", () => {
  test("lets a login at the bank come to its end, keeps its result, and ends with 0", async () => {
    const bank = await holdingBank();
    const { url: webhook, received } = await receiver();
    const folder = await ownFolder();
    const environment = {
      ...bank.sealingEnvironment,
      VENTANILLA_SERVE_KEY: KEY,
      VENTANILLA_WEBHOOK_SECRET: `whsec_${"A".repeat(44)}`,
      VENTANILLA_STORE: `folder:${folder}/sessions`,
    };
    const words = ["--name", "Shop", "--webhook", webhook];
    const first = await serve(words, environment);
    const { body: created } = await first.call("POST /sessions", { user: "42" });
    const browser = createBrowser();
    await browser.open(created.url);
    const reached = bank.nextLogin();
    const login = browser.logIn();
    await reached;
    first.child.kill("SIGTERM");
    await expect.poll(() => first.log().map(({ event }) => event)).toContain("draining");
    await expect(fetch(`${first.line["url"]}/health`)).rejects.toThrow();
    bank.release();
    expect((await login).status).toBe("logged_in");
    const { code } = await first.result;
    expect([code, first.child.signalCode]).toEqual([0, null]);
    expect(first.log().at(-1)).toMatchObject({ event: "stopped" });
    expect(received).toHaveLength(1);
    expect(bank.sent("username")).toHaveLength(1);
    // The next process has it.
    const second = await serveHere([...words, "--url", String(first.line["pages"])], environment);
    expect((await second.call(`GET /sessions/${created.id}`)).body.status).toBe("logged_in");
    expect((await second.call(`POST /sessions/${created.id}/key`)).http).toBe(200);
  });

  test("a second time ends the process at once", async () => {
    const bank = await holdingBank();
    const environment = { ...bank.sealingEnvironment, VENTANILLA_SERVE_KEY: KEY };
    const { child, call, result, log } = await serve(["--name", "Shop"], environment);
    const { body: created } = await call("POST /sessions", { user: "42" });
    const browser = createBrowser();
    await browser.open(created.url);
    const reached = bank.nextLogin();
    const leaving = new AbortController();
    const form = { provider: "test", username: "12345", password: "gfdsa" };
    const left = browser
      .client()
      .login(form, { signal: leaving.signal })
      .catch(() => undefined);
    await reached;
    child.kill("SIGTERM");
    await expect.poll(() => log().map(({ event }) => event)).toContain("draining");
    child.kill("SIGTERM");
    expect((await result).code).toBe(143);
    bank.release();
    // Otherwise it would ask the server that is gone, in later tests too.
    leaving.abort();
    await left;
  });

  test("does not wait for a connection that has not sent a complete request", async () => {
    const { stop, line } = await serveHere();
    const socket = connect(Number(new URL(String(line["url"])).port), "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    await once(socket, "connect");
    await new Promise((resolve) => socket.write("POST /sessions HTTP/1.1\r\nhost: x\r\n", resolve));
    socket.on("error", () => {}).resume();
    expect(await stop()).toBe(0);
  });
});
