import { getEventListeners } from "node:events";
import { AbortedError } from "ventanilla";
import { afterEach, describe, expect, test, vi } from "vitest";
import { abortableFetch, endlessFetch, freezeTime, respondInTurn, unavailable } from "./clock.ts";
import { readFault } from "./faults.ts";
import { calls, createClient, FORM, LOCAL_URL, localBank, SESSION_KEY, serveResponses, silence } from "./server.ts";

afterEach(() => vi.useRealTimers());

describe("the signal of a call", () => {
  test.each(calls)("aborts %s while the server does not respond", async (request, call) => {
    const { url, requests } = await serveResponses(silence);
    const controller = new AbortController();
    const fault = readFault(call(createClient(url), { signal: controller.signal }));
    await expect.poll(() => requests, { interval: 5 }).toHaveLength(1);
    controller.abort();
    const error = await fault;
    expect(error).toBeInstanceOf(AbortedError);
    expect(error).toMatchObject({ code: "request_aborted", request });
  });

  test.each(calls)("prevents %s if it is already aborted", async (request, call) => {
    const { client, requests } = localBank({ json: {} });
    const error = await readFault(call(client({ retry: {} }), { signal: AbortSignal.abort() }));
    expect(error).toMatchObject({ code: "request_aborted", request });
    expect(requests).toEqual([]);
  });

  test.each([
    ["listens to it", abortableFetch],
    ["ignores it", endlessFetch],
  ])("ends the call if the given fetch %s", async (_, fetch) => {
    const controller = new AbortController();
    const fault = readFault(createClient(LOCAL_URL, { fetch }).login(FORM, { signal: controller.signal }));
    controller.abort();
    expect(await fault).toMatchObject({ code: "request_aborted", request: "POST /login/" });
  });

  test.each([
    ["the hook onRequest", (abort: () => void) => ({ onRequest: abort, fetch: endlessFetch })],
    [
      "a given fetch that ignores it",
      (abort: () => void) => ({
        fetch: () => {
          abort();
          return new Promise<never>(() => {});
        },
      }),
    ],
  ])("ends the call if it is aborted by %s", async (_, createOptions) => {
    const controller = new AbortController();
    const options = createOptions(() => controller.abort());
    const error = await readFault(createClient(LOCAL_URL, options).login(FORM, { signal: controller.signal }));
    expect(error).toMatchObject({ code: "request_aborted", request: "POST /login/" });
  });
});

describe("the signal of a client", () => {
  test("aborts the requests under way, and refuses later ones", async () => {
    const { url, requests } = await serveResponses(silence);
    const controller = new AbortController();
    const client = createClient(url, { signal: controller.signal });
    const faults = [readFault(client.login(FORM)), readFault(client.listProviders())];
    await expect.poll(() => requests, { interval: 5 }).toHaveLength(2);
    controller.abort();
    for (const error of await Promise.all(faults)) expect(error.code).toBe("request_aborted");
    expect((await readFault(client.logout(SESSION_KEY))).code).toBe("request_aborted");
    expect(requests).toHaveLength(2);
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
  await readFault(client.listProviders({ signal }));
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
    expect(error).toBeInstanceOf(AbortedError);
    expect(error.message).toBe("request_aborted: GET https://bank.example/provider/");
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(signal, "abort")).toEqual([]);
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
