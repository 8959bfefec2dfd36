import { decodeProtectedHeader, EncryptJWT } from "jose";
import { createBankClient, type LoginSettings, pause, resume } from "ventanilla";
import { createMemoryStore, type Store } from "ventanilla/tokens";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { asks, loggedIn, openQuestion } from "../../bank/service.ts";
import { readPosition } from "../../machines/position.ts";
import { answer } from "../login/started.ts";
import { codeFor, KEY, OTHER_KEY, readFailure, takeUp, waiting } from "./paused.ts";

const SECOND = 1000;

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function paused(
  options: { sealTtl?: number; key?: string } = {},
  settings: LoginSettings = { answerTimeout: Number.POSITIVE_INFINITY },
) {
  const script = [asks("otp", "key-1"), loggedIn("key-2"), loggedIn("key-3")];
  const { service, actor } = await waiting(script, settings);
  return { service, client: service.client(), token: await pause(service.client(), actor, { key: KEY, ...options }) };
}

const freeze = () => vi.useFakeTimers({ toFake: ["Date"], now: 1_700_000_000_000 });

describe("resume accepts a token once:", () => {
  /** A store that responds asynchronously, as a database does. */
  function table(): Store {
    const memory = createMemoryStore({ rows: new Map() });
    return { ...memory, swap: async (...change) => memory.swap(...change) };
  }

  test.each([
    ["a store in memory", () => createMemoryStore({ rows: new Map() })],
    ["a store that responds later", table],
  ])("one of three concurrent calls, with %s, and its login can be continued", async (_, createStore) => {
    const { service, client, token } = await paused();
    const claimStore = createStore();
    const uses = await Promise.allSettled([1, 2, 3].map(() => takeUp(service, token, { claimStore })));
    const codes = uses.map((use) => (use.status === "fulfilled" ? "taken up" : use.reason.code));
    expect(codes.sort()).toEqual(["taken up", "token_used", "token_used"]);
    expect(await codeFor(client, token, { claimStore })).toBe("token_used");
    for (const use of uses) {
      if (use.status === "rejected") continue;
      use.value.actor.send(answer);
      await use.value.reaches("loggedIn");
    }
    expect(service.lines()).toEqual(["POST /login/", "POST /login/?key=key-1"]);
  });

  test("the token of the next pause is a new one", async () => {
    const { service, token } = await paused();
    const claimStore = createMemoryStore({ rows: new Map() });
    const second = await takeUp(service, token, { claimStore });
    const third = await takeUp(service, await pause(service.client(), second.actor, { key: KEY }), { claimStore });
    expect(readPosition(third.actor.getSnapshot())).toBe("awaitingInteraction");
  });

  test("in this process, without the option claimStore", async () => {
    vi.spyOn(console, "warn").mockReturnValue();
    const { service, client, token } = await paused();
    const outcome = await resume(client, token, { key: KEY });
    onTestFinished(() => void openQuestion(outcome).cancel());
    await expect(resume(client, token, { key: KEY })).rejects.toMatchObject({ code: "token_used" });
    expect(service.lines()).toEqual(["POST /login/"]);
  });

  test("it claims the id of the token until a minute after its expiry, and does not claim an invalid token", async () => {
    freeze();
    const { service, client, token } = await paused({ sealTtl: 90 * SECOND });
    const claimStore = { ...createMemoryStore(), swap: vi.fn<Store["swap"]>(() => true) };
    expect(await codeFor(client, `${token.slice(0, -22)}${"A".repeat(22)}`, { claimStore })).toBe("altered");
    expect(claimStore.swap).not.toHaveBeenCalled();
    await takeUp(service, token, { claimStore });
    const [[id, expected, , lifetime] = []] = claimStore.swap.mock.calls;
    expect([id, expected, lifetime]).toEqual([expect.stringMatching(/^[\w-]{16}$/), undefined, 150 * SECOND]);
  });

  const rejecting = { ...createMemoryStore(), swap: () => Promise.reject(new TypeError("a canary")) };
  test.each([
    ["rejects", rejecting, { code: "handler_failed", detail: "threw TypeError" }],
    ["has no functions", {}, { code: "invalid_input" }],
    ["is null", null, { code: "invalid_input" }],
  ])("it refuses every token if the store %s", async (_, claimStore, expected) => {
    const { service, token } = await paused();
    const error = await readFailure(takeUp(service, token, { claimStore: claimStore as Store }));
    expect(error).toMatchObject({ field: "claimStore", ...expected });
    expect(service.requests).toHaveLength(1);
  });
});

