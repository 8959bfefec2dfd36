import { describe, expect, test } from "vitest";
import { Echoes } from "../../src/api/echo.ts";
import { createFingerprints } from "../../src/api/fingerprint.ts";
import { TEXT_LIMIT } from "../../src/api/limits.ts";

const strict = (...values: string[]) => new Echoes(values.flatMap((value) => createFingerprints(value, true)));
const lax = (...values: string[]) => new Echoes(values.flatMap((value) => createFingerprints(value, false)));

test.each([
  ["a long secret", "hunter2x", "[secret]"],
  ["a long secret within", "id-hunter2x-9", "[secret]"],
  ["a short secret", "abc1", "[secret]"],
  ["what begins with a short secret", "abc1-7", "abc1-7"],
  ["what ends with a short secret", "7-abc1", "7-abc1"],
  ["nothing that was sent", "hunter3x", "hunter3x"],
])("an id that is %s: %s becomes %s", (_, id, shown) => {
  expect(strict("hunter2x", "abc1").clearId(id)).toBe(shown);
});

test("an id that is a user name stays, since a bank may use it", () => {
  expect(lax("ana.perez").clearId("ana.perez")).toBe("ana.perez");
});

test.each([
  ["a secret", strict("hunter2x"), "hunter2x", true],
  ["a secret within a name", strict("hunter2x"), "my-hunter2x-code", true],
  ["a long user name", lax("ana.perez"), "ana.perez", true],
  ["what begins with a long user name", lax("ana.perez"), "ana.perez-code", false],
  ["what ends with a long user name", lax("ana.perez"), "code-ana.perez", false],
  ["words with a user name among them", lax("ana.perez"), "code of ana.perez", true],
  ["a short user name", lax("otp1"), "otp1", false],
  ["words with a short user name among them", lax("otp1"), "otp1 of today", true],
  ["another name", lax("ana.perez"), "card", false],
])("whether a field's name that is %s is an echo", (_, echoes, name, isEcho) => {
  expect(echoes.isEcho(name)).toBe(isEcho);
});

test("a file holds an echo where one is long enough to be no chance", () => {
  expect(strict("hunter2x", "abc1").isEchoed("R0lGhunter2xOD abc1")).toBe(true);
  expect(strict("hunter2x", "abc1").isEchoed("R0lGOD abc1")).toBe(false);
});

test("an error holds an echo as a part of a word as well", () => {
  expect(lax("abc1").isIn("xabc1y")).toBe(true);
  expect(lax("abc1").isIn("xabc2y")).toBe(false);
});

test("a text is cut where it is longer than its limit, and not before", () => {
  expect(lax("abc").clear("12345", 5)).toBe("12345");
  expect(lax("abc").clear("123456", 5)).toBe("1234…");
});

describe("an entry of a list", () => {
  test.each([
    ["eight digits that were sent", 10_000_000, "[secret]"],
    ["eight digits below zero", -10_000_000, "[secret]"],
    ["seven digits, which no secret has to be", 9_999_999, 9_999_999],
    ["another number", 20_000_000, 20_000_000],
    ["nothing", null, null],
    ["a yes", true, true],
  ])("shows %s as it should", (_, value, shown) => {
    expect(strict("10000000", "-10000000", "9999999").clearEntry({ id: value })).toEqual({ id: shown });
  });

  test("keeps a name that nobody sent, and masks one that is an echo", () => {
    const entry = { ana: 1, "ana.perez": { "ana.perez": "ana.perez!" } };
    expect(lax("ana.perez").clearEntry(entry)).toEqual({ ana: 1, "[secret]": { "[secret]": "[secret]!" } });
  });

  test("counts as steps, so that a long list leaves the event loop free", () => {
    const echoes = strict("hunter2x");
    echoes.clearEntry([1, [2, 3], { four: 4 }]);
    expect(echoes.steps).toBeGreaterThanOrEqual(7);
  });
});

describe("a description", () => {
  test("shows two hundred values and no more, of lists and members alike", () => {
    const numbers = Array.from({ length: 300 }, (_, number) => number);
    expect(lax("abc").clearDescription(numbers)).toEqual(numbers.slice(0, 200));
    const members = numbers.map((number) => [`m${number}`, number]);
    const shown = lax("abc").clearDescription(Object.fromEntries(members));
    expect(shown).toEqual(Object.fromEntries(members.slice(0, 200)));
  });

  test("shows as many characters in all as a text has, names included", () => {
    const part = "x".repeat(TEXT_LIMIT / 2 - 1);
    expect(lax("abc").clearDescription([part, part, "yz", "left out"])).toEqual([part, part, "yz"]);
    expect(lax("abc").clearDescription({ [part]: part, y: "z", w: "left out" })).toEqual({ [part]: part, y: "z" });
  });

  test("shows a number that was sent as a secret, and other values as they are", () => {
    expect(lax("602214").clearDescription([602214, 602215, true, null])).toEqual(["[secret]", 602215, true, null]);
  });
});
