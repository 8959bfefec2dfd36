import { reveal, secret } from "ventanilla";
import { expect, test } from "vitest";
import { openAnswer, openCredentials, sealSessionKey } from "../../../src/restate/durable-seals.ts";
import { openSessionKey, sealAnswer, sealCredentials } from "../../../src/restate/index.ts";

const sealKey = Buffer.alloc(32, 1).toString("base64");
const sealing = { id: "1.a", sealKey };
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
  const answer = await sealAnswer({ interaction: 2, answer: "8888" }, sealing);
  expect(reveal(await openAnswer(answer, sealing))).toBe("8888");
  await expect(openAnswer({ ...answer, interaction: 1 }, sealing)).rejects.toMatchObject({ code: "token_altered" });
});

test("a session key opens with any of the keys, for its own login", async () => {
  const sealed = await sealSessionKey(secret("session-canary"), sealing);
  const rotated = [Buffer.alloc(32, 2).toString("base64"), sealKey];
  expect(reveal(await openSessionKey(sealed, { id: "1.a", sealKey: rotated }))).toBe("session-canary");
  await expect(openSessionKey(sealed, { id: "1.b", sealKey })).rejects.toMatchObject({
    code: "token_of_another_address",
  });
});

test("one kind of sealed text does not pass for another", async () => {
  const { sealed } = await sealAnswer({ interaction: 1, answer: "8888" }, sealing);
  await expect(openSessionKey(sealed, sealing)).rejects.toMatchObject({ code: "token_of_another_version" });
});

test("credentials that waited too long open no more", async () => {
  const credentials = await sealCredentials(form, { ...sealing, sealTtl: 1 });
  await expect.poll(() => openCredentials(credentials, sealing).catch(({ code }) => code)).toBe("token_expired");
});
