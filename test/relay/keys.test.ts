import { decodeProtectedHeader, jwtDecrypt } from "jose";
import { reveal } from "ventanilla";
import { expect, test } from "vitest";
import { form, OTP, PLAIN, SEAL_KEY, type Stage, stage } from "./stage.ts";

/** What a sealed key holds, for whoever has the seal key. */
async function opened(set: Stage, fields: Record<string, string>) {
  const { key } = await (await set.send("/login/", form(fields))).json();
  const { payload } = await jwtDecrypt(key, Buffer.from(SEAL_KEY, "base64"));
  return { header: decodeProtectedHeader(key), payload };
}

const inSeconds = (milliseconds: number) => expect.closeTo((Date.now() + milliseconds) / 1000, -1);

test("a session's key holds the bank's code, its purpose and the real key, and nobody's name", async () => {
  const set = await stage();
  const { header, payload } = await opened(set, PLAIN);
  expect(header).toEqual({ alg: "dir", enc: "A256GCM", typ: "ventanilla-relay-key-1", kid: expect.any(String) });
  expect(payload).toEqual({
    aud: set.bank.url,
    exp: inSeconds(1_800_000),
    jti: expect.any(String),
    u: "session",
    p: "test",
    k: set.logins[0] && reveal(set.logins[0].key),
    // Fingerprints of what the login sent.
    e: expect.stringMatching(/^[\da-z]{39}$/),
  });
});

test("an interaction's key tells its user from others without naming anybody", async () => {
  const set = await stage();
  const [first, second] = [await opened(set, OTP), await opened(set, OTP)];
  expect(first.payload).toEqual({
    aud: set.bank.url,
    exp: inSeconds(600_000),
    jti: expect.any(String),
    u: "interaction",
    p: "test",
    h: expect.stringMatching(/^[\da-f]{64}$/),
    k: [...set.bank.keys][0],
    e: expect.stringMatching(/^[\da-z]{39}$/),
  });
  expect(JSON.stringify(first.payload)).not.toContain(OTP.username);
  expect(first.payload["h"]).not.toBe(second.payload["h"]);
});

test("a receipt holds no key at all", async () => {
  const set = await stage({ browserKey: "receipt", sessionLifetime: 60_000 });
  const { payload } = await opened(set, PLAIN);
  expect(payload).toEqual({
    aud: set.bank.url,
    exp: inSeconds(60_000),
    jti: expect.any(String),
    u: "receipt",
    p: "test",
  });
});
