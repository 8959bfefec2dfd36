import { reveal, secret } from "ventanilla";
import { expect, onTestFinished, test, vi } from "vitest";
import { openAnswer, openCredentials, sealSessionKey } from "../../../../src/servers/restate/durable-seals.ts";
import {
  DURABLE_LOGIN_VERSION,
  openSessionKey,
  sealAnswer,
  sealCredentials,
} from "../../../../src/servers/restate/index.ts";

const sealKey = Buffer.alloc(32, 1).toString("base64");
const sealing = { id: `${DURABLE_LOGIN_VERSION}.a`, sealKey };
const form = { provider: "test", username: "ana-canary", password: "pass-canary", fields: { type: "corp" } };

test("sealed credentials show the bank and nothing else, and open again", async () => {
  const credentials = await sealCredentials(form, sealing);
  expect(Object.keys(credentials)).toEqual(["provider", "sealed", "expiresAt"]);
  expect(JSON.stringify(credentials)).not.toContain("canary");
  const { provider, fields } = await openCredentials(credentials, sealing);
  expect(provider).toBe("test");
  expect(Object.entries(fields).map(([name, value]) => [name, reveal(value)])).toEqual([
    ["type", "corp"],
    ["username", "ana-canary"],
    ["password", "pass-canary"],
  ]);
});

test("an answer opens for the question that it was sealed for", async () => {
  const answer = await sealAnswer({ interaction: 2, answer: { otp: "8888", token: "1234" } }, sealing);
  const opened = Object.entries(await openAnswer(answer, sealing)).map(([name, text]) => [name, reveal(text)]);
  expect(opened).toEqual([
    ["otp", "8888"],
    ["token", "1234"],
  ]);
  await expect(openAnswer({ ...answer, interaction: 1 }, sealing)).rejects.toMatchObject({
    code: "token_invalid",
    detail: "altered",
  });
});

test("a session key opens for its own login alone, and no answer opens as one", async () => {
  const sealed = await sealSessionKey(secret("session-canary"), sealing);
  expect(reveal(await openSessionKey(sealed, sealing))).toBe("session-canary");
  const other = openSessionKey(sealed, { id: `${DURABLE_LOGIN_VERSION}.b`, sealKey });
  await expect(other).rejects.toMatchObject({ code: "token_invalid", detail: "of another address" });
  const answer = await sealAnswer({ interaction: 1, answer: { otp: "8888" } }, sealing);
  await expect(openSessionKey(answer.sealed, sealing)).rejects.toMatchObject({
    code: "token_invalid",
    detail: "of another version",
  });
});

test("credentials can't be opened after sealTtl", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const credentials = await sealCredentials(form, { ...sealing, sealTtl: 60_000 });
  vi.setSystemTime(Date.now() + 61_000);
  await expect(openCredentials(credentials, sealing)).rejects.toMatchObject({
    code: "token_invalid",
    detail: "expired",
  });
});
