import { decodeProtectedHeader, EncryptJWT } from "jose";
import { createBankClient, createMemoryClaimStore, pause, readState, resume } from "ventanilla";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { asks, openQuestion } from "../bank/service.ts";
import { codeFor, KEY, OTHER_KEY, takeUp, waiting } from "./paused.ts";

const SECOND = 1000;
const NOW = 1_700_000_000_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: NOW }));
afterEach(() => void vi.useRealTimers());

async function paused(options: { sealTtl?: number } = {}) {
  const { service, actor } = await waiting([asks("otp", "key-1")], { answerTimeout: Number.POSITIVE_INFINITY });
  return { service, token: await pause(actor, { key: KEY, ...options }) };
}

describe("a token that has expired", () => {
  test.each([
    ["ten minutes, unless told otherwise", {}, 600],
    ["the time it was given", { sealTtl: 90 * SECOND }, 90],
    ["the next whole second", { sealTtl: 1 }, 1],
  ])("can't be used after %s", async (_, options, seconds) => {
    const { service, token } = await paused(options);
    vi.setSystemTime(NOW + seconds * SECOND - 1);
    const { actor } = await takeUp(service, token);
    expect(readState(actor.getSnapshot())).toBe("awaitingInteraction");
    vi.setSystemTime(NOW + seconds * SECOND);
    expect(await codeFor(service.client(), token)).toBe("token_expired");
    expect(service.requests).toHaveLength(1);
  });

  test("is the token's matter alone: the question may be open for longer", async () => {
    const { service, actor } = await waiting([asks("otp", "key-1")], { answerTimeout: 3600 * SECOND });
    const token = await pause(actor, { key: KEY, sealTtl: 60 * SECOND });
    vi.setSystemTime(NOW + 60 * SECOND);
    expect(await codeFor(service.client(), token)).toBe("token_expired");
  });
});

describe("a token of another version", () => {
  const forge = (token: string, type: string | undefined, claims: Record<string, unknown>) =>
    new EncryptJWT(claims)
      .setProtectedHeader({
        alg: "dir",
        enc: "A256GCM",
        kid: String(decodeProtectedHeader(token)["kid"]),
        ...(type && { typ: type }),
      })
      .setJti("an-id")
      .setExpirationTime("10 minutes")
      .encrypt(Buffer.from(KEY, "base64"));
  const claims = { p: "test", k: "key-1", s: {} };

  test("is told by its type", async () => {
    const { service, token } = await paused();
    const claimed = { ...claims, aud: service.url };
    // The same claims with the right type are taken: the type alone makes the difference.
    await takeUp(service, await forge(token, "ventanilla-login-1", claimed));
    for (const type of ["ventanilla-login-2", "ventanilla-login-0", "JWT", undefined]) {
      const other = await forge(token, type, claimed);
      expect(await codeFor(service.client(), other)).toBe("token_of_another_version");
    }
    expect(service.requests).toHaveLength(1);
  });

  test.each([
    ["a provider", { p: undefined }],
    ["a session key", { k: undefined }],
    ["settings", { s: undefined }],
    ["a password among the credentials", { f: { username: "ana" } }],
    ["a question's number", { i: ["otp", "code?"] }],
    ["settings of the right kind", { s: { clientSelection: "yes" } }],
  ])("is told by its lack of %s", async (_, lack) => {
    const { service, token } = await paused();
    const other = await forge(token, "ventanilla-login-1", { ...claims, aud: service.url, ...lack });
    expect(await codeFor(service.client(), other)).toBe("token_of_another_version");
  });
});

describe("a token of another key", () => {
  test.each([
    ["the only key", OTHER_KEY],
    ["none of several", [OTHER_KEY, Buffer.alloc(32, 1).toString("base64")]],
  ])("is told where its key is not %s", async (_, key) => {
    const { service, token } = await paused();
    expect(await codeFor(service.client(), token, { key })).toBe("token_of_another_key");
    expect(service.requests).toHaveLength(1);
  });

  test("can't pass for one of a known key", async () => {
    const { service, actor } = await waiting([asks("otp", "key-1")]);
    const token = await pause(actor, { key: OTHER_KEY });
    const { kid } = decodeProtectedHeader((await paused()).token);
    const header = JSON.stringify({ ...decodeProtectedHeader(token), kid });
    const forged = [Buffer.from(header).toString("base64url"), ...token.split(".").slice(1)].join(".");
    expect(await codeFor(service.client(), forged)).toBe("token_altered");
  });
});

describe("a token of another base address", () => {
  const at = (baseUrl: string) => createBankClient({ baseUrl, apiKey: "an-api-key", fetch: vi.fn() });

  test("can't be used, wherever the address differs", async () => {
    const { service, token } = await paused();
    const { port } = new URL(service.url);
    for (const address of [
      `https://127.0.0.1:${port}`,
      `http://localhost:${port}`,
      `http://127.0.0.1:${Number(port) - 1}`,
      `${service.url}/sandbox`,
    ]) {
      expect(await codeFor(at(address), token)).toBe("token_of_another_address");
    }
    expect(service.requests).toHaveLength(1);
  });

  test("is not one where the same address is written in another way", async () => {
    const { service, token } = await paused();
    const claimStore = createMemoryClaimStore();
    const outcome = await resume(at(`${service.url.replace("http", "HTTP")}/`), token, { key: KEY, claimStore });
    await openQuestion(outcome).cancel();
  });
});
