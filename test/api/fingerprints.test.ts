import { describe, expect, test } from "vitest";
import { type BankRequest, collectSent } from "../../src/api/bank-request.ts";
import { createFingerprints } from "../../src/api/fingerprint.ts";

const request: BankRequest = { method: "POST", path: "/login/", template: "/login/", timeout: 1, deadline: 1 };
const form = { provider: "faro_uy", username: "ana.perez", password: "hunter two", type: "corporate" };
const lax = (value: string) => createFingerprints(value, false);
const strict = (value: string) => createFingerprints(value, true);

// What is strict stands in no name either: a name that equals it is masked.
describe("what a response is cleared of", () => {
  test.each<[what: string, sent: Partial<BankRequest>, newKey: unknown, expected: ReturnType<typeof strict>]>([
    ["a first login", { form }, undefined, [...lax("ana.perez"), ...strict("hunter two"), ...lax("corporate")]],
    [
      "an answer, which is as secret as the password",
      { form: { username: "ana.perez", password: "hunter two", otp: "246802" }, key: "key-1" },
      undefined,
      [...lax("ana.perez"), ...strict("hunter two"), ...strict("246802"), ...strict("key-1")],
    ],
    [
      "values that are the names of their fields",
      { form: { username: "username", password: "password", otp: "otp" }, key: "key-1" },
      undefined,
      [...lax("username"), ...lax("password"), ...lax("otp"), ...strict("key-1")],
    ],
    ["a request of a session", { key: "key-1" }, undefined, strict("key-1")],
    ["the key that a response brings", {}, "key-2", strict("key-2")],
    ["a key that is no text", {}, 5, []],
    ["a short token of an app", { appToken: "token-7" }, undefined, lax("token-7")],
    ["a longer token of an app", { appToken: "token-88" }, undefined, strict("token-88")],
  ])("%s", (_, sent, newKey, expected) => {
    expect(collectSent({ ...request, ...sent }, newKey)).toEqual(expected);
  });

  test("is each value once, however many answers follow, and the strict one where it is both", () => {
    const earlier = [...lax("corporate"), ...strict("hunter two")];
    const again = { ...request, earlier, form: { password: "hunter two", username: "corporate" }, key: "corporate" };
    expect(collectSent(again, "hunter two")).toEqual([...earlier, ...strict("corporate")]);
    expect(collectSent({ ...again, earlier: strict("corporate") }, undefined)).toEqual([
      ...strict("corporate"),
      ...strict("hunter two"),
    ]);
  });
});
