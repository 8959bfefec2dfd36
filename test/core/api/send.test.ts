import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

type CreateSend = typeof import("../../../src/core/api/send.ts").createSend;

const { signal } = new AbortController();
const headers = { accept: "application/json", "content-type": "application/x-www-form-urlencoded", "x-api-key": "k" };
const login = { method: "POST", headers, body: "a=1", redirect: "manual", signal } as const;
const read = { method: "GET", headers: {}, signal } as const;
const { Request: NodeRequest } = globalThis;

/** As in a browser: it accepts streams, and drops their `content-length`. */
class BrowserRequest extends NodeRequest {
  constructor(input: string, init: RequestInit) {
    super(input, init);
    this.headers.delete("content-length");
  }
}

/** As in Deno, Bun and React Native: it never reads `duplex`. */
class PlainRequest {
  readonly headers: Headers;
  constructor(_: string, init: RequestInit) {
    this.headers = new Headers(init.headers);
  }
}

let createSend: CreateSend;

// The module checks the platform once.
beforeEach(async () => {
  vi.resetModules();
  ({ createSend } = await import("../../../src/core/api/send.ts"));
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const responding = (http: number, body = '{"status":"unheard_of"}') => {
  const response = new Response(body, { status: http });
  const fetch = vi.fn<typeof globalThis.fetch>(async () => response);
  const sent = () => fetch.mock.calls[0]?.[1] as RequestInit & Record<string, unknown>;
  return { fetch, sent };
};

test.each([200, 302, 403, 503])("passes on a request, and a response of HTTP %i, without a change", async (status) => {
  const { fetch, sent } = responding(status);
  const response = await createSend(fetch)("http://bank.test/login/?key=a%2Bb", login, true);
  expect(fetch).toHaveBeenCalledOnce();
  const { method, redirect } = sent();
  expect([fetch.mock.calls[0]?.[0], method, redirect]).toEqual(["http://bank.test/login/?key=a%2Bb", "POST", "manual"]);
  expect(Object.fromEntries(new Headers(sent().headers))).toMatchObject(headers);
  expect(sent()).toMatchObject({ signal, next: { revalidate: 0 } });
  expect([response.status, await response.text()]).toEqual([status, '{"status":"unheard_of"}']);
});

test("looks up the global fetch at each call", async () => {
  const send = createSend();
  const replaced = vi.fn(async () => new Response("{}"));
  vi.stubGlobal("fetch", replaced);
  await send("http://bank.test/", read, false);
  expect(replaced).toHaveBeenCalledOnce();
});

test.each([true, false])("calls a fetch that rejects once (isOnce: %s)", async (isOnce) => {
  const fetch = vi.fn(async () => Promise.reject(new TypeError("fetch failed")));
  await expect(createSend(fetch)("http://bank.test/", read, isOnce)).rejects.toThrow();
  expect(fetch).toHaveBeenCalledOnce();
});

describe("the body of a login", () => {
  test("is a stream with content-length for a given fetch on Node", async () => {
    const { fetch, sent } = responding(200);
    await createSend(fetch)("http://bank.test/", login, true);
    expect(sent().body).toBeInstanceOf(ReadableStream);
    const request = new Request("http://bank.test/", sent());
    expect(request.headers.get("content-length")).toBe("3");
    expect(await request.text()).toBe("a=1");
  });

  test.each<[string, Record<string, unknown>]>([
    ["in a browser, which would send a stream over HTTP/2 only", { Request: BrowserRequest }],
    ["without streams, as in React Native", { ReadableStream: undefined }],
    ["if Request does not read duplex", { Request: PlainRequest }],
  ])("is a text %s", async (_, globals) => {
    const { fetch, sent } = responding(200);
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
    await createSend(fetch)("http://bank.test/", login, true);
    expect(sent().body).toBe("a=1");
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
    await createSend(spy)("http://bank.test/", login, true).catch(() => {});
    expect(createHttpClient.mock.calls).toEqual([[{ poolMaxIdlePerHost: 0, http2: false }]]);
    expect(spy.mock.calls[0]?.[1]).toMatchObject({ client: { close } });
    expect(close).toHaveBeenCalledOnce();
  });

  test("a read uses kept connections", async () => {
    const { fetch, sent } = responding(200);
    await createSend(fetch)("http://bank.test/", read, false);
    expect(sent()).not.toHaveProperty("client");
    expect(createHttpClient).not.toHaveBeenCalled();
  });
});

test.each([
  [true, { keepalive: false }],
  [false, {}],
])("on Bun a request with isOnce %s has the options %j", async (isOnce, expected) => {
  vi.stubGlobal("Bun", {});
  const { fetch, sent } = responding(200);
  await createSend(fetch)("http://bank.test/", read, isOnce);
  expect("keepalive" in sent() ? { keepalive: sent()["keepalive"] } : {}).toEqual(expected);
});

describe("on Node a login by the global fetch", () => {
  interface Dispatcher {
    dispatch(options: { origin: string; path?: string }, handler: object): boolean;
  }
  const dispatchers = globalThis as { [name: symbol]: unknown };
  const names = [1, 2].map((number) => Symbol.for(`undici.globalDispatcher.${number}`));
  const saved = names.map((name) => dispatchers[name]);
  const dispatchBy = (agent: unknown) => {
    for (const name of names) dispatchers[name] = agent;
  };

  afterEach(() => {
    for (const [index, name] of names.entries()) dispatchers[name] = saved[index];
  });

  test("is a text, and its dispatcher refuses a second request", async () => {
    const dispatch = vi.fn<Dispatcher["dispatch"]>(() => true);
    dispatchBy({ dispatch });
    const { fetch, sent } = responding(200);
    vi.stubGlobal("fetch", fetch);
    await createSend()("http://bank.test/", login, true);
    expect(sent().body).toBe("a=1");
    const dispatcher = sent()["dispatcher"] as Dispatcher;
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
    const { fetch, sent } = responding(200);
    vi.stubGlobal("fetch", fetch);
    await createSend()(`${origin}/login/`, login, true);
    (sent()["dispatcher"] as Dispatcher).dispatch({ origin }, {});
    expect(dispatch.mock.calls[0]?.[0].origin).toBe(separate);
    expect(new URL(separate).origin).toBe(origin);
  });

  test("keeps its origin for a mock, which finds its responses by it", async () => {
    const dispatch = vi.fn<Dispatcher["dispatch"]>(() => true);
    dispatchBy({ dispatch, isMockActive: true });
    const { fetch, sent } = responding(200);
    vi.stubGlobal("fetch", fetch);
    await createSend()("http://bank.test/", login, true);
    (sent()["dispatcher"] as Dispatcher).dispatch({ origin: "http://bank.test" }, {});
    expect(dispatch.mock.calls[0]?.[0].origin).toBe("http://bank.test");
  });

  // Node 22 and 24 have handlers of the first kind, also where a package has loaded undici 8.
  test.each([
    ["first", [1, 2], { onConnect() {} }],
    ["second", [1, 2], { onRequestStart() {} }],
    ["first", [1], { onRequestStart() {} }],
    ["second", [2], { onConnect() {} }],
  ])("is sent by the %s one of %j for the handler %o", async (expected, versions, handler) => {
    const by = vi.fn();
    for (const [index, name] of ["first", "second"].entries()) {
      dispatchers[names[index] as symbol] = versions.includes(index + 1) ? { dispatch: () => by(name) } : undefined;
    }
    const { fetch, sent } = responding(200);
    vi.stubGlobal("fetch", fetch);
    await createSend()("http://bank.test/", login, true);
    (sent()["dispatcher"] as Dispatcher).dispatch({ origin: "http://bank.test" }, handler);
    expect(by.mock.calls).toEqual([[expected]]);
  });

  test.each([false, true])(
    "has the response of HTTP 421 that would repeat it (isMockActive: %s)",
    async (isMockActive) => {
      dispatchBy({ dispatch: () => true, isMockActive });
      const repeat = async (_: unknown, init: { dispatcher: Dispatcher & { isMockActive: boolean } }) => {
        expect(init.dispatcher.isMockActive).toBe(isMockActive);
        for (const _ of [1, 2]) init.dispatcher.dispatch({ origin: "http://bank.test" }, {});
      };
      vi.stubGlobal("fetch", repeat);
      expect((await createSend()("http://bank.test/", login, true)).status).toBe(421);
    },
  );

  test("is a stream if there is no global dispatcher", async () => {
    dispatchBy(undefined);
    const { fetch, sent } = responding(200);
    vi.stubGlobal("fetch", fetch);
    await createSend()("http://bank.test/", login, true);
    expect(sent().body).toBeInstanceOf(ReadableStream);
    expect(sent()).not.toHaveProperty("dispatcher");
  });
});

test("a given fetch gets no dispatcher of Node's", async () => {
  const { fetch, sent } = responding(200);
  await createSend(fetch)("http://bank.test/", read, true);
  expect(sent()).not.toHaveProperty("dispatcher");
});
