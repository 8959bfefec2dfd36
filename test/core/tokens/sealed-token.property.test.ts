import { createHash } from "node:crypto";
import { inspect } from "node:util";
import fc from "fast-check";
import { decodeProtectedHeader, EncryptJWT } from "jose";
import * as v from "valibot";
import { BankError, reveal, secret } from "ventanilla";
import { describe, expect, test, vi } from "vitest";
import { createTokenFormat, type SealKeys, secretClaim } from "../../../src/core/tokens/sealed-token.ts";
import { KEY, OTHER_KEY, readFailure, readTokenCode } from "../pause/paused.ts";

const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const encode = (text: string) => Buffer.from(text).toString("base64url");

const audience = "https://bank.example";
const format = createTokenFormat("a-kind-1", v.object({ text: secretClaim }));

async function seal(text = "hunter two", keys: SealKeys = KEY) {
  const token = await format.seal({ text }, { keys, audience, expiresAt: new Date(Date.now() + 60_000) });
  const [header = "", , vector = "", sealed = "", tag = ""] = token.split(".");
  return { token, header, vector, sealed, tag };
}

const unseal = async (token: string, keys: SealKeys = KEY) =>
  reveal((await format.unseal(token, { keys, audience })).claims.text);

const codeFor = (token: unknown, scope: { keys?: SealKeys; audience?: string } = {}) =>
  readTokenCode(format.unseal(token as string, { keys: KEY, audience, ...scope }));

test("a token is URL-safe, shows only how it is sealed, and differs each time", async () => {
  const [one, other] = [await seal(), await seal()];
  expect(encodeURIComponent(one.token)).toBe(one.token);
  expect(decodeProtectedHeader(one.token)).toEqual({
    alg: "dir",
    enc: "A256GCM",
    typ: "a-kind-1",
    kid: createHash("sha256").update(KEY, "base64").digest("base64url").slice(0, 8),
  });
  for (const name of ["vector", "sealed", "tag"] as const) expect(one[name]).not.toBe(other[name]);
});

describe("a token in which one character was changed does not open", () => {
  test.each(["vector", "sealed", "tag"] as const)("anywhere in its %s", async (name) => {
    const made = await seal();
    const { token } = made;
    const start = token.indexOf(made[name]);
    const place = fc.integer({ min: start, max: start + made[name].length - 1 });
    await fc.assert(
      fc.asyncProperty(place, fc.constantFrom(...BASE64URL), async (index, character) => {
        fc.pre(token[index] !== character);
        expect(await codeFor(token.slice(0, index) + character + token.slice(index + 1))).toBe("altered");
      }),
    );
  });

  // Two of three lengths leave bits to spare in the last character, which a decoder would not look at.
  test.each(["a", "an", "ana"])("in the spare bits of a last character (%s)", async (text) => {
    const { token, tag } = await seal(text);
    for (const end of [token.length - 1, token.length - tag.length - 2]) {
      for (const character of BASE64URL.replace(token[end] ?? "", "")) {
        expect(await codeFor(token.slice(0, end) + character + token.slice(end + 1))).toBe("altered");
      }
    }
  });

  test("in its header, whatever that says then", async () => {
    const { token, header } = await seal();
    const codes = new Set<unknown>();
    for (const index of header.split("").keys()) {
      for (const character of ["A", "b", "9", "_"].filter((other) => other !== header[index])) {
        codes.add(await codeFor(token.slice(0, index) + character + token.slice(index + 1)));
      }
    }
    expect([...codes].sort()).toEqual(["altered", "incomplete", "of another key", "of another version"]);
  });
});

describe("a token in which more was changed does not open:", () => {
  test.each([
    ["the algorithm", { alg: "none" }, "altered"],
    ["the cipher", { enc: "A128GCM" }, "altered"],
    ["the compression", { zip: "DEF" }, "altered"],
    ["a critical extension", { crit: ["x"], x: 1 }, "altered"],
    ["a claim that is shown", { exp: 9_999_999_999 }, "altered"],
    ["the type", { typ: "a-kind-2" }, "of another version"],
    ["the key's name", { kid: "AAAAAAAA" }, "of another key"],
  ])("%s", async (_, change, code) => {
    const { token, header } = await seal();
    const changed = { ...decodeProtectedHeader(token), ...change };
    expect(await codeFor(token.replace(header, encode(JSON.stringify(changed))))).toBe(code);
  });

  test("sealed with another key, whose header names a known key", async () => {
    const { kid } = decodeProtectedHeader((await seal()).token);
    const { token, header } = await seal("ana", OTHER_KEY);
    const forged = encode(JSON.stringify({ ...decodeProtectedHeader(token), kid }));
    expect(await codeFor(token.replace(header, forged))).toBe("altered");
  });

  test("cut at any length, from either end: it is incomplete", async () => {
    const { token } = await seal();
    for (const length of token.split("").keys()) {
      expect(await codeFor(token.slice(0, length))).toBe("incomplete");
      expect(await codeFor(token.slice(length + 1))).toBe("incomplete");
    }
  });
});

