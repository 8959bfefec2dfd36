import { SANDBOX_API_KEY, type ServedSandbox, type ServeSandboxOptions, serveSandbox } from "ventanilla/sandbox";
import { afterEach, expect, test, vi } from "vitest";
import { converse, handClock, readKey } from "./conversation.ts";

const served: ServedSandbox[] = [];
const serve = async (options?: ServeSandboxOptions) => {
  const sandbox = await serveSandbox(options);
  served.push(sandbox);
  return sandbox;
};

afterEach(async () => {
  await Promise.all(served.splice(0).map((sandbox) => sandbox.close()));
  vi.restoreAllMocks();
});

const form = { "X-API-Key": SANDBOX_API_KEY, "Content-Type": "application/x-www-form-urlencoded" };

test("a whole login with an interaction, from the list of banks to the destinations", async () => {
  const { url } = await serve();
  const { get, login, destinations } = converse(fetch, url);
  expect((await get("/provider/")).body["providers"]).toContainEqual({
    code: "faro_uy",
    country: "UY",
    name: "Banco Faro",
  });
  expect((await get("/provider/faro_uy/")).body.status).toBe("success");
  const credentials = { provider: "faro_uy", username: "otp", password: "s3creto" };
  const required = await login(credentials);
  expect(required.body).toMatchObject({ status: "interaction_required", field: "otp" });
  const done = await login({ ...credentials, otp: "135790" }, readKey(required));
  expect(done.body.status).toBe("logged_in");
  expect((await destinations(done.body.key)).body["destinations"]).toHaveLength(2);
});

test("the address is a free port of this machine, without a slash at its end", async () => {
  const [one, other] = [await serve(), await serve()];
  expect(one.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(other.url).not.toBe(one.url);
});

test("a port and a host can be asked for, and a taken port rejects", async () => {
  const { url } = await serve({ host: "localhost" });
  const port = Number(new URL(url).port);
  await expect(serveSandbox({ host: "localhost", port })).rejects.toMatchObject({ code: "EADDRINUSE" });
});

test("a runtime without servers, such as a browser, can't listen", async () => {
  vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined);
  await expect(serveSandbox()).rejects.toThrow("This runtime can't listen on a port");
});

test("refusals look the same over a port", async () => {
  const { url } = await serve();
  const { get, ask } = converse(fetch, url);
  expect(await get("/provider")).toEqual({ http: 404, body: { status: "error", message: "Not found" } });
  expect((await get("/provider/%ZZ/")).body).toEqual({ status: "provider_doesnt_exist" });
  expect((await get("/provider/", { "X-API-Key": "guess" })).http).toBe(403);
  expect((await ask("/login/", { method: "PUT" })).http).toBe(405);
  expect((await ask("/login/", { method: "POST", body: "{}" })).http).toBe(415);
});

test("a body far beyond the limit is refused with an answer, not with a torn connection", async () => {
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

test("a client that gives up frees the slow bank", async () => {
  const { clock, waiting } = handClock();
  const { url } = await serve({ clock });
  const leaving = new AbortController();
  const slow = new URLSearchParams({ provider: "tortuga_ec", username: "slow", password: "s3creto" });
  const reply = fetch(`${url}/login/`, {
    method: "POST",
    headers: form,
    body: slow.toString(),
    signal: leaving.signal,
  });
  const failed = expect(reply).rejects.toThrow();
  await expect.poll(() => waiting()).toBe(1);
  leaving.abort();
  await failed;
  await expect.poll(() => waiting()).toBe(0);
});

test("closing ends kept connections and a slow login under way, and may happen twice", async () => {
  const { clock, waiting } = handClock();
  const sandbox = await serve({ clock });
  const { get, login } = converse(fetch, sandbox.url);
  await get("/provider/");
  const failed = expect(login({ provider: "tortuga_ec", username: "slow", password: "s3creto" })).rejects.toThrow();
  await expect.poll(() => waiting()).toBe(1);
  await sandbox.close();
  await failed;
  await expect.poll(() => waiting()).toBe(0);
  await sandbox.close();
  await expect(get("/provider/")).rejects.toThrow();
});

test("serving writes nothing and takes no signals", async () => {
  const written = vi.spyOn(process.stdout, "write");
  const complained = vi.spyOn(process.stderr, "write");
  const logged = vi.spyOn(console, "log");
  const signals = process.listenerCount("SIGINT") + process.listenerCount("SIGTERM");
  vi.stubEnv("CI", "").stubEnv("TEST", "");
  const { url } = await serve();
  await converse(fetch, url).get("/%ZZ?key=secret");
  vi.unstubAllEnvs();
  expect(process.listenerCount("SIGINT") + process.listenerCount("SIGTERM")).toBe(signals);
  for (const spy of [written, complained, logged]) expect(spy).not.toHaveBeenCalled();
});
