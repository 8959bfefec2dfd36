import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { RetryOptions } from "../../../src/core/api/client-options.ts";
import { endlessFetch, freezeTime, noProviders, respondInTurn, unavailable } from "./clock.ts";
import { readFault } from "./faults.ts";
import { clientThatReads, createClient } from "./local-bank.ts";

beforeEach(() => freezeTime());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const ALMOST_ONE = 1 - Number.EPSILON;

/** When the tries of a read were made, in milliseconds from the first. */
async function timesOfTries(
  retry: RetryOptions,
  headers: Record<string, string> = {},
  deadline?: number,
): Promise<readonly number[]> {
  const { fetch, times } = respondInTurn(() => unavailable(headers));
  const call = createClient("https://bank.example", { fetch, retry }).listProviders({ deadline });
  const ended = call.then(
    ({ status }) => status,
    ({ code }) => code,
  );
  await vi.runAllTimersAsync();
  expect(["provider_unavailable", "request_timed_out"]).toContain(await ended);
  return times;
}

describe("the wait before a retry", () => {
  test("is at least half of 300 ms, then of 600 ms", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    expect(await timesOfTries({})).toEqual([0, 150, 150 + 300]);
  });

  test("is at most 300 ms, then 600 ms", async () => {
    vi.spyOn(Math, "random").mockReturnValue(ALMOST_ONE);
    const [, second, third] = await timesOfTries({});
    expect(second).toBeGreaterThanOrEqual(299);
    expect(second).toBeLessThanOrEqual(300);
    expect(third).toBeGreaterThanOrEqual(898);
    expect(third).toBeLessThanOrEqual(900);
  });

  test("begins at the option delay and doubles each time", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    expect(await timesOfTries({ limit: 4, delay: 1000 })).toEqual([0, 500, 1500, 3500, 7500]);
  });

  test("never gets shorter, even after 27 retries", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    const times = await timesOfTries({ limit: 27 });
    const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(waits).toHaveLength(27);
    expect(waits).toEqual(waits.toSorted((left, right) => left - right));
  });
});

describe("Retry-After", () => {
  type Row = [header: string, RetryOptions, times: readonly number[]];
  test.each<Row>([
    ["0", {}, [0, 0]],
    ["1", {}, [0, 1000]],
    ["30", {}, [0, 30_000]],
    ["Sun, 01 Mar 2026 12:00:07 GMT", {}, [0, 7000]],
    ["Sun, 01 Mar 2026 12:00:30 GMT", {}, [0, 30_000]],
    ["Sun, 01 Mar 2026 11:59:00 GMT", {}, [0, 0]],
    ["Sun Mar  1 12:00:07 2026 GMT", {}, [0, 7000]],
    // More than 30 s is no retry.
    ["31", {}, [0]],
    ["Sun, 01 Mar 2026 12:00:31 GMT", {}, [0]],
    ["86400", {}, [0]],
    ["2", { maxRetryAfter: 2000 }, [0, 2000]],
    ["2", { maxRetryAfter: 1999 }, [0]],
    // More than a day is a mistake, and counts as none.
    ...["86401", "99999999999999999999", "Mon, 02 Mar 2026 12:00:01 GMT"].map((header): Row => [header, {}, [0, 150]]),
    // These are no time.
    ...["soon", "", "1e1", "-5", "1.5", "+3", "10, 20"].map((header): Row => [header, {}, [0, 150]]),
  ])("of %j with %j makes tries at %j", async (header, retry, times) => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    expect(await timesOfTries({ limit: 1, ...retry }, { "retry-after": header })).toEqual(times);
  });

  test.each([429, 503])("is obeyed with an empty response of HTTP %d", async (status) => {
    const empty = () => new Response("", { status, headers: { "retry-after": "2" } });
    const { fetch, times } = respondInTurn(empty, noProviders);
    const call = createClient("https://bank.example", { fetch, retry: {} }).listProviders();
    await vi.runAllTimersAsync();
    expect((await call).status).toBe("success");
    expect(times).toEqual([0, 2000]);
  });

  test.each([
    ["120", { retryAfter: 120_000 }],
    ["0", { retryAfter: 0 }],
    ["Sun, 01 Mar 2026 12:01:00 GMT", { retryAfter: 60_000 }],
    ["Sun, 01 Mar 2026 11:00:00 GMT", { retryAfter: 0 }],
    ["soon", {}],
    ["10, 20", {}],
    ["1.5", {}],
    [undefined, {}],
  ])("of %s is in the fault, in milliseconds: %j", async (header, retryAfter) => {
    for (const [http, code] of [
      [429, "rate_limited"],
      [503, "service_unavailable"],
      [200, "response_unreadable"],
    ] as const) {
      const client = clientThatReads({ http, text: "", headers: header ? { "retry-after": header } : {} });
      const { request: _, ...fault } = { ...(await readFault(client.listProviders())) };
      expect(fault).toEqual({ code, httpStatus: http, ...retryAfter });
    }
  });
});

describe("the deadline of a read", () => {
  test("ends the call at once with the last response if it comes before the next try", async () => {
    const headers = { "retry-after": "2" };
    expect(await timesOfTries({}, headers, Date.now() + 2000)).toEqual([0]);
    expect(await timesOfTries({ limit: 1 }, headers, Date.now() + 2001)).toEqual([0, 2000]);
  });

  test("covers all tries and waits together", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    expect(await timesOfTries({ limit: 9, delay: 1000 }, {}, Date.now() + 1501)).toEqual([0, 500, 1500]);
    expect(await timesOfTries({ limit: 9, delay: 1000 }, {}, Date.now() + 1500)).toEqual([0, 500]);
  });

  test("shortens the time-out of a try", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    const start = Date.now();
    let tries = 0;
    const client = createClient("https://bank.example", {
      fetch: async (...request) => (++tries === 1 ? unavailable() : endlessFetch(...request)),
      retry: {},
    });
    const fault = readFault(client.listProviders({ deadline: start + 1000 })).then(({ detail }) => ({
      detail,
      after: Date.now() - start,
    }));
    await vi.runAllTimersAsync();
    expect(await fault).toEqual({ detail: "no response within 1000 ms", after: 1000 });
  });
});
