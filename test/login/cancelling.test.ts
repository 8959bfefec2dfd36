import { type LoginOptions, type LoginState, login } from "ventanilla";
import { describe, expect, test, vi } from "vitest";
import { asks, loggedIn, person, promised, startService } from "../bank/service.ts";

const cancelled = { status: "cancelled", provider: "test" };

describe("a login whose signal is aborted", () => {
  test("before it starts sends nothing", async () => {
    const service = await startService([loggedIn("key-1")]);
    const onTransition = vi.fn();
    const signal = AbortSignal.abort();
    const outcome = await login(service.client(), { ...person, signal, onTransition });
    expect(outcome).toEqual(cancelled);
    expect(onTransition).not.toHaveBeenCalled();
    expect(service.requests).toEqual([]);
  });

  test("as its first state is reached sends nothing", async () => {
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

  test("during a question tells whoever was asked, and takes no answer any more", async () => {
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

  test("during a question that is then answered by an error ends as cancelled all the same", async () => {
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
    ["the first request", {}],
    ["the provider's fields", { validate: true }],
  ])("while it waits for %s hangs up", async (_, options) => {
    const service = await startService(["held"]);
    const caller = new AbortController();
    const outcome = login(service.client(), { ...person, ...options, signal: caller.signal });
    const request = await service.arrival(1);
    caller.abort();
    expect(await outcome).toEqual(cancelled);
    await request.abandoned;
    expect(service.requests).toHaveLength(1);
  });

  test("after its end stays what it was", async () => {
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
