import { login, TimeoutError } from "ventanilla";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { asks, loggedIn, person, promised, startService, unasked } from "../bank/service.ts";

const MINUTE = 60_000;
const expired = { status: "expired", provider: "test" };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: 1_000_000 });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Somebody who is asked and never answers. */
function silence() {
  const asked = promised<AbortSignal>();
  const onInteraction = (_: unknown, { signal }: { signal: AbortSignal }) => {
    asked.keep(signal);
    return new Promise<string>(() => {});
  };
  return { asked: asked.promise, onInteraction };
}

describe("a question that nobody answers", () => {
  test.each([
    ["five minutes", {}, 5 * MINUTE],
    ["the time to answer", { answerTimeout: 90_000 }, 90_000],
    ["the deadline, where it comes first", { answerTimeout: 2 * MINUTE, deadline: 1_000_000 + MINUTE }, MINUTE],
    ["the time to answer, where the deadline comes later", { deadline: 1_000_000 + 6 * MINUTE }, 5 * MINUTE],
    // Beyond what one timer can wait, about 25 days.
    ["fifty days", { answerTimeout: 50 * 24 * 60 * MINUTE }, 50 * 24 * 60 * MINUTE],
  ])("expires after %s, to the millisecond", async (_, options, time) => {
    const service = await startService([asks("otp", "key-1"), loggedIn("key-2")]);
    const { asked, onInteraction } = silence();
    const settled = vi.fn();
    const outcome = login(service.client(), { ...person, ...options, onInteraction }).finally(settled);
    const signal = await asked;
    await vi.advanceTimersByTimeAsync(time - 1);
    expect(settled).not.toHaveBeenCalled();
    expect(signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await outcome).toEqual(expired);
    expect(signal.aborted).toBe(true);
    expect(service.requests).toHaveLength(1);
  });

  test("takes no answer that comes in the moment of its expiry, and no state is told twice", async () => {
    const service = await startService([asks("otp", "key-1"), loggedIn("key-2")]);
    const asked = promised<void>();
    const answer = promised<string>();
    const states: string[] = [];
    const outcome = login(service.client(), {
      ...person,
      onInteraction: () => {
        asked.keep();
        return answer.promise;
      },
      onTransition: (state) => {
        states.push(state);
        if (state === "failed") answer.keep("8888");
      },
    });
    await asked.promise;
    await vi.advanceTimersByTimeAsync(5 * MINUTE);
    expect(await outcome).toEqual(expired);
    expect(states).toEqual(["idle", "submitting", "awaitingInteraction", "failed"]);
    expect(service.requests).toHaveLength(1);
  });

  test("is not open at all where the deadline passes while the bank answers", async () => {
    const service = await startService([
      () => {
        vi.setSystemTime(2_000_000);
        return asks("otp", "key-1");
      },
    ]);
    const { onInteraction } = silence();
    const outcome = await login(service.client(), { ...person, deadline: 1_500_000, onInteraction });
    expect(outcome).toEqual(expired);
  });

  test("takes no answer afterwards", async () => {
    const service = await startService([asks("otp", "key-1"), loggedIn("key-2")]);
    const asked = promised();
    const answer = promised<string>();
    const outcome = login(service.client(), {
      ...person,
      onInteraction: () => {
        asked.keep();
        return answer.promise;
      },
    });
    await asked.promise;
    await vi.advanceTimersByTimeAsync(5 * MINUTE);
    expect(await outcome).toEqual(expired);
    answer.keep("8888");
    await answer.promise;
    expect(service.requests).toHaveLength(1);
  });

  test("leaves no timer behind once it is answered", async () => {
    const service = await startService([asks("otp", "key-1"), loggedIn("key-2")]);
    const set = vi.spyOn(globalThis, "setTimeout");
    const cleared = vi.spyOn(globalThis, "clearTimeout");
    await login(service.client(), { ...person, answerTimeout: 123_456, onInteraction: async () => "8888" });
    const waits = set.mock.results.filter((_, call) => set.mock.calls[call]?.[1] === 123_456);
    expect(waits).toHaveLength(1);
    expect(cleared).toHaveBeenCalledWith(waits[0]?.value);
  });
});

describe("a request that takes longer than the deadline", () => {
  test("is given up, and the login rejects", async () => {
    const service = await startService(["held"]);
    const outcome = login(service.client(), {
      ...person,
      deadline: 1_000_000 + MINUTE,
      onInteraction: unasked,
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

  test("is given up at the second login, too", async () => {
    const service = await startService([asks("otp", "key-1"), "held"]);
    const outcome = login(service.client(), {
      ...person,
      deadline: 1_000_000 + MINUTE,
      onInteraction: () => "8888",
    }).catch((fault: unknown) => fault);
    await service.arrival(2);
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(await outcome).toMatchObject({ name: "TimeoutError", code: "request_timed_out", request: "POST /login/" });
    expect(service.requests).toHaveLength(2);
  });

  test("is not sent where the deadline has passed before", async () => {
    const service = await startService([loggedIn("key-1")]);
    await expect(
      login(service.client(), { ...person, deadline: 1_000_000, onInteraction: unasked }),
    ).rejects.toMatchObject({ name: "TimeoutError", code: "request_timed_out", detail: "the deadline had passed" });
    expect(service.requests).toEqual([]);
  });

  test("is held to the client's own time-out where that is shorter", async () => {
    const service = await startService(["held"]);
    const outcome = login(service.client({ timeout: { login: 1000 } }), {
      ...person,
      deadline: 1_000_000 + MINUTE,
      onInteraction: unasked,
    }).catch((fault: unknown) => fault);
    await service.arrival(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await outcome).toMatchObject({ code: "request_timed_out", detail: "no response within 1000 ms" });
  });
});
