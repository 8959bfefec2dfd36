import { describe, expect, test } from "vitest";
import { Echoes } from "../../src/api/echo.ts";
import { createFingerprints } from "../../src/api/fingerprint.ts";

const strict = (...values: string[]) => new Echoes(values.flatMap((value) => createFingerprints(value, true)));
const lax = (...values: string[]) => new Echoes(values.flatMap((value) => createFingerprints(value, false)));

describe("Echoes.clearId", () => {
  test.each([
    ["is a long secret", "hunter2x", "[secret]"],
    ["contains a long secret", "id-hunter2x-9", "[secret]"],
    ["is a short secret", "abc1", "[secret]"],
    ["begins with a short secret", "abc1-7", "abc1-7"],
    ["ends with a short secret", "7-abc1", "7-abc1"],
    ["was not sent", "hunter3x", "hunter3x"],
  ])("of an id that %s: %s becomes %s", (_, id, shown) => {
    expect(strict("hunter2x", "abc1").clearId(id)).toBe(shown);
  });

  test("keeps an id that is a user name, since a bank may use it", () => {
    expect(lax("ana.perez").clearId("ana.perez")).toBe("ana.perez");
  });
});

test.each([
  ["that is a secret", true, strict("hunter2x"), "hunter2x"],
  ["that contains a secret", true, strict("hunter2x"), "my-hunter2x-code"],
  ["that is a long user name", true, lax("ana.perez"), "ana.perez"],
  ["that begins with a long user name", false, lax("ana.perez"), "ana.perez-code"],
  ["that ends with a long user name", false, lax("ana.perez"), "code-ana.perez"],
  ["of several words with a user name", true, lax("ana.perez"), "code of ana.perez"],
  ["that is a short user name", false, lax("otp1"), "otp1"],
  ["of several words with a short user name", true, lax("otp1"), "otp1 of today"],
  ["that was not sent", false, lax("ana.perez"), "card"],
])("Echoes.isEcho of a field name %s is %s", (_, isEcho, echoes, name) => {
  expect(echoes.isEcho(name)).toBe(isEcho);
});

test("Echoes.isEchoed finds a long value in a file, and ignores a short one", () => {
  expect(strict("hunter2x", "abc1").isEchoed("R0lGhunter2xOD abc1")).toBe(true);
  expect(strict("hunter2x", "abc1").isEchoed("R0lGOD abc1")).toBe(false);
});

test("Echoes.isIn finds a value within a word", () => {
  expect(lax("abc1").isIn("xabc1y")).toBe(true);
  expect(lax("abc1").isIn("xabc2y")).toBe(false);
});

test("Echoes.clear cuts a text that is longer than its limit", () => {
  expect(lax("abc").clear("12345", 5)).toBe("12345");
  expect(lax("abc").clear("123456", 5)).toBe("1234…");
});

describe("Echoes.clearEntry", () => {
  test.each([
    ["a number of eight digits that was sent", 10_000_000, "[secret]"],
    ["a negative number of eight digits that was sent", -10_000_000, "[secret]"],
    ["a number of seven digits that was sent", 9_999_999, 9_999_999],
    ["another number", 20_000_000, 20_000_000],
    ["null", null, null],
    ["a boolean", true, true],
  ])("of %s: %j becomes %j", (_, value, shown) => {
    expect(strict("10000000", "-10000000", "9999999").clearEntry({ id: value })).toEqual({ id: shown });
  });

  test("masks names of members that are echoes", () => {
    const entry = { ana: 1, "ana.perez": { "ana.perez": "ana.perez!" } };
    expect(lax("ana.perez").clearEntry(entry)).toEqual({ ana: 1, "[secret]": { "[secret]": "[secret]!" } });
  });

  test("keeps values that programs read unless they contain a secret, and cuts labels alone", () => {
    const long = "otp1 ".repeat(100);
    const entry = {
      ...{ code: "otp1", country: "otp1", type: "otp1", default: "otp1", name: long, logo: long },
      auth_fields: [{ name: "otp1", label_en: long, label_es: long, choices: [{ name: "otp1" }] }],
      account_type: [{ name: "otp1" }],
    };
    const label = `${"[secret] ".repeat(33)}[s…`;
    expect(lax("otp1").clearEntry(structuredClone(entry))).toEqual({
      ...entry,
      name: label,
      logo: "[secret] ".repeat(100),
      auth_fields: [{ name: "otp1", label_en: label, label_es: label, choices: [{ name: "otp1" }] }],
    });
  });

  test("counts each value and each character as steps", () => {
    const echoes = strict("hunter2x");
    echoes.clearEntry([1, [2, 3], { four: "4444" }]);
    // A name is read twice.
    expect(echoes.steps).toBe(7 * 100 + "4444".length + 2 * "four".length);
  });
});