describe("a text that is not a token", () => {
  test("is incomplete, whatever text it is", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: "binary" }), fc.string(), fc.base64String()), async (text) => {
        expect(await codeFor(text)).toBe("incomplete");
      }),
    );
  });

  test("is incomplete with something around it, and if it is not a string", async () => {
    const { token } = await seal();
    const texts = [` ${token}`, `${token}\n`, `${token}.`, `"${token}"`, `${token},${token}`];
    for (const value of [...texts, undefined, null, 7, true, {}, [], ["a", "b"]]) {
      expect(await codeFor(value), String(value)).toBe("incomplete");
    }
  });

  test("is of another version, or incomplete, where it has a token's shape", async () => {
    const { vector, sealed, tag } = await seal();
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (header) => {
        const isObject = typeof header === "object" && header !== null && !Array.isArray(header);
        const text = `${encode(JSON.stringify(header))}..${vector}.${sealed}.${tag}`;
        expect(await codeFor(text)).toBe(isObject ? "of another version" : "incomplete");
      }),
    );
  });
});

test("a token of another type, or with claims of another shape, is of another version", async () => {
  const { kid } = decodeProtectedHeader((await seal()).token);
  const forge = (typ: string | undefined, claims: Record<string, unknown>) =>
    new EncryptJWT({ ...claims, aud: audience })
      .setProtectedHeader({ alg: "dir", enc: "A256GCM", kid: String(kid), ...(typ && { typ }) })
      .setJti("an-id")
      .setExpirationTime("10 minutes")
      .encrypt(Buffer.from(KEY, "base64"));
  expect(await unseal(await forge("a-kind-1", { text: "ana" }))).toBe("ana");
  for (const typ of ["a-kind-2", "a-kind-0", "JWT", undefined]) {
    expect(await codeFor(await forge(typ, { text: "ana" }))).toBe("of another version");
  }
  for (const claims of [{}, { text: "" }, { text: 7 }]) {
    expect(await codeFor(await forge("a-kind-1", claims))).toBe("of another version");
  }
});

test("a token opens only for its own audience, until the next full second after its time", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: 1_700_000_000_000 });
  const token = await format.seal({ text: "ana" }, { keys: KEY, audience, expiresAt: new Date(Date.now() + 1) });
  expect(await codeFor(token, { audience: `${audience}/sandbox` })).toBe("of another address");
  vi.setSystemTime(1_700_000_000_999);
  expect(await unseal(token)).toBe("ana");
  vi.setSystemTime(1_700_000_001_000);
  expect(await codeFor(token)).toBe("expired");
  vi.useRealTimers();
});

describe("a seal key", () => {
  const bytes = (length: number) => Buffer.alloc(length, "canary").toString("base64");
  const base64url = KEY.replaceAll("+", "-").replaceAll("/", "_").replace("=", "");

  test.each<[string, SealKeys, string]>([
    ["31 bytes", bytes(31), "must be 32 bytes as base64 or base64url"],
    ["33 bytes", bytes(33), "must be 32 bytes as base64 or base64url"],
    ["no base64", "a canary that is 32 bytes long!!", "must be 32 bytes as base64 or base64url"],
    ["a secret of 31 bytes", secret(bytes(31)), "must be 32 bytes as base64 or base64url"],
    ["one of a list", [KEY, bytes(31)], "must be 32 bytes as base64 or base64url"],
    ["no key of a list", [], "must name at least one key"],
    ["an empty text", "", "must not be empty"],
    ["nothing", null as unknown as string, "must be a string or a secret"],
  ])("that is %s is refused at both ends by the name of the option, and never repeated", async (_, keys, detail) => {
    const { token } = await seal();
    for (const error of [await readFailure(seal("ana", keys)), await readFailure(unseal(token, keys))]) {
      expect(error).toBeInstanceOf(BankError);
      expect(error).toMatchObject({ field: "key", message: `invalid_input: key: ${detail}` });
      expect(inspect(error, { showHidden: true })).not.toMatch(/canary|Y2FuYXJ5/);
    }
  });

  test.each<[string, SealKeys]>([
    ["base64", KEY],
    ["base64 without padding", KEY.replace("=", "")],
    ["base64url", base64url],
    ["base64 with the line's end of a file", `${KEY}\n`],
    ["a secret", secret(KEY)],
  ])("may be %s", async (_, keys) => {
    expect(KEY).toMatch(/\+.*\//);
    expect(await unseal((await seal("ana", keys)).token, base64url)).toBe("ana");
  });

  test("can be a list: the first key seals, each opens", async () => {
    const [before, after] = [await seal("ana", OTHER_KEY), await seal("ana", [KEY, OTHER_KEY])];
    for (const { token } of [before, after]) expect(await unseal(token, [KEY, OTHER_KEY])).toBe("ana");
    expect(await unseal(after.token, KEY)).toBe("ana");
    expect(await codeFor(after.token, { keys: OTHER_KEY })).toBe("of another key");
    expect(await codeFor(after.token, { keys: [OTHER_KEY, bytes(32)] })).toBe("of another key");
  });
});
