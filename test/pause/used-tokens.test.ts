import { HandlerError, pause, stateOf, type UsedTokens } from "ventanilla";
import { afterEach, describe, expect, test, vi } from "vitest";
import { asks, loggedIn } from "../login/service.ts";
import { answer } from "../login/started.ts";
import { codeFor, failureOf, KEY, takeUp, waiting } from "./paused.ts";

afterEach(() => void vi.useRealTimers());

async function paused(options: { expiresIn?: number } = {}) {
  const { service, actor } = await waiting([asks("otp", "key-1"), loggedIn("key-2"), loggedIn("key-3")]);
  return { service, token: await pause(actor, { key: KEY, ...options }) };
}

const setInMemory = () => new Set<string>();

/** What a database does: every answer takes a turn. */
function table(): UsedTokens {
  const ids = new Set<string>();
  return {
    has: async (id) => ids.has(id),
    add: async (id) => {
      if (ids.has(id)) return false;
      ids.add(id);
      return true;
    },
  };
}

describe.each([
  ["a set in memory", setInMemory],
  ["a table that answers later", table],
])("with %s, a token", (_, newStore) => {
  test("is good for one use, and the login of that use goes on", async () => {
    const { service, token } = await paused();
    const usedTokens = newStore();
    const { actor, reaches } = await takeUp(service, token, { usedTokens });
    expect(await codeFor(service.client(), token, { usedTokens })).toBe("token_used");
    expect(service.requests).toHaveLength(1);
    actor.send(answer);
    await reaches("loggedIn");
  });

  test("that is used twice at once is good for one of them", async () => {
    const { service, token } = await paused();
    const usedTokens = newStore();
    const uses = await Promise.all(
      [1, 2, 3].map(() =>
        takeUp(service, token, { usedTokens }).then(
          () => "taken up",
          (error: unknown) => (error as { code?: unknown }).code,
        ),
      ),
    );
    expect(uses.sort()).toEqual(["taken up", "token_used", "token_used"]);
  });

  test("of the next pause is another one", async () => {
    const { service, token } = await paused();
    const usedTokens = newStore();
    const second = await takeUp(service, token, { usedTokens });
    const third = await takeUp(service, await pause(second.actor, { key: KEY }), { usedTokens });
    expect(stateOf(third.actor.getSnapshot())).toBe("awaitingInteraction");
  });
});

describe("a store of used tokens", () => {
  test("is told once of each use, with the time until which it has to remember", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: 1_700_000_000_000 });
    const { service, token } = await paused({ expiresIn: 90_000 });
    const store = { has: vi.fn(() => false), add: vi.fn() };
    await takeUp(service, token, { usedTokens: store });
    expect(store.has).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/^[\w-]{16}$/));
    expect(store.add).toHaveBeenCalledExactlyOnceWith(store.has.mock.calls.flat()[0], new Date(1_700_000_090_000));
  });

  test("in memory is asked and told in one go, so that nobody gets in between", async () => {
    const { service, token } = await paused();
    const calls: string[] = [];
    await takeUp(service, token, {
      usedTokens: {
        has: () => {
          queueMicrotask(() => calls.push("somebody else's turn"));
          calls.push("has");
          return false;
        },
        add: () => calls.push("add"),
      },
    });
    expect(calls).toEqual(["has", "add", "somebody else's turn"]);
  });

  test.each([
    ["nothing", undefined],
    ["true", true],
    ["a promise of nothing", Promise.resolve()],
  ])("takes note of a use by %s", async (_, added) => {
    const { service, token } = await paused();
    const { actor } = await takeUp(service, token, { usedTokens: { has: () => false, add: () => added } });
    expect(stateOf(actor.getSnapshot())).toBe("awaitingInteraction");
  });

  test.each([
    ["false", false],
    ["a promise of false", Promise.resolve(false)],
    ["no row, which a database counts,", 0],
    ["a promise of no row", Promise.resolve(0)],
  ])("says by %s that somebody else was faster", async (_, added) => {
    const { service, token } = await paused();
    const usedTokens = { has: () => false, add: () => added };
    expect(await codeFor(service.client(), token, { usedTokens })).toBe("token_used");
    expect(service.requests).toHaveLength(1);
  });

  test("hears nothing of a token that can't be used anyway", async () => {
    const { service, token } = await paused();
    const store = { has: vi.fn(() => false), add: vi.fn() };
    const altered = `${token.slice(0, -22)}${"A".repeat(22)}`;
    expect(await codeFor(service.client(), altered, { usedTokens: store })).toBe("token_altered");
    expect(store.has).not.toHaveBeenCalled();
    expect(store.add).not.toHaveBeenCalled();
  });

  const broken = () => {
    throw new TypeError("a canary");
  };
  test.each([
    ["has", { has: broken, add: () => {} }],
    ["add", { has: () => false, add: broken }],
    ["has, later", { has: async () => broken(), add: () => {} }],
    ["add, later", { has: () => false, add: async () => broken() }],
  ])("that breaks lets nobody in (%s)", async (_, usedTokens) => {
    const { service, token } = await paused();
    const error = await failureOf(takeUp(service, token, { usedTokens }));
    expect(error).toBeInstanceOf(HandlerError);
    expect(error).toMatchObject({
      code: "handler_failed",
      message: "handler_failed: usedTokens: threw TypeError",
    });
    expect(service.requests).toHaveLength(1);
  });
});

test("without a store a token can be used again until it expires", async () => {
  const { service, token } = await paused();
  const [first, second] = [await takeUp(service, token), await takeUp(service, token)];
  first.actor.send(answer);
  await first.reaches("loggedIn");
  second.actor.send(answer);
  await second.reaches("loggedIn");
  expect(service.lines()).toEqual(["POST /login/", "POST /login/?key=key-1", "POST /login/?key=key-1"]);
});
