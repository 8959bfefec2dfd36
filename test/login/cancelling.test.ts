import { type LoginOptions, type LoginState, login } from "ventanilla";
import { describe, expect, test, vi } from "vitest";
import { asks, type Line, loggedIn, person, promised, selectClient, startService, unasked } from "../bank/service.ts";

const cancelled = { status: "cancelled", provider: "test" };

describe("a login whose signal is aborted", () => {
  test("before it starts sends nothing", async () => {
    const service = await startService([loggedIn("key-1")]);
    const onTransition = vi.fn();
    const signal = AbortSignal.abort();
    const outcome = await login(service.client(), { ...person, signal, onTransition, onInteraction: unasked });
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
      onInteraction: unasked,
      onTransition: (state) => state === "idle" && caller.abort(),
    });
    expect(outcome).toEqual(cancelled);
    expect(service.requests).toEqual([]);
  });

  test("during the first request hangs up", async () => {
    const service = await startService(["held"]);
    const caller = new AbortController();
    const outcome = login(service.client(), { ...person, signal: caller.signal, onInteraction: unasked });
    const request = await service.arrival(1);
    caller.abort();
    expect(await outcome).toEqual(cancelled);
    await request.abandoned;
    expect(service.requests).toHaveLength(1);
  });

  test("during the second request hangs up", async () => {
    const service = await startService([asks("otp", "key-1"), "held"]);
    const caller = new AbortController();
    const outcome = login(service.client(), { ...person, signal: caller.signal, onInteraction: () => "8888" });
    const request = await service.arrival(2);
    caller.abort();
    expect(await outcome).toEqual(cancelled);
    await request.abandoned;
    expect(service.requests).toHaveLength(2);
  });

  test("during a question tells whoever was asked, and takes no answer any more", async () => {
    const service = await startService([asks("otp", "key-1"), loggedIn("key-2")]);
    const caller = new AbortController();
    const asked = promised<AbortSignal>();
    const answer = promised<string>();
    const states: LoginState[] = [];
    const outcome = login(service.client(), {
      ...person,
      signal: caller.signal,
      onTransition: (state) => states.push(state),
      onInteraction: (_, { signal }) => {
        asked.keep(signal);
        return answer.promise;
      },
    });
    const signal = await asked.promise;
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

  test("during a choice of clients tells whoever was asked", async () => {
    const service = await startService([
      selectClient("key-1"),
      { json: { status: "success", clients: { 0: "First Client" } } },
    ]);
    const caller = new AbortController();
    const asked = promised<AbortSignal>();
    const outcome = login(service.client(), {
      ...person,
      signal: caller.signal,
      onInteraction: unasked,
      onSelectClient: (_, { signal }) => {
        asked.keep(signal);
        return new Promise<string>(() => {});
      },
    });
    const signal = await asked.promise;
    caller.abort();
    expect(await outcome).toEqual(cancelled);
    expect(signal.aborted).toBe(true);
    expect(service.requests).toHaveLength(2);
  });

  const waits: [what: string, options: Partial<LoginOptions>, script: readonly Line[]][] = [
    ["the list of clients", { onSelectClient: () => "0" }, [selectClient("key-1"), "held"]],
    [
      "the choice of a client",
      { onSelectClient: () => "0" },
      [selectClient("key-1"), { json: { status: "success", clients: { 0: "First Client" } } }, "held"],
    ],
    [
      "the logout of another session",
      { sessionReplacement: true },
      [{ json: { status: "max_sessions_reached", key: "other" } }, "held"],
    ],
    ["the provider's fields", { validate: true }, ["held"]],
  ];

  test.each(waits)("while it waits for %s hangs up", async (_, options, script) => {
    const service = await startService(script);
    const caller = new AbortController();
    const outcome = login(service.client(), { ...person, ...options, signal: caller.signal, onInteraction: unasked });
    const request = await service.arrival(script.length);
    caller.abort();
    expect(await outcome).toEqual(cancelled);
    await request.abandoned;
    expect(service.requests).toHaveLength(script.length);
  });

  test("after its end stays what it was", async () => {
    const service = await startService([loggedIn("key-1")]);
    const caller = new AbortController();
    const outcome = await login(service.client(), {
      ...person,
      signal: caller.signal,
      onInteraction: unasked,
      onTransition: (state) => state === "loggedIn" && caller.abort(),
    });
    expect(outcome.status).toBe("logged_in");
  });
});
