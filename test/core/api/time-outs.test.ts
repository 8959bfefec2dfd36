import { BankError } from "ventanilla";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { promised, startService } from "../../bank/service.ts";
import { abortableFetch, endlessFetch, freezeTime } from "./clock.ts";
import { readFault } from "./faults.ts";
import { calls, clientThatReads, createClient, FORM, LOCAL_URL, localBank } from "./local-bank.ts";

afterEach(() => vi.useRealTimers());

/** The fault of a call, and the time until it was thrown, on a fake clock. */
async function timeUntilFault(call: Promise<unknown>) {
  const start = Date.now();
  let ended: number | undefined;
  const fault = readFault(call).finally(() => {
    ended = Date.now();
  });
  await vi.advanceTimersByTimeAsync(200_000);
  return { error: await fault, after: (ended ?? Number.NaN) - start };
}

test.each([
  ["gets the response that came meanwhile", true],
  ["times out without one", false],
])("a login whose process was suspended for an hour %s", async (_, hasCome) => {
  freezeTime();
  const { promise: response, keep: respond } = promised<Response>();
  const login = createClient(LOCAL_URL, { fetch: () => response }).login(FORM);
  const ended = login.then(
    ({ status }) => status,
    ({ code }) => code,
  );
  // The clock goes on while timers stand still. Timers that are due come before what arrived.
  vi.setSystemTime(Date.now() + 3_600_000);
  vi.advanceTimersByTime(90_000);
  if (hasCome) respond(Response.json({ status: "logged_in", key: "k" }));
  else await vi.advanceTimersByTimeAsync(1);
  expect(await ended).toBe(hasCome ? "logged_in" : "request_timed_out");
});

const reads = calls.filter(([request]) => request !== "POST /login/");

describe.each([
  ["listens to", abortableFetch],
  ["ignores", endlessFetch],
])("with a fetch that %s its signal", (_, fetch) => {
  test("a login times out after 90 s", async () => {
    freezeTime();
    const { error, after } = await timeUntilFault(createClient(LOCAL_URL, { fetch }).login(FORM));
    expect(after).toBe(90_000);
    expect(error).toBeInstanceOf(BankError);
    const detail = "no response within 90000 ms";
    expect(error).toMatchObject({ code: "request_timed_out", request: "POST /login/", detail });
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each(reads)("%s times out after 15 s", async (request, call) => {
    freezeTime();
    const { error, after } = await timeUntilFault(call(createClient(LOCAL_URL, { fetch })));
    expect(after).toBe(15_000);
    expect(error).toMatchObject({ code: "request_timed_out", request, detail: "no response within 15000 ms" });
  });

  test("the options of the client and of the call replace the defaults", async () => {
    freezeTime();
    const client = createClient(LOCAL_URL, { fetch, timeout: { login: 7000, read: 3000 } });
    expect((await timeUntilFault(client.login(FORM))).after).toBe(7000);
    expect((await timeUntilFault(client.listProviders())).after).toBe(3000);
    expect((await timeUntilFault(client.login(FORM, { timeout: 11 }))).after).toBe(11);
    expect((await timeUntilFault(client.listProviders({ timeout: 12 }))).after).toBe(12);
    const onlyLogin = createClient(LOCAL_URL, { fetch, timeout: { login: 7000 } });
    expect((await timeUntilFault(onlyLogin.listProviders())).after).toBe(15_000);
  });
});

test.each([
  ["timeout", 0],
  ["timeout", -1],
  ["timeout", Number.NaN],
  ["timeout", 2 ** 31],
  ["deadline", Number.NaN],
  // A duration, where a time is meant.
  ["deadline", 60_000],
])("the %s %d of a call is refused, and nothing is sent", async (field, value) => {
  const { client, requests } = localBank({ json: {} });
  const calls = [client().login(FORM, { [field]: value }), client().listProviders({ [field]: value })];
  await Promise.all(calls.map((call) => expect(call).rejects.toMatchObject({ code: "invalid_input", field })));
  expect(requests).toEqual([]);
});

describe("the deadline of a call", () => {
  test("prevents the request if it has passed", async () => {
    const { requests, ...bank } = localBank({ json: {} });
    const client = bank.client();
    freezeTime();
    for (const deadline of [new Date("2000-01-01"), Date.now() - 1, Date.now()]) {
      const error = await readFault(client.login(FORM, { deadline }));
      expect(error).toBeInstanceOf(BankError);
      expect(error.detail).toBe("the deadline had passed");
      await expect(client.listProviders({ deadline })).rejects.toMatchObject({ code: "request_timed_out" });
    }
    expect(requests).toEqual([]);
  });

  test("ends the call if it comes before the time-out, and does not prolong the time-out", async () => {
    freezeTime();
    const client = createClient(LOCAL_URL, { fetch: endlessFetch });
    const early = await timeUntilFault(client.login(FORM, { deadline: Date.now() + 500 }));
    expect([early.after, early.error.detail]).toEqual([500, "no response within 500 ms"]);
    const late = await timeUntilFault(client.login(FORM, { deadline: Date.now() + 500_000 }));
    expect(late.after).toBe(90_000);
  });
});

test("a response within the time-out leaves no timer", async () => {
  freezeTime();
  await clientThatReads({ json: { status: "success", providers: [] } }).listProviders();
  expect(vi.getTimerCount()).toBe(0);
});

test("a time-out is reported as request_timed_out if a signal keeps no reason, as in React Native", async () => {
  const { url } = await startService(["held"]);
  const abort = AbortController.prototype.abort;
  vi.stubGlobal(
    "AbortController",
    class extends AbortController {
      override abort() {
        abort.call(this);
        Object.defineProperty(this.signal, "reason", { value: undefined });
      }
    },
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  expect((await readFault(createClient(url, { timeout: { login: 20 } }).login(FORM))).code).toBe("request_timed_out");
});
