import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { asks, failed, loggedIn, promised, selectClient } from "../../bank/service.ts";
import { logIn } from "./started.ts";

const MINUTE = 60_000;
const NOW = Date.parse("2026-11-26");
const question = [asks("otp", "key-1"), loggedIn("key-2")];
const expired = failed("expired");

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: NOW });
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
  const choice = [selectClient("key-1"), { json: { status: "success", clients: { 0: "First Client" } } }];

  test.each([
    ["five minutes", {}, 5 * MINUTE, question],
    // Beyond what one timer can wait, about 25 days.
    ["fifty days", { answerTimeout: 50 * 24 * 60 * MINUTE }, 50 * 24 * 60 * MINUTE, question],
    ["a second, as a choice of client does,", { answerTimeout: 1000 }, 1000, choice],
  ])("expires after %s, to the millisecond", async (_, settings, time, script) => {
    const { called, ...handlers } = endlessHandlers();
    const settled = vi.fn();
    const { service, outcome } = await logIn(script, { settings, ...handlers });
    void outcome.finally(settled);
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
    const { called, onInteraction } = endlessHandlers();
    const settled = vi.fn();
    const { service, outcome } = await logIn(question, { onInteraction });
    void outcome.finally(settled);
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
    const called = promised<void>();
    const answer = promised<string>();
    const states: string[] = [];
    const { service, outcome } = await logIn(question, {
      onInteraction: () => {
        called.keep();
        return answer.promise;
      },
      onTransition: ({ state }) => {
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
    const late = () => {
      vi.setSystemTime(NOW + 2 * MINUTE);
      return asks("otp", "key-1");
    };
    const { onInteraction } = endlessHandlers();
    expect(await (await logIn([late], { settings: { deadline: NOW + MINUTE }, onInteraction })).outcome).toEqual(
      expired,
    );
  });
});

test("a deadline aborts a request that takes longer, and the login rejects", async () => {
  const { service, outcome } = await logIn(["held"], { settings: { deadline: new Date(NOW + MINUTE) } });
  const error = outcome.catch((fault: unknown) => fault);
  const request = await service.arrival(1);
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(await error).toMatchObject({
    code: "request_timed_out",
    request: "POST /login/",
    detail: "no response within 60000 ms",
  });
  await request.abandoned;
  expect(service.requests).toHaveLength(1);
});
