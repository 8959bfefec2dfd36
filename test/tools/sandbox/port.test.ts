import { SANDBOX_API_KEY, type ServeSandboxOptions, serveSandbox } from "ventanilla/sandbox";
import { expect, onTestFinished, test, vi } from "vitest";
import { parseStatus, raw } from "../../servers/relay/wire.ts";
import { converse, handClock, readKey } from "./conversation.ts";

const serve = async (options?: ServeSandboxOptions) => {
  const sandbox = await serveSandbox(options);
  onTestFinished(sandbox.close);
  return sandbox;
};

const form = { "X-API-Key": SANDBOX_API_KEY, "Content-Type": "application/x-www-form-urlencoded" };
const slow = { provider: "tortuga_ec", username: "slow", password: "s3creto" };

test("serves a login on a free port of this machine, without output and signal handlers", async () => {
  const spies = [vi.spyOn(process.stdout, "write"), vi.spyOn(process.stderr, "write"), vi.spyOn(console, "log")];
  onTestFinished(() => void vi.restoreAllMocks());
  const signals = () => process.listenerCount("SIGINT") + process.listenerCount("SIGTERM");
  const before = signals();
  const { url } = await serve();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const { login, destinations } = converse(fetch, url);
  const credentials = { provider: "faro_uy", username: "otp", password: "s3creto" };
  const required = await login(credentials);
  expect(required.body).toMatchObject({ status: "interaction_required", field: "otp" });
  const done = await login({ ...credentials, otp: "135790" }, readKey(required));
  expect((await destinations(done.body.key)).body["destinations"]).toHaveLength(2);
  expect(signals()).toBe(before);
  for (const spy of spies) expect(spy).not.toHaveBeenCalled();
});

test.each([
  ["127.0.0.1", 200],
  ["localhost:80", 200],
  ["[::1]:80", 200],
  ["evil.example", 403],
  ["127.0.0.1.evil.example", 403],
  ["localhost.evil.example:80", 403],
])("a request for the host %s, which may be rebound here, gets HTTP %d", async (host, http) => {
  const { url } = await serve({ apiKey: "key" });
  const lines = [`Host: ${host}`, "X-API-Key: key", "Connection: close"];
  const response = await raw(url, ["GET /provider/ HTTP/1.1", ...lines, "", ""].join("\r\n"));
  expect(parseStatus(response)).toBe(http);
});

test("port and host can be set, and a taken port rejects", async () => {
  const { url } = await serve({ host: "localhost" });
  const port = Number(new URL(url).port);
  await expect(serveSandbox({ host: "localhost", port })).rejects.toMatchObject({ code: "EADDRINUSE" });
});

test("a runtime without servers, such as a browser, can't listen", async () => {
  vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined);
  onTestFinished(() => void vi.restoreAllMocks());
  await expect(serveSandbox()).rejects.toThrow("This runtime can't listen on a port");
});

test("a body far beyond the limit gets a response, not a broken connection", async () => {
  const { url } = await serve();
  const whole = await fetch(`${url}/login/`, { method: "POST", headers: form, body: "x".repeat(20_000_000) });
  expect([whole.status, await whole.json()]).toEqual([413, { status: "error", message: "Body too large" }]);
  expect(whole.headers.get("connection")).toBe("close");
  let left = 300;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => (left-- > 0 ? controller.enqueue(new Uint8Array(60_000)) : controller.close()),
  });
  const streamed = { method: "POST", headers: form, body, duplex: "half" } as const;
  expect((await fetch(`${url}/login/`, streamed)).status).toBe(413);
});

test("the slow bank stops waiting for a client that hangs up", async () => {
  const { clock, waiting } = handClock();
  const { url } = await serve({ clock });
  const leaving = new AbortController();
  const { login } = converse((request) => fetch(request, { signal: leaving.signal }), url);
  const failed = expect(login(slow)).rejects.toThrow();
  await expect.poll(waiting).toBe(1);
  leaving.abort();
  await failed;
  await expect.poll(waiting).toBe(0);
});

test("closing ends kept connections and a slow login under way, and may happen twice", async () => {
  const { clock, waiting } = handClock();
  const sandbox = await serve({ clock });
  const { get, login } = converse(fetch, sandbox.url);
  await get("/provider/");
  const failed = expect(login(slow)).rejects.toThrow();
  await expect.poll(waiting).toBe(1);
  await sandbox.close();
  await failed;
  await expect.poll(waiting).toBe(0);
  await sandbox.close();
  await expect(get("/provider/")).rejects.toThrow();
});
