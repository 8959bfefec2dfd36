import { login, TimeoutError } from "ventanilla";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { asks, loggedIn, person, promised, selectClient, startService } from "../bank/service.ts";

const MINUTE = 60_000;
const expired = { status: "expired", provider: "test" };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: 1_000_000 });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Handlers that never answer, and a promise of the signal of the one that is called. */
function endlessHandlers() {
  const called = promised<AbortSignal>();
  const handler = (_: unknown, { signal }: { signal: AbortSignal }) => {
    called.keep(signal);
    return new Promise<string>(() => {});
  };
  return { called: called.promise, onInteraction: handler, onSelectClient: handler };
}

describe("an interaction without an answer", () => {
  const question = [asks("otp", "key-1"), loggedIn("key-2")];
  const choice = [selectClient("key-1"), { json: { status: "success", clients: { 0: "First Client" } } }];

  test.each([
    ["five minutes", {}, 5 * MINUTE, question],
    // Beyond what one timer can wait, about 25 days.
    ["fifty days", { answerTimeout: 50 * 24 * 60 * MINUTE }, 50 * 24 * 60 * MINUTE, question],
    ["a second, as a choice of client does,", { answerTimeout: 1000 }, 1000, choice],
  ])("expires after %s, to the millisecond", async (_, options, time, script) => {
    const service = await startService(script);
    const { called, ...handlers } = endlessHandlers();
    const settled = vi.fn();
    const outcome = login(service.client(), { ...person, ...options, ...handlers }).finally(settled);
    const signal = await called;
    await vi.advanceTimersByTimeAsync(time - 1);
    expect(settled).not.toHaveBeenCalled();
    expect(signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await outcome).toEqual(expired);
    expect(signal.aborted).toBe(true);
    expect(service.requests).toHaveLength(script === choice ? 2 : 1);
  });

  test("expires within a second after the machine has slept, which stops timers but not the clock", async () => {
    const service = await startService([asks("otp", "key-1"), loggedIn("key-2")]);
    const { called, onInteraction } = endlessHandlers();
    const settled = vi.fn();
    const outcome = login(service.client(), { ...person, onInteraction }).finally(settled);
    await called;
    vi.setSystemTime(Date.now() + 4 * MINUTE);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(settled).not.toHaveBeenCalled();
    vi.setSystemTime(Date.now() + MINUTE);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await outcome).toEqual(expired);
    expect(service.requests).toHaveLength(1);
  });

  test("ignores an answer that comes while it expires, and onTransition gets each state once", async () => {
    const service = await startService([asks("otp", "key-1"), loggedIn("key-2")]);
    const called = promised<void>();
    const answer = promised<string>();
    const states: string[] = [];
    const outcome = login(service.client(), {
      ...person,
      onInteraction: () => {
        called.keep();
        return answer.promise;
      },
      onTransition: (state) => {
        states.push(state);
        if (state === "failed") answer.keep("8888");
      },
    });
    await called.promise;
    await vi.advanceTimersByTimeAsync(5 * MINUTE);
    expect(await outcome).toEqual(expired);
    expect(states).toEqual(["idle", "submitting", "awaitingInteraction", "failed"]);
    expect(service.requests).toHaveLength(1);
  });

  test("has expired at once if the deadline passes before the bank's response", async () => {
    const service = await startService([
      () => {
        vi.setSystemTime(2_000_000);
        return asks("otp", "key-1");
      },
    ]);
    const { onInteraction } = endlessHandlers();
    const outcome = await login(service.client(), { ...person, deadline: 1_500_000, onInteraction });
    expect(outcome).toEqual(expired);
  });
});

describe("a login with a deadline", () => {
  test("aborts a request that takes longer, and rejects", async () => {
    const service = await startService(["held"]);
    const outcome = login(service.client(), {
      ...person,
      deadline: 1_000_000 + MINUTE,
    }).catch((fault: unknown) => fault);
    const request = await service.arrival(1);
    await vi.advanceTimersByTimeAsync(MINUTE);
    const error = await outcome;
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({
      code: "request_timed_out",
      request: "POST /login/",
      detail: "no response within 60000 ms",
    });
    await request.abandoned;
    expect(service.requests).toHaveLength(1);
  });
});
