import { describe, expect, onTestFinished, test, vi } from "vitest";
import { endlessFetch, freezeTime, noProviders } from "./clock.ts";
import { readFault } from "./faults.ts";
import { createClient, LOCAL_URL, localBank, SESSION_KEY } from "./local-bank.ts";

const quick = { delay: 1 };
const success = { json: { status: "success", providers: [], destinations: [] } };
// Which requests are reads, and that all others are sent once: test/faults/endpoints.test.ts.

describe("a read", () => {
  test.each([408, 429, 500, 502, 503, 504])(
    "is retried after HTTP %d, with or without a status, by the same request",
    async (http) => {
      for (const fault of [
        { http, text: "" },
        { http, json: { status: "missing_params" } },
      ]) {
        const { client, requests } = localBank(fault, success);
        expect((await client({ retry: quick }).listTransferDestinations(SESSION_KEY)).status).toBe("success");
        expect(requests).toEqual([requests[0], requests[0]]);
      }
    },
  );

  test("is retried after network_failed", async () => {
    const fetch = vi.fn(async () => Promise.reject(new TypeError("fetch failed")));
    const client = createClient(LOCAL_URL, { fetch, retry: quick });
    expect((await readFault(client.listProviders())).code).toBe("network_failed");
    expect(fetch).toHaveBeenCalledTimes(3);
  });

  test.each([400, 401, 403, 404, 409, 425, 501, 505])("is not retried after HTTP %d", async (http) => {
    const { client, requests } = localBank({ http, text: "" }, { http, json: { status: "missing_params" } }, success);
    const retrying = client({ retry: quick });
    expect(await readFault(retrying.listProviders())).toMatchObject({ httpStatus: http });
    expect(await retrying.listProviders()).toMatchObject({ status: "missing_params", httpStatus: http });
    expect(requests).toHaveLength(2);
  });

  test.each([
    ["unreadable", { text: "<html>" }],
    ["against the contract", { json: { status: "success" } }],
    ["a redirect", { http: 302, text: "" }],
    ["an outcome", { json: { status: "error", message: "Invalid key" } }],
    ["too large", { text: "x".repeat(2000) }],
  ])("is not retried after a response that is %s", async (_, response) => {
    const { client, requests } = localBank(response, success);
    await client({ retry: quick, responseLimit: 1000 })
      .listProviders()
      .catch(() => {});
    expect(requests).toHaveLength(1);
  });

  test("is retried after a time-out, and each try has the whole time-out", async () => {
    freezeTime();
    onTestFinished(() => void vi.useRealTimers());
    let tries = 0;
    const fetch: typeof globalThis.fetch = async (...request) => {
      tries += 1;
      if (tries === 1) return endlessFetch(...request);
      await new Promise((resolve) => setTimeout(resolve, 249));
      return noProviders();
    };
    const call = createClient(LOCAL_URL, { fetch, retry: quick, timeout: { read: 250 } }).listProviders();
    await vi.advanceTimersByTimeAsync(500);
    expect((await call).status).toBe("success");
    expect(tries).toBe(2);
  });

  test("is retried twice by default, and rejects with the last fault", async () => {
    const { client, requests } = localBank({ http: 502, text: "" }, { http: 502, text: "" }, { http: 504, text: "" });
    const error = await readFault(client({ retry: quick }).listProviders());
    expect(error).toMatchObject({ code: "service_unavailable", httpStatus: 504, request: "GET /provider/" });
    expect(requests).toHaveLength(3);
  });

  test("resolves to the last response after the last retry", async () => {
    const { client, requests } = localBank({ http: 503, json: { status: "provider_unavailable" } });
    expect(await client({ retry: quick }).listProviders()).toEqual({
      status: "provider_unavailable",
      httpStatus: 503,
      wire: { status: "provider_unavailable" },
    });
    expect(requests).toHaveLength(3);
  });

  test.each([
    [{ limit: 0, delay: 1 }, 1],
    [{ limit: 1, delay: 1 }, 2],
    [{ limit: 4, delay: 0 }, 5],
    [false, 1],
  ] as const)("with retry: %j is tried %d times", async (retry, tries) => {
    const { client, requests } = localBank({ http: 503, text: "" });
    await readFault(client({ retry }).listProviders());
    expect(requests).toHaveLength(tries);
  });

  test("is not retried after a hook that throws", async () => {
    let seen = 0;
    const onResponse = () => {
      seen++;
      throw new Error("broken");
    };
    const { client, requests } = localBank({ http: 503, text: "" });
    expect((await readFault(client({ retry: quick, onResponse }).listProviders())).code).toBe("handler_failed");
    expect([seen, requests.length]).toEqual([1, 1]);
  });
});
