import { getEventListeners } from "node:events";
import { BankError } from "ventanilla";
import { afterEach, describe, expect, test, vi } from "vitest";
import { abortableFetch, endlessFetch, freezeTime, respondInTurn, unavailable } from "./clock.ts";
import { readFault } from "./faults.ts";
import { calls, createClient, FORM, LOCAL_URL, localBank, SESSION_KEY } from "./local-bank.ts";

afterEach(() => vi.useRealTimers());

// That an abort closes the connection: test/faults/cancelling.test.ts.
describe.each([
  ["listens to it", abortableFetch],
  ["ignores it", endlessFetch],
])("the signal of a call whose fetch %s", (_, fetch) => {
  test.each(calls)("aborts %s", async (request, call) => {
    const controller = new AbortController();
    const send = vi.fn(fetch);
    const fault = readFault(call(createClient(LOCAL_URL, { fetch: send }), { signal: controller.signal }));
    await expect.poll(() => send).toHaveBeenCalledOnce();
    controller.abort();
    const error = await fault;
    expect(error).toBeInstanceOf(BankError);
    expect(error).toMatchObject({ code: "request_aborted", request });
  });

  test.each(["onRequest", "fetch"])("ends the call if it is aborted in %s", async (where) => {
    const controller = new AbortController();
    const send: typeof fetch = (...request) => {
      if (where === "fetch") controller.abort();
      return fetch(...request);
    };
    const onRequest = () => void (where === "onRequest" && controller.abort());
    const client = createClient(LOCAL_URL, { fetch: send, onRequest });
    expect(await readFault(client.login(FORM, { signal: controller.signal }))).toMatchObject({
      code: "request_aborted",
      request: "POST /login/",
    });
  });
});

test.each(calls)("an aborted signal prevents %s", async (request, call) => {
  const { client, requests } = localBank({ json: {} });
  const error = await readFault(call(client({ retry: {} }), { signal: AbortSignal.abort() }));
  expect(error).toMatchObject({ code: "request_aborted", request });
  expect(requests).toEqual([]);
});

describe("the signal of a client", () => {
  test("aborts the requests under way, and refuses later ones", async () => {
    const controller = new AbortController();
    const fetch = vi.fn(abortableFetch);
    const client = createClient(LOCAL_URL, { fetch, signal: controller.signal });
    const faults = [readFault(client.login(FORM)), readFault(client.listProviders())];
    await expect.poll(() => fetch).toHaveBeenCalledTimes(2);
    controller.abort();
    for (const error of await Promise.all(faults)) expect(error.code).toBe("request_aborted");
    expect((await readFault(client.logout(SESSION_KEY))).code).toBe("request_aborted");
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  test("does not replace the signal of a call", async () => {
    const controller = new AbortController();
    const client = createClient(LOCAL_URL, { signal: new AbortController().signal, fetch: endlessFetch });
    const fault = readFault(client.listProviders({ signal: controller.signal }));
    controller.abort();
    expect((await fault).code).toBe("request_aborted");
  });
});

test("no listener stays on a signal after a response, a refusal, a retry or a fault", async () => {
  const { signal } = new AbortController();
  const client = localBank(
    { json: { status: "unheard_of" } },
    { http: 503, text: "" },
    { json: { status: "success", providers: [] } },
    { http: 500, text: "" },
  ).client({ signal, retry: { delay: 0 } });
  await client.login(FORM, { signal });
  await client.listProviders({ signal });
  await readFault(client.getProvider("test", { signal }));
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

describe("an abort during the wait before a retry", () => {
  test.each(["client", "call"])("ends the call at once, by the signal of the %s", async (owner) => {
    freezeTime();
    const controller = new AbortController();
    const { signal } = controller;
    const { fetch, times } = respondInTurn(() => unavailable({ "retry-after": "20" }));
    const client = createClient(LOCAL_URL, { fetch, retry: {}, ...(owner === "client" && { signal }) });
    const fault = readFault(client.listProviders(owner === "call" ? { signal } : {}));
    await vi.advanceTimersByTimeAsync(19_999);
    expect([times, vi.getTimerCount()]).toEqual([[0], 1]);
    controller.abort();
    const error = await fault;
    expect(error).toBeInstanceOf(BankError);
    expect(error.message).toBe("request_aborted: GET https://bank.example/provider/");
    expect(getEventListeners(signal, "abort")).toEqual([]);
    // ofetch's own timer stays. Nothing is sent when it fires.
    await vi.runAllTimersAsync();
    expect(times).toEqual([0]);
  });

  test("ends the call without a wait if it came with the response", async () => {
    const controller = new AbortController();
    const client = createClient(LOCAL_URL, {
      retry: { delay: 60_000 },
      fetch: async () => unavailable(),
      onResponse: () => controller.abort(),
    });
    expect((await readFault(client.listProviders({ signal: controller.signal }))).code).toBe("request_aborted");
  });
});
