import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createClient, FORM, SESSION_KEY } from "./local-bank.ts";

// What each platform's `fetch` is given, so that it sends a request once. What then arrives at a bank: test/platforms.

const BODY = "provider=faro_uy&username=username-canary-5e0a&password=password-canary-93bc";
const URL_OF_LOGIN = "http://bank.test/login/";

const responding = (json: object = { status: "unheard_of" }) => {
  const fetch = vi.fn<typeof globalThis.fetch>(async () => Response.json(json));
  const sent = () => fetch.mock.calls[0]?.[1] as RequestInit & Record<string, unknown>;
  return { fetch, sent };
};

const clientOf = (fetch?: typeof globalThis.fetch, baseUrl = "http://bank.test") =>
  createClient(baseUrl, fetch && { fetch });

afterEach(() => void vi.unstubAllGlobals());

test("a login goes to fetch with what no platform may change", async () => {
  const { fetch, sent } = responding();
  await clientOf(fetch).login(FORM);
  expect(fetch.mock.calls.map(([address]) => address)).toEqual([URL_OF_LOGIN]);
  expect(sent()).toMatchObject({ method: "POST", redirect: "manual", next: { revalidate: 0 } });
  expect(sent().signal).toBeInstanceOf(AbortSignal);
  expect(Object.fromEntries(new Headers(sent().headers))).toMatchObject({
    accept: "application/json",
    "content-type": "application/x-www-form-urlencoded",
  });
});

test("the global fetch is looked up at each call", async () => {
  const client = clientOf();
  const { fetch } = responding();
  vi.stubGlobal("fetch", fetch);
  await client.login(FORM);
  expect(fetch).toHaveBeenCalledOnce();
});

test("a login whose fetch rejects is sent once", async () => {
  const fetch = vi.fn(async () => Promise.reject(new TypeError("fetch failed")));
  const client = createClient("http://bank.test", { fetch, retry: {} });
  await expect(client.login(FORM)).rejects.toMatchObject({ code: "network_failed" });
  expect(fetch).toHaveBeenCalledOnce();
});

describe("the body of a login", () => {
  test("is a stream with content-length for a given fetch on Node", async () => {
    const { fetch, sent } = responding();
    await clientOf(fetch).login(FORM);
    expect(sent().body).toBeInstanceOf(ReadableStream);
    const request = new Request(URL_OF_LOGIN, sent());
    expect(request.headers.get("content-length")).toBe(String(BODY.length));
    expect(await request.text()).toBe(BODY);
  });

  // A browser would send a stream over HTTP/2 only, and React Native has none.
  test.each([undefined, {}, { versions: {} }])("is a text if the global process is %j", async (process) => {
    const { fetch, sent } = responding();
    vi.stubGlobal("process", process);
    await clientOf(fetch).login(FORM);
    expect(sent().body).toBe(BODY);
    expect(new Headers(sent().headers).has("content-length")).toBe(false);
  });
});

describe("on Deno", () => {
  const close = vi.fn();
  const createHttpClient = vi.fn(() => ({ close }));

  beforeEach(() => {
    vi.clearAllMocks();
    vi.stubGlobal("Deno", { createHttpClient });
  });

  test.each([
    ["with a response", async () => new Response("{}")],
    ["that fails", () => Promise.reject(new TypeError("broken"))],
  ])("a login %s has its own connection of HTTP/1.1, which is closed", async (_, fetch) => {
    const spy = vi.fn<typeof globalThis.fetch>(fetch);
    await clientOf(spy)
      .login(FORM)
      .catch(() => {});
    expect(createHttpClient.mock.calls).toEqual([[{ poolMaxIdlePerHost: 0, http2: false }]]);
    expect(spy.mock.calls[0]?.[1]).toMatchObject({ client: { close } });
    expect(close).toHaveBeenCalledOnce();
  });

  test("a read uses kept connections", async () => {
    const { fetch, sent } = responding();
    await clientOf(fetch).listProviders();
    expect(sent()).not.toHaveProperty("client");
    expect(createHttpClient).not.toHaveBeenCalled();
  });
});

test("on Bun a request that is sent once has keepalive: false, and a read has not", async () => {
  vi.stubGlobal("Bun", {});
  const once = responding();
  await clientOf(once.fetch).logout(SESSION_KEY);
  expect(once.sent()["keepalive"]).toBe(false);
  const read = responding();
  await clientOf(read.fetch).listProviders();
  expect(read.sent()).not.toHaveProperty("keepalive");
});

