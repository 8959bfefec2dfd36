import type { LoginOutcome, LoginState } from "ventanilla";
import { describe, expect, test } from "vitest";
import { asks, cancelled, type Line, type LoginCase, loggedIn, promised } from "../../bank/service.ts";
import { formatState } from "./format-state.ts";
import { logIn } from "./started.ts";

const question = [asks("otp", "key-1"), loggedIn("key-2")];

describe("login with an aborted signal", () => {
  const abortAt = (end: LoginState["state"]) => (caller: AbortController) => ({
    onTransition: ({ state }: LoginState) => void (state === end && caller.abort()),
  });
  const abortAtOnce = (caller: AbortController) => {
    caller.abort();
    return {};
  };
  const abortInHandler = (caller: AbortController): LoginCase => ({
    onInteraction: (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        caller.abort();
      }),
  });
  const asking = ["idle", "submitCredentials", "awaitingInteraction"];

  test.each<[when: string, (caller: AbortController) => LoginCase, LoginOutcome["state"], string[], number]>([
    ["before the start", abortAtOnce, "cancelled", [], 0],
    ["from onTransition at idle", abortAt("idle"), "cancelled", ["idle"], 0],
    ["in onInteraction, which then rejects", abortInHandler, "cancelled", [...asking, "idle"], 1],
    ["after the end", abortAt("loggedIn"), "loggedIn", [...asking, "submitAnswer", "loggedIn"], 2],
  ])("%s", async (_, prepare, state, expected, sent) => {
    const caller = new AbortController();
    const { onTransition, ...options } = prepare(caller);
    const states: string[] = [];
    const { service, outcome } = await logIn(question, {
      signal: caller.signal,
      onInteraction: () => "8888",
      ...options,
      onTransition: (state) => {
        states.push(formatState(state));
        onTransition?.(state);
      },
    });
    expect(await outcome).toMatchObject({ state, provider: "test" });
    expect(states).toEqual(expected);
    expect(service.requests).toHaveLength(sent);
  });

  test("leaves the signal of a handler alone whose answer was sent", async () => {
    const signals: AbortSignal[] = [];
    const caller = new AbortController();
    const { outcome } = await logIn(question, {
      signal: caller.signal,
      onInteraction: (_, { signal }) => {
        signals.push(signal);
        return "8888";
      },
    });
    expect(await outcome).toMatchObject({ state: "loggedIn" });
    caller.abort();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  });

  test("aborts the signal of onInteraction, and ignores a later answer", async () => {
    const caller = new AbortController();
    const called = promised<AbortSignal>();
    const answer = promised<string>();
    const states: string[] = [];
    const { service, outcome } = await logIn(question, {
      signal: caller.signal,
      onTransition: (state) => states.push(formatState(state)),
      onInteraction: (_, { signal }) => {
        called.keep(signal);
        return answer.promise;
      },
    });
    const signal = await called.promise;
    expect(signal.aborted).toBe(false);
    caller.abort();
    expect(await outcome).toEqual(cancelled);
    expect(signal.aborted).toBe(true);
    answer.keep("8888");
    await answer.promise;
    expect(states).toEqual(["idle", "submitCredentials", "awaitingInteraction", "idle"]);
    expect(service.requests).toHaveLength(1);
  });

  const sent = { ...cancelled, request: "POST /login/" };

  test.each<[what: string, script: Line[], options: LoginCase, outcome: object]>([
    ["the login", ["held"], {}, sent],
    ["the answer", [asks("otp", "key-1"), "held"], { onInteraction: () => "8888" }, sent],
    // Nothing was on its way to the bank.
    ["the read of the provider's fields", ["held"], { settings: { validate: true } }, cancelled],
  ])("aborts the request during %s, and says whether the bank may have it", async (_, script, options, expected) => {
    const caller = new AbortController();
    const { service, outcome } = await logIn(script, { ...options, signal: caller.signal });
    const request = await service.arrival(script.length);
    caller.abort();
    expect(await outcome).toEqual(expected);
    await request.abandoned;
    expect(service.requests).toHaveLength(script.length);
  });
});
