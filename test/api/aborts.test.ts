import { getEventListeners } from "node:events";
import { AbortedError, type BankClient } from "ventanilla";
import { afterEach, describe, expect, test, vi } from "vitest";
import { deaf, patient, respondInTurn, stopTheClock, unavailable } from "./clock.ts";
import { expectNoneOf, readFault } from "./faults.ts";
import { bankThatSays, createClient, FORM, SESSION_KEY, serveResponses, silence } from "./server.ts";

afterEach(() => vi.useRealTimers());

const calls: [string, (client: BankClient, signal: AbortSignal) => Promise<unknown>][] = [
  ["GET /provider/", (client, signal) => client.listProviders({ signal })],
  ["GET /provider/{code}/", (client, signal) => client.getProvider("test", { signal })],
  ["POST /login/", (client, signal) => client.login(FORM, { signal })],
  ["GET /transfer/destinations", (client, signal) => client.listTransferDestinations(SESSION_KEY, { signal })],
  ["GET /client/", (client, signal) => client.listClients(SESSION_KEY, { signal })],
  ["GET /client/{id}/", (client, signal) => client.selectClient(SESSION_KEY, "0", { signal })],
  ["GET /logout/", (client, signal) => client.logout(SESSION_KEY, { signal })],
];

describe("the call's signal", () => {
  test.each(calls)("aborts %s while the server is silent", async (request, call) => {
    const { url, requests } = await serveResponses(silence);
    const leaving = new AbortController();
    const fault = readFault(call(createClient(url), leaving.signal));
    await expect.poll(() => requests).toHaveLength(1);
    leaving.abort();
    const error = await fault;
    expect(error).toBeInstanceOf(AbortedError);
    expect(error).toMatchObject({ code: "request_aborted", request });
  });

  test.each(calls)("that is aborted already sends no %s", async (request, call) => {
    const { url, requests } = await serveResponses({ json: {} });
    const error = await readFault(call(createClient(url, { retry: {} }), AbortSignal.abort()));
    expect(error).toMatchObject({ code: "request_aborted", request });
    expect(requests).toEqual([]);
  });

  test.each([
    ["that listens", patient],
    ["that is deaf", deaf],
  ])("aborts a given fetch %s", async (_, fetch) => {
    const leaving = new AbortController();
    const fault = readFault(createClient("https://bank.example", { fetch }).login(FORM, { signal: leaving.signal }));
    leaving.abort();
    expect(await fault).toMatchObject({ code: "request_aborted", request: "POST /login/" });
  });

  test.each([
    ["in a hook", (leave: () => void) => ({ onRequest: leave, fetch: deaf })],
    [
      "by a given fetch that is deaf to it",
      (leave: () => void) => ({
        fetch: () => {
          leave();
          return new Promise<never>(() => {});
        },
      }),
    ],
  ])("aborts the request that it is aborted in, %s", async (_, options) => {
    const leaving = new AbortController();
    const client = createClient(
      "https://bank.example",
      options(() => leaving.abort()),
    );
    const error = await readFault(client.login(FORM, { signal: leaving.signal }));
    expect(error).toMatchObject({ code: "request_aborted", request: "POST /login/" });
  });

  test("keeps the reason it was aborted with to itself", async () => {
    const { client } = await bankThatSays(silence);
    const error = await readFault(client.login(FORM, { signal: AbortSignal.abort(new Error("reason-canary")) }));
    expect(error).not.toHaveProperty("cause");
    expectNoneOf(["reason-canary"], error);
  });
});

describe("the client's signal", () => {
  test("aborts whatever is under way, and refuses what comes after", async () => {
    const { url, requests } = await serveResponses(silence);
    const leaving = new AbortController();
    const client = createClient(url, { signal: leaving.signal });
    const faults = [readFault(client.login(FORM)), readFault(client.listProviders())];
    await expect.poll(() => requests).toHaveLength(2);
    leaving.abort();
    for (const error of await Promise.all(faults)) expect(error.code).toBe("request_aborted");
    expect((await readFault(client.logout(SESSION_KEY))).code).toBe("request_aborted");
    expect(requests).toHaveLength(2);
  });

  test("does not take the place of the call's", async () => {
    const { url, requests } = await serveResponses(silence);
    const leaving = new AbortController();
    const client = createClient(url, { signal: new AbortController().signal });
    const fault = readFault(client.listProviders({ signal: leaving.signal }));
    await expect.poll(() => requests).toHaveLength(1);
    leaving.abort();
    expect((await fault).code).toBe("request_aborted");
  });
});

test("no listener stays on a signal, whatever became of the call", async () => {
  const lasting = new AbortController();
  const { url } = await serveResponses(
    { json: { status: "unheard_of" } },
    { http: 503, text: "" },
    { json: { status: "success", providers: [] } },
    { http: 500, text: "" },
  );
  const client = createClient(url, { signal: lasting.signal, retry: { delay: 0 } });
  await client.login(FORM, { signal: lasting.signal });
  await client.listProviders({ signal: lasting.signal });
  await readFault(client.listProviders({ signal: lasting.signal }));
  expect(getEventListeners(lasting.signal, "abort")).toEqual([]);
});

describe("an abort during the wait before a retry", () => {
  test.each(["the client's", "the call's"])("by %s signal ends the call at once", async (whose) => {
    stopTheClock();
    const leaving = new AbortController();
    const { fetch, times } = respondInTurn(() => unavailable({ "retry-after": "20" }));
    const options = { fetch, retry: {}, ...(whose === "the client's" && { signal: leaving.signal }) };
    const client = createClient("https://bank.example", options);
    const fault = readFault(client.listProviders(whose === "the call's" ? { signal: leaving.signal } : {}));
    await vi.advanceTimersByTimeAsync(19_999);
    expect([times, vi.getTimerCount()]).toEqual([[0], 1]);
    leaving.abort();
    const error = await fault;
    expect(error).toBeInstanceOf(AbortedError);
    expect(error.message).toBe("request_aborted: GET https://bank.example/provider/");
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(leaving.signal, "abort")).toEqual([]);
    expect(times).toEqual([0]);
  });

  test("that came with the response already ends the call without a wait", async () => {
    const leaving = new AbortController();
    const client = createClient("https://bank.example", {
      retry: { delay: 60_000 },
      fetch: async () => unavailable(),
      onResponse: () => leaving.abort(),
    });
    expect((await readFault(client.listProviders({ signal: leaving.signal }))).code).toBe("request_aborted");
  });
});