describe("on Node a login by the global fetch", () => {
  interface Dispatcher {
    readonly isMockActive?: boolean;
    dispatch(options: { origin: string; path?: string }, handler: object): boolean;
  }
  const dispatchers = globalThis as { [name: symbol]: unknown };
  const names = [1, 2].map((number) => Symbol.for(`undici.globalDispatcher.${number}`));
  const saved = names.map((name) => dispatchers[name]);
  const dispatchBy = (...agents: readonly unknown[]) => {
    for (const [index, name] of names.entries()) dispatchers[name] = agents[index];
  };
  afterEach(() => dispatchBy(...saved));

  /** What its `fetch` is given, after a login at this address. */
  const logIn = async (baseUrl = "http://bank.test") => {
    const { fetch, sent } = responding();
    vi.stubGlobal("fetch", fetch);
    await clientOf(undefined, baseUrl).login(FORM);
    return { ...sent(), dispatcher: sent()["dispatcher"] as Dispatcher };
  };

  test("is a text, and its dispatcher refuses a second request", async () => {
    const dispatch = vi.fn<Dispatcher["dispatch"]>(() => true);
    dispatchBy({ dispatch });
    const { body, dispatcher } = await logIn();
    expect(body).toBe(BODY);
    const handler = {};
    const options = { origin: "http://bank.test", path: "/login/" };
    expect(dispatcher.dispatch(options, handler)).toBe(true);
    expect(() => dispatcher.dispatch(options, handler)).toThrow("sent already");
    // Over HTTP/2 Node 26 itself would repeat a refused GET.
    const sentOptions = { ...options, origin: "http://bank.test:080", reset: true, allowH2: false };
    expect(dispatch.mock.calls).toEqual([[sentOptions, handler]]);
  });

  test.each([
    ["https://bank.test", "https://bank.test:0443"],
    ["https://bank.test:8443", "https://bank.test:08443"],
    ["http://[::1]:3000", "http://[::1]:03000"],
  ])("has a pool of its own: %s is written as %s", async (origin, separate) => {
    const dispatch = vi.fn<Dispatcher["dispatch"]>(() => true);
    dispatchBy({ dispatch });
    (await logIn(origin)).dispatcher.dispatch({ origin }, {});
    expect(dispatch.mock.calls[0]?.[0].origin).toBe(separate);
    expect(new URL(separate).origin).toBe(origin);
  });

  test.each([
    ["the first", [{ isMockActive: true }, {}]],
    ["the second", [{}, { isMockActive: true }]],
  ])("keeps its origin for a mock, %s dispatcher, which finds its responses by it", async (_, agents) => {
    const dispatch = vi.fn<Dispatcher["dispatch"]>(() => true);
    dispatchBy(...agents.map((agent) => ({ ...agent, dispatch })));
    const { dispatcher } = await logIn();
    expect(dispatcher.isMockActive).toBe(true);
    dispatcher.dispatch({ origin: "http://bank.test" }, {});
    expect(dispatch.mock.calls[0]?.[0].origin).toBe("http://bank.test");
  });

  // Node 22 and 24 have handlers of the first kind, also if a package has loaded undici 8.
  test.each([
    ["first", [1, 2], { onConnect() {} }],
    ["second", [1, 2], { onRequestStart() {} }],
    ["first", [1], { onRequestStart() {} }],
  ])("is sent by the %s one of %j for the handler %o", async (expected, versions, handler) => {
    const by = vi.fn();
    dispatchBy(...versions.map((version) => ({ dispatch: () => by(version === 1 ? "first" : "second") })));
    (await logIn()).dispatcher.dispatch({ origin: "http://bank.test" }, handler);
    expect(by.mock.calls).toEqual([[expected]]);
  });

  test("has the response of HTTP 421 that would repeat it", async () => {
    dispatchBy({ dispatch: () => true });
    vi.stubGlobal("fetch", async (_: unknown, init: { dispatcher: Dispatcher }) => {
      for (const _ of [1, 2]) init.dispatcher.dispatch({ origin: "http://bank.test" }, {});
    });
    await expect(clientOf().login(FORM)).rejects.toMatchObject({ code: "outcome_unknown", httpStatus: 421 });
  });

  test("is a stream if there is no global dispatcher", async () => {
    dispatchBy();
    const { body, dispatcher } = await logIn();
    expect(body).toBeInstanceOf(ReadableStream);
    expect(dispatcher).toBeUndefined();
  });

  test("is not sent by a Node whose fetch is not known, unless the client has the option fetch", async () => {
    vi.stubGlobal("process", { ...process, versions: { ...process.versions, undici: "99.1.0" } });
    const { fetch } = responding();
    vi.stubGlobal("fetch", fetch);
    const fault = { code: "unexpected_fault", detail: expect.stringContaining("undici 99.1.0") };
    await expect(clientOf().login(FORM)).rejects.toMatchObject(fault);
    await expect(clientOf().logout(SESSION_KEY)).rejects.toMatchObject(fault);
    expect(fetch).not.toHaveBeenCalled();
    await clientOf().listProviders();
    await clientOf(fetch).login(FORM);
    expect(fetch).toHaveBeenCalledTimes(2);
  });
});

test("a given fetch gets no dispatcher of Node's", async () => {
  const { fetch, sent } = responding();
  await clientOf(fetch).logout(SESSION_KEY);
  expect(sent()).not.toHaveProperty("dispatcher");
});
