import { describe, expect, test } from "vitest";
import { type BankRequest, collectSent } from "../../src/api/bank-request.ts";
import {
  createFingerprints,
  findSent,
  formatSent,
  rememberSent,
  restoreSent,
  toHash,
} from "../../src/api/fingerprint.ts";
import { secret } from "../../src/api/secret.ts";

const request: BankRequest = { method: "POST", path: "/login/", template: "/login/", timeout: 1, deadline: 1 };
const form = { provider: "faro_uy", username: "ana.perez", password: "hunter two", type: "corporate" };
const lax = (value: string) => createFingerprints(value, false);
const strict = (value: string) => createFingerprints(value, true);

// A strict fingerprint also masks names of members that equal the value.
describe("collectSent", () => {
  test.each<[what: string, sent: Partial<BankRequest>, newKey: unknown, expected: ReturnType<typeof strict>]>([
    [
      "the form of a first login",
      { form },
      undefined,
      [...lax("ana.perez"), ...strict("hunter two"), ...lax("corporate")],
    ],
    [
      "an answer, as strictly as the password",
      { form: { username: "ana.perez", password: "hunter two", otp: "246802" }, key: "key-1" },
      undefined,
      [...lax("ana.perez"), ...strict("hunter two"), ...strict("246802"), ...strict("key-1")],
    ],
    [
      "values that equal the names of their fields, not strictly",
      { form: { username: "username", password: "password", otp: "otp" }, key: "key-1" },
      undefined,
      [...lax("username"), ...lax("password"), ...lax("otp"), ...strict("key-1")],
    ],
    ["the key of a request", { key: "key-1" }, undefined, strict("key-1")],
    ["the key of the response", {}, "key-2", strict("key-2")],
    ["nothing of a key that is no text", {}, 5, []],
    ["a short appToken, not strictly", { appToken: "token-7" }, undefined, lax("token-7")],
    ["a longer appToken, strictly", { appToken: "token-88" }, undefined, strict("token-88")],
  ])("collects %s", (_, sent, newKey, expected) => {
    expect(collectSent({ ...request, ...sent }, newKey)).toEqual(expected);
  });

  test("collects each value once over many logins, and keeps the strict fingerprint beside one that is not", () => {
    const earlier = [...lax("corporate"), ...strict("hunter two")];
    const again = { ...request, earlier, form: { password: "hunter two", username: "corporate" }, key: "corporate" };
    expect(collectSent(again, "hunter two")).toEqual([...earlier, ...strict("corporate")]);
    expect(collectSent({ ...again, earlier: strict("corporate") }, undefined)).toEqual([
      ...strict("corporate"),
      ...strict("hunter two"),
    ]);
  });
});

// Tokens hold fingerprints: those of another version must still fit.
test("a fingerprint never changes", () => {
  const print = { mark: 1_281, length: 8, hash: 689_081_086_580, isStrict: true, isOpen: false };
  expect(strict("hunter2x")).toEqual([print]);
});

test.each([
  ["AZÀÞ", "azàþ", true],
  ["@@@", "```", false],
  ["[[[", "{{{", false],
  ["¿¿¿", "ßßß", false],
  ["ßßß", "ÿÿÿ", false],
])("the hashes of %s and %s are the same: %s", (one, other, isSame) => {
  expect(toHash(one, 0, one.length) === toHash(other, 0, other.length)).toBe(isSame);
});

describe("createFingerprints covers the first 256 characters of a long value:", () => {
  test.each([
    ["256 of 256", "a".repeat(256), 256, false],
    ["256 of 257", "a".repeat(257), 256, true],
    ["255 if a character would be cut in two", `${"a".repeat(255)}🐦`, 255, true],
    ["255 if the first of all high surrogates would be cut off", `${"a".repeat(255)}\u{10000}`, 255, true],
    ["255 if the last of all high surrogates would be cut off", `${"a".repeat(255)}\u{10fc00}`, 255, true],
    ["256 with a whole surrogate pair at the end", `${"a".repeat(254)}🐦`, 256, false],
  ])("%s", (_, value, length, isOpen) => {
    expect(createFingerprints(value, true)[0]).toMatchObject({ length, isOpen });
  });
});

describe("the fingerprints of a login in a sealed token", () => {
  const [first, last] = ["0000c00000005", "2i8zjs27to3cv"];
  const prints = [
    { mark: 0, length: 3, hash: 5, isStrict: false, isOpen: false },
    { mark: 4_095, length: 256, hash: 2 ** 41 - 1, isStrict: true, isOpen: true },
    { mark: 1, length: 4, hash: 6, isStrict: true, isOpen: false },
    { mark: 1, length: 4, hash: 7, isStrict: false, isOpen: true },
  ];

  test("take 13 characters each, and are restored without a change", () => {
    const key = secret("key-1");
    rememberSent(key, prints);
    const written = formatSent(key);
    expect(written).toHaveLength(4 * 13);
    expect([written.slice(0, 13), written.slice(13, 26)]).toEqual([first, last]);
    expect(findSent(restoreSent(secret("key-1"), written))).toEqual(prints);
  });

  test("are absent from an older token", () => {
    expect(findSent(restoreSent(secret("key-1")))).toEqual([]);
    expect(findSent(undefined)).toEqual([]);
  });
});
