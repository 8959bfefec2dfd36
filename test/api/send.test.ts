import { afterEach, describe, expect, test, vi } from "vitest";
import * as browser from "../../src/api/send.browser.ts";
import * as server from "../../src/api/send.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

describe.each([
  ["on a server", server.sendBy],
  ["in a browser", browser.sendBy],
])("%s", (_, sendBy) => {
  const { signal } = new AbortController();
  const headers = { accept: "application/json", "content-type": "application/x-www-form-urlencoded", "x-api-key": "k" };
  const init = { method: "POST", headers, body: "a=1", redirect: "manual", signal } as const;

  test.each([200, 302, 403, 503])("what is sent and what comes back, HTTP %i, is what was said", async (status) => {
    const fetch = vi.fn(async () => new Response('{"status":"said"}', { status }));
    const response = await sendBy(fetch as never)("http://bank.test/login/?key=a%2Bb", init);
    expect(fetch).toHaveBeenCalledOnce();
    const [address, sent] = fetch.mock.calls[0] as unknown as [string, RequestInit];
    const { method, body, redirect } = sent;
    expect([address, method, body, redirect]).toEqual(["http://bank.test/login/?key=a%2Bb", "POST", "a=1", "manual"]);
    expect([...new Headers(sent.headers)]).toEqual(Object.entries(headers));
    expect(sent.signal).toBe(signal);
    expect([response.status, await response.text()]).toEqual([status, '{"status":"said"}']);
  });

  test("the platform's fetch is looked up at each call", async () => {
    const send = sendBy();
    const replaced = vi.fn(async () => new Response("{}"));
    vi.stubGlobal("fetch", replaced);
    await send("http://bank.test/", { method: "GET" });
    expect(replaced).toHaveBeenCalledOnce();
  });

  test("what breaks, breaks once", async () => {
    const fetch = vi.fn(async () => Promise.reject(new TypeError("fetch failed")));
    await expect(sendBy(fetch as never)("http://bank.test/", { method: "GET" })).rejects.toThrow();
    expect(fetch).toHaveBeenCalledOnce();
  });
});
