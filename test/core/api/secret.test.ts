import { format, inspect } from "node:util";
import { deserialize, serialize } from "node:v8";
import { BankError, reveal, secret } from "ventanilla";
import { describe, expect, test } from "vitest";
import { isSecret } from "../../../src/core/api/reveal.ts";
import { expectNoneOf, readFault } from "./faults.ts";
import { FORM, localBank, SESSION_KEY, unknownStatus } from "./local-bank.ts";

const CANARY = "secret-canary-8a1c";

describe("a secret", () => {
  test.each(["x", "", " a\r\n\0b ", "p\ud800", "[secret] ", "ñandú 🐦"])("reveals %j unchanged", (value) => {
    expect(reveal(secret(value))).toBe(value);
    expect(isSecret(secret(value))).toBe(true);
  });

  test("prints as [secret]", () => {
    const hidden = secret(CANARY);
    expect(String(hidden)).toBe("[secret]");
    expect(`${hidden}`).toBe("[secret]");
    expect(`${["a", hidden]}`).toBe("a,[secret]");
    expect(hidden.toString()).toBe("[secret]");
    expect(hidden.toLocaleString()).toBe("[secret]");
    expect(Number(hidden)).toBeNaN();
    expect(inspect(hidden)).toBe("[secret]");
    expect(inspect({ deep: [hidden] }, { showHidden: true, depth: 9 })).toContain("[secret]");
    expect(JSON.stringify({ password: hidden, all: [hidden] })).toBe('{"password":"[secret]","all":["[secret]"]}');
    expect(format("%s %o %O %j", hidden, hidden, hidden, hidden)).toBe('[secret] [secret] [secret] "[secret]"');
  });

  test("has no members, and shows its value nowhere", () => {
    const hidden = secret(CANARY);
    expect(Reflect.ownKeys(hidden)).toEqual([]);
    expect({ ...hidden }).toEqual({});
    expect(Object.isFrozen(hidden)).toBe(true);
    expectNoneOf([CANARY], hidden);
    expectNoneOf([CANARY], Object.getPrototypeOf(hidden));
  });

  test("differs from another secret of the same value", () => {
    expect(secret(CANARY)).not.toBe(secret(CANARY));
  });

  test.each([5, null, undefined, {}, ["a"], secret("a")])("can't be created from %o", (value) => {
    const refusal = new BankError("invalid_input", { field: "secret", detail: "must be a string" });
    expect(() => secret(value as string)).toThrow(refusal);
  });

  test("is skipped by Vue's proxies", () => {
    expect(secret(CANARY)).toHaveProperty("__v_skip", true);
  });
});

describe("a secret that has lost its value", () => {
  const lost: [string, () => unknown][] = [
    ["through a structured clone", () => structuredClone(secret(CANARY))],
    ["through V8's serialiser", () => deserialize(serialize(secret(CANARY)))],
    ["through JSON", () => JSON.parse(JSON.stringify({ key: secret(CANARY) })).key],
    ["by being spread", () => ({ ...secret(CANARY) })],
    ["behind a proxy", () => new Proxy(secret(CANARY), {})],
    ["as the prototype of another object", () => Object.create(secret(CANARY))],
  ];

  test.each(lost)("%s shows nothing, is no secret, and can't be revealed", (_, lose) => {
    const rest = lose();
    expectNoneOf([CANARY], rest);
    expect(isSecret(rest)).toBe(false);
    expect(() => reveal(rest as ReturnType<typeof secret>)).toThrow(new BankError("secret_unavailable"));
  });

  test.each(lost)("%s is refused as an input, and nothing is sent", async (_, lose) => {
    const bank = localBank(unknownStatus);
    const client = bank.client();
    const rest = lose() as string;
    for (const [field, call] of [
      ["username", () => client.login({ ...FORM, username: rest })],
      ["otp", () => client.login({ ...FORM, otp: rest }, { key: SESSION_KEY })],
      ["key", () => client.login(FORM, { key: rest })],
      ["key", () => client.logout(rest)],
      ["key", () => client.listClients(rest)],
      ["code", () => client.getProvider(rest)],
      ["client", () => client.selectClient(SESSION_KEY, rest)],
    ] as const) {
      const error = await readFault(call());
      expect(error).toBeInstanceOf(BankError);
      expect(error.message).toBe(`secret_unavailable: ${field}`);
    }
    expect(bank.requests).toEqual([]);
  });
});

test.each([null, undefined, "[secret]", "x", 5, {}, () => {}])("%o is no secret", (value) => {
  expect(isSecret(value)).toBe(false);
});
