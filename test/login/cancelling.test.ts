import { type LoginOptions, type LoginState, login } from "ventanilla";
import { describe, expect, test, vi } from "vitest";
import { asks, loggedIn, person, promised, startService } from "../bank/service.ts";

const cancelled = { status: "cancelled", provider: "test" };

describe("login with an aborted signal", () => {
  test("sends nothing if the abort comes before the start", async () => {
    const service = await startService([loggedIn("key-1")]);
    const onTransition = vi.fn();
    const signal = AbortSignal.abort();
    const outcome = await login(service.client(), { ...person, signal, onTransition });
    expect(outcome).toEqual(cancelled);
    expect(onTransition).not.toHaveBeenCalled();
    expect(service.requests).toEqual([]);
  });

  test("sends nothing if the abort comes from onTransition at idle", async () => {
    const service = await startService([loggedIn("key-1")]);
    const caller = new AbortController();
    const outcome = await login(service.client(), {
      ...person,
      signal: caller.signal,
      onTransition: (state) => state === "idle" && caller.abort(),
    });
    expect(outcome).toEqual(cancelled);
    expect(service.requests).toEqual([]);
  });

  test("aborts the signal of onInteraction, and ignores a later answer", async () => {
    const service = await startService([asks("otp", "key-1"), loggedIn("key-2")]);
    const caller = new AbortController();
    const called = promised<AbortSignal>();
    const answer = promised<string>();
    const states: LoginState[] = [];
    const outcome = login(service.client(), {
      ...person,
      signal: caller.signal,
      onTransition: (state) => states.push(state),
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
    expect(states).toEqual(["idle", "submitting", "awaitingInteraction", "idle"]);
    expect(service.requests).toHaveLength(1);
  });

  test("is cancelled even if onInteraction then rejects", async () => {
    const service = await startService([asks("otp", "key-1")]);
    const caller = new AbortController();
    const outcome = await login(service.client(), {
      ...person,
      signal: caller.signal,
      onInteraction: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
          caller.abort();
        }),
    });
    expect(outcome).toEqual(cancelled);
  });

  test.each<[what: string, options: Partial<LoginOptions>]>([
    ["the login", {}],
    ["the read of the provider's fields", { validate: true }],
  ])("aborts the request during %s", async (_, options) => {
    const service = await startService(["held"]);
    const caller = new AbortController();
    const outcome = login(service.client(), { ...person, ...options, signal: caller.signal });
    const request = await service.arrival(1);
    caller.abort();
    expect(await outcome).toEqual(cancelled);
    await request.abandoned;
    expect(service.requests).toHaveLength(1);
  });

  test("keeps its outcome if the abort comes after the end", async () => {
    const service = await startService([loggedIn("key-1")]);
    const caller = new AbortController();
    const outcome = await login(service.client(), {
      ...person,
      signal: caller.signal,
      onTransition: (state) => state === "loggedIn" && caller.abort(),
    });
    expect(outcome.status).toBe("logged_in");
  });
});