describe("a token of pause", () => {
  test.each([
    ["sealTtl, even if answerTimeout is longer", { sealTtl: 90 * SECOND }, 90],
    ["sealTtl, rounded up to a second", { sealTtl: 1 }, 1],
    ["24 days, if there is no time to answer", {}, 2_147_484],
  ])("expires after %s", async (_, options, seconds) => {
    freeze();
    const began = Date.now();
    const { service, client, token } = await paused(options);
    vi.setSystemTime(began + seconds * SECOND - 1);
    const { actor } = await takeUp(service, token);
    expect(readPosition(actor.getSnapshot())).toBe("awaitingInteraction");
    vi.setSystemTime(began + seconds * SECOND);
    expect(await codeFor(client, token)).toBe("expired");
    expect(service.requests).toHaveLength(1);
  });

  test.each<[string, LoginSettings, seconds: number]>([
    ["five minutes by default", {}, 300],
    ["answerTimeout", { answerTimeout: 42 * SECOND }, 42],
    ["the time until the deadline", { answerTimeout: 90 * SECOND, deadline: 1_700_000_060_000 }, 60],
  ])("expires with the interaction that it holds: after %s", async (_, settings, seconds) => {
    freeze();
    const began = Date.now();
    const { service, client, token } = await paused({}, settings);
    vi.setSystemTime(began + seconds * SECOND - 1);
    await takeUp(service, token);
    vi.setSystemTime(began + seconds * SECOND);
    expect(await codeFor(client, token)).toBe("expired");
    expect(service.requests).toHaveLength(1);
  });

  test("can't be used with another key, or with an invalid one", async () => {
    const { service, client, token } = await paused({ key: OTHER_KEY });
    expect(await codeFor(client, token)).toBe("of another key");
    expect(await codeFor(client, token, { key: "short" })).toMatchObject({ code: "invalid_input", field: "key" });
    expect(service.requests).toHaveLength(1);
  });

  test("can be used with its baseUrl alone, in any spelling", async () => {
    const { service, token } = await paused();
    const { port } = new URL(service.url);
    const at = (baseUrl: string) => createBankClient({ baseUrl, apiKey: "an-api-key", fetch: vi.fn() });
    for (const address of [
      `https://127.0.0.1:${port}`,
      `http://localhost:${port}`,
      `http://127.0.0.1:${Number(port) - 1}`,
      `${service.url}/sandbox`,
    ]) {
      expect(await codeFor(at(address), token)).toBe("of another address");
    }
    const options = { key: KEY, claimStore: createMemoryStore({ rows: new Map() }) };
    await openQuestion(await resume(at(`${service.url.replace("http", "HTTP")}/`), token, options)).cancel();
  });

  test("is reported as of another version if its content is invalid", async () => {
    const { service, client, token } = await paused();
    const header = { alg: "dir", enc: "A256GCM", typ: "ventanilla-login-2" };
    const forge = (claims: Record<string, unknown>) =>
      new EncryptJWT({ l: "a login", p: "test", k: "key-1", s: {}, aud: service.url, ...claims })
        .setProtectedHeader({ ...header, kid: String(decodeProtectedHeader(token)["kid"]) })
        .setJti("an-id")
        .setExpirationTime("10 minutes")
        .encrypt(Buffer.from(KEY, "base64"));
    await takeUp(service, await forge({}));
    for (const [lacking, claims] of [
      ["a login's id", { l: undefined }],
      ["a provider", { p: undefined }],
      ["a session key", { k: undefined }],
      ["settings", { s: undefined }],
      ["a password among the credentials", { f: { username: "ana" } }],
      ["a question's number", { i: ["otp", "code?"] }],
      ["settings of the right kind", { s: { clientSelection: "yes" } }],
    ] as const) {
      expect(await codeFor(client, await forge(claims)), lacking).toBe("of another version");
    }
    expect(service.requests).toHaveLength(1);
  });
});
