import { type ClaimStore, createMemoryClaimStore, HandlerError, InputError, pause, readState } from "ventanilla";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { API_KEY, asks, loggedIn, openQuestion } from "../bank/service.ts";
import { answer } from "../login/started.ts";
import { wrongStores } from "../tokens/wrong-stores.ts";
import { codeFor, KEY, readFailure, takeUp, waiting } from "./paused.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function paused(options: { sealTtl?: number } = {}) {
  const { service, actor } = await waiting([asks("otp", "key-1"), loggedIn("key-2"), loggedIn("key-3")]);
  return { service, token: await pause(actor, { key: KEY, ...options }) };
}

/** What a database does: every response takes a turn. */
function table(): ClaimStore {
  const memory = createMemoryClaimStore();
  return { claim: async (id, expiresAt) => memory.claim(id, expiresAt) };
}

describe.each([
  ["a store in memory", () => ({ claimStore: createMemoryClaimStore() })],
  ["a store that responds later", () => ({ claimStore: table() })],
])("with %s, a token", (_, newOptions) => {
  test("is good for one use, and the login of that use goes on", async () => {
    const { service, token } = await paused();
    const options = newOptions();
    const { actor, reaches } = await takeUp(service, token, options);
    expect(await codeFor(service.client(), token, options)).toBe("token_used");
    actor.send(answer);
    await reaches("loggedIn");
    expect(service.lines()).toEqual(["POST /login/", "POST /login/?key=key-1"]);
  });

  test("that is used three times at once is good for one of them", async () => {
    const { service, token } = await paused();
    const options = newOptions();
    const uses = await Promise.all(
      [1, 2, 3].map(() =>
        takeUp(service, token, options).then(
          () => "taken up",
          (error: unknown) => (error as { code?: unknown }).code,
        ),
      ),
    );
    expect(uses.sort()).toEqual(["taken up", "token_used", "token_used"]);
  });

  test("of the next pause is another one", async () => {
    const { service, token } = await paused();
    const options = newOptions();
    const second = await takeUp(service, token, options);
    const third = await takeUp(service, await pause(second.actor, { key: KEY }), options);
    expect(readState(third.actor.getSnapshot())).toBe("awaitingInteraction");
  });
});

describe("a claim store", () => {
  test("is told once of each use, with a minute more than the token's time", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: 1_700_000_000_000 });
    const { service, token } = await paused({ sealTtl: 90_000 });
    const claimStore = { claim: vi.fn(() => true) };
    await takeUp(service, token, { claimStore });
    expect(claimStore.claim).toHaveBeenCalledExactlyOnceWith(
      expect.stringMatching(/^[\w-]{16}$/),
      new Date(1_700_000_150_000),
    );
  });

  test("hears nothing of a token that can't be used anyway", async () => {
    const { service, token } = await paused();
    const claimStore = { claim: vi.fn(() => true) };
    const altered = `${token.slice(0, -22)}${"A".repeat(22)}`;
    expect(await codeFor(service.client(), altered, { claimStore })).toBe("token_altered");
    expect(claimStore.claim).not.toHaveBeenCalled();
  });

  test.each(wrongStores)("that %s lets nobody in", async (_, claimStore, detail) => {
    const { service, token } = await paused();
    const error = await readFailure(takeUp(service, token, { claimStore }));
    expect(error).toBeInstanceOf(HandlerError);
    expect(error).toMatchObject({ code: "handler_failed", message: `handler_failed: claimStore: ${detail}` });
    expect(service.requests).toHaveLength(1);
  });

  test("that never responds lets nobody in, and is waited for no longer than 10 seconds", async () => {
    const { service, token } = await paused();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let failure: Promise<unknown> | undefined;
    await new Promise<void>((claimed) => {
      const claim = () => new Promise<boolean>(() => claimed());
      failure = readFailure(takeUp(service, token, { claimStore: { claim } }));
    });
    vi.advanceTimersByTime(10_000);
    expect(await failure).toMatchObject({
      code: "handler_failed",
      message: "handler_failed: claimStore: no response within 10000 ms",
    });
    expect(vi.getTimerCount()).toBe(0);
    expect(service.requests).toHaveLength(1);
  });

  test.each([new Set(), {}, "a table", { has: () => false, add: () => true }])(
    "that is none is refused: %o",
    async (store) => {
      const { service, token } = await paused();
      const error = await readFailure(takeUp(service, token, { claimStore: store as unknown as ClaimStore }));
      expect(error).toBeInstanceOf(InputError);
      expect(error).toMatchObject({ code: "invalid_input", field: "claimStore" });
      expect(service.requests).toHaveLength(1);
    },
  );
});

test("with no store, a token is good for one use in this process, which says so once", async () => {
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  const { service, token } = await paused();
  // Another test of this process may have been warned already.
  vi.resetModules();
  const { createBankClient, resume } = await import("ventanilla");
  const client = createBankClient({ baseUrl: service.url, apiKey: API_KEY });
  const outcome = await resume(client, token, { key: KEY });
  onTestFinished(() => void openQuestion(outcome).cancel());
  await expect(resume(client, token, { key: KEY })).rejects.toMatchObject({ code: "token_used" });
  expect(service.lines()).toEqual(["POST /login/"]);
  expect(warn.mock.calls).toEqual([[expect.stringContaining("claimStore")]]);
});
