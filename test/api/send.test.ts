import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

type CreateSend = typeof import("../../src/api/send.ts").createSend;

const { signal } = new AbortController();
const headers = { accept: "application/json", "content-type": "application/x-www-form-urlencoded", "x-api-key": "k" };
const login = { method: "POST", headers, body: "a=1", redirect: "manual", signal } as const;
const read = { method: "GET", headers: {}, signal } as const;
const { Request: NodeRequest } = globalThis;

/** A browser's: it takes streams, and keeps the length to itself. */
class BrowserRequest extends NodeRequest {
  constructor(input: string, init: RequestInit) {
    super(input, init);
    this.headers.delete("content-length");
  }
}

/** One that knows no streams and never asks for `duplex`, as Deno's, Bun's and React Native's. */
class PlainRequest {
  readonly headers: Headers;
  constructor(_: string, init: RequestInit) {
    this.headers = new Headers(init.headers);
  }
}

let createSend: CreateSend;

// What the platform can do is found out once.
beforeEach(async () => {
  vi.resetModules();
  ({ createSend } = await import("../../src/api/send.ts"));
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const responding = (http: number, body = '{"status":"said"}') => {
  const response = new Response(body, { status: http });
  const fetch = vi.fn<typeof globalThis.fetch>(async () => response);
  const sent = () => fetch.mock.calls[0]?.[1] as RequestInit & Record<string, unknown>;
  return { fetch, sent };
};

test.each([200, 302, 403, 503])("what is sent and what comes back, HTTP %i, is what was said", async (status) => {
  const { fetch, sent } = responding(status);
  const response = await createSend(fetch)("http://bank.test/login/?key=a%2Bb", login, true);
  expect(fetch).toHaveBeenCalledOnce();
  const { method, redirect } = sent();
  expect([fetch.mock.calls[0]?.[0], method, redirect]).toEqual(["http://bank.test/login/?key=a%2Bb", "POST", "manual"]);
  expect(Object.fromEntries(new Headers(sent().headers))).toMatchObject(headers);
  expect(sent().signal).toBe(signal);
  expect([response.status, await response.text()]).toEqual([status, '{"status":"said"}']);
});

test("the platform's fetch is looked up at each call", async () => {
  const send = createSend();
  const replaced = vi.fn(async () => new Response("{}"));
  vi.stubGlobal("fetch", replaced);
  await send("http://bank.test/", read, false);
  expect(replaced).toHaveBeenCalledOnce();
});

test.each([true, false])("what breaks, breaks once (sent once: %s)", async (isOnce) => {
  const fetch = vi.fn(async () => Promise.reject(new TypeError("fetch failed")));
  await expect(createSend(fetch)("http://bank.test/", read, isOnce)).rejects.toThrow();
  expect(fetch).toHaveBeenCalledOnce();
});

describe("the body of a login", () => {
  test("is a stream of a known length for a given fetch on Node, which can read it", async () => {
    const { fetch, sent } = responding(200);
    await createSend(fetch)("http://bank.test/", login, true);
    expect(sent().body).toBeInstanceOf(ReadableStream);
    const request = new Request("http://bank.test/", sent());
    expect(request.headers.get("content-length")).toBe("3");
    expect(await request.text()).toBe("a=1");
  });

  test.each<[string, Record<string, unknown>]>([
    ["in a browser, which would send a stream over HTTP/2 only", { Request: BrowserRequest }],
    ["where streams are unknown, as in React Native", { ReadableStream: undefined }],
    ["where a request would make a text of a stream", { Request: PlainRequest }],
  ])("stays a text %s", async (_, globals) => {
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
    ["that gets a response", async () => new Response("{}")],
    ["that breaks", () => Promise.reject(new TypeError("broken"))],
  ])("a login %s has a connection of its own, which is not kept", async (_, fetch) => {
    const spy = vi.fn<typeof globalThis.fetch>(fetch);
    await createSend(spy)("http://bank.test/", login, true).catch(() => {});
    expect(createHttpClient.mock.calls).toEqual([[{ poolMaxIdlePerHost: 0 }]]);
    expect(spy.mock.calls[0]?.[1]).toMatchObject({ client: { close } });
    expect(close).toHaveBeenCalledOnce();
  });

  test("a read uses the kept ones", async () => {
    const { fetch, sent } = responding(200);
    await createSend(fetch)("http://bank.test/", read, false);
    expect(sent()).not.toHaveProperty("client");
    expect(createHttpClient).not.toHaveBeenCalled();
  });
});

test.each([
  [true, { keepalive: false }],
  [false, {}],
])("on Bun a request that is sent once (%s) is told not to use a kept connection", async (isOnce, expected) => {
  vi.stubGlobal("Bun", {});
  const { fetch, sent } = responding(200);
  await createSend(fetch)("http://bank.test/", read, isOnce);
  expect("keepalive" in sent() ? { keepalive: sent()["keepalive"] } : {}).toEqual(expected);
});

describe("on Node a login by the platform's own fetch", () => {
  const dispatchers = globalThis as { [name: symbol]: unknown };
  const names = [1, 2].map((number) => Symbol.for(`undici.globalDispatcher.${number}`));
  const saved = names.map((name) => dispatchers[name]);
  const dispatchBy = (agent: unknown) => {
    for (const name of names) dispatchers[name] = agent;
  };

  afterEach(() => {
    for (const [index, name] of names.entries()) dispatchers[name] = saved[index];
  });

  test("stays a text, and what it is sent by sends once", async () => {
    const dispatch = vi.fn(() => true);
    dispatchBy({ dispatch });
    const { fetch, sent } = responding(200);
    vi.stubGlobal("fetch", fetch);
    await createSend()("http://bank.test/", login, true);
    expect(sent().body).toBe("a=1");
    const dispatcher = sent()["dispatcher"] as { dispatch(): boolean };
    expect(dispatcher.dispatch()).toBe(true);
    expect(() => dispatcher.dispatch()).toThrow("sent already");
    expect(dispatch).toHaveBeenCalledOnce();
  });

  test("is a stream where nobody knows what it is sent by", async () => {
    dispatchBy(undefined);
    const { fetch, sent } = responding(200);
    vi.stubGlobal("fetch", fetch);
    await createSend()("http://bank.test/", login, true);
    expect(sent().body).toBeInstanceOf(ReadableStream);
    expect(sent()).not.toHaveProperty("dispatcher");
  });
});

test("a given fetch, which may send by something else, is told nothing of Node's dispatcher", async () => {
  const { fetch, sent } = responding(200);
  await createSend(fetch)("http://bank.test/", read, true);
  expect(sent()).not.toHaveProperty("dispatcher");
});
