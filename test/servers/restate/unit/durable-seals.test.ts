import * as v from "valibot";
import { reveal, secret } from "ventanilla";
import { expect, onTestFinished, test, vi } from "vitest";
import { createTokenFormat } from "../../../../src/core/tokens/sealed-token.ts";
import { openAnswer, openCredentials, sealSessionKey } from "../../../../src/servers/restate/durable-seals.ts";
import {
  DURABLE_LOGIN_VERSION,
  openSessionKey,
  sealAnswer,
  sealCredentials,
} from "../../../../src/servers/restate/index.ts";

const sealKey = Buffer.alloc(32, 1).toString("base64");
const sealing = { id: `${DURABLE_LOGIN_VERSION}.a`, sealKey };
const opening = { ...sealing, field: "otp" };
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
  const opened = Object.entries(await openAnswer(answer, opening)).map(([name, text]) => [name, reveal(text)]);
  expect(opened).toEqual([
    ["otp", "8888"],
    ["token", "1234"],
  ]);
  await expect(openAnswer({ ...answer, interaction: 1 }, opening)).rejects.toMatchObject({
    code: "token_invalid",
    detail: "altered",
  });
});

test.each(["7", "1"])(
  "an answer to a login of version %s is sealed and opened as that version does",
  async (version) => {
    const id = `${version}.a`;
    const { sealed, interaction } = await sealAnswer({ interaction: 2, answer: { token: "8888" } }, { id, sealKey });
    // What the code of version 7 has opened, and sealed.
    const format = createTokenFormat("ventanilla-durable-answer-1", v.object({ n: v.number(), a: v.string() }));
    const scope = { keys: sealKey, audience: id };
    expect((await format.unseal(sealed, scope)).claims).toEqual({ n: 2, a: "8888" });
    const old = await format.seal({ n: 2, a: "1234" }, { ...scope, expiresAt: new Date(Date.now() + 60_000) });
    const opened = await openAnswer({ interaction, sealed: old }, { id, sealKey, field: "token" });
    expect(Object.entries(opened).map(([name, text]) => [name, reveal(text)])).toEqual([["token", "1234"]]);
  },
);

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
