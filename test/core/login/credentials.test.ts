import { BankError, type CredentialTexts, createCredentials, secret } from "ventanilla";
import { describe, expect, test } from "vitest";
import { expectedId, expectedSecret, person } from "../../bank/service.ts";

const readFault = (texts: unknown) => {
  try {
    return createCredentials(texts as CredentialTexts);
  } catch (error) {
    return error;
  }
};

describe("createCredentials", () => {
  test("keeps the provider as text, wraps all other fields, and keeps those that are secrets already", () => {
    const type = secret("pers");
    const credentials = createCredentials({ ...person, fields: { type, company_code: "7701" } });
    expect(credentials).toEqual({
      id: expectedId,
      token: expect.any(Object),
      provider: "test",
      fields: {
        username: expectedSecret("ana"),
        password: expectedSecret("hunter two"),
        type,
        company_code: expectedSecret("7701"),
      },
    });
    expect(credentials.fields["type"]).toBe(type);
    expect(Object.keys(createCredentials(person).fields)).toEqual(["username", "password"]);
  });

  test("keeps fields that are named like members of Object.prototype", () => {
    const { fields } = createCredentials({ ...person, fields: JSON.parse('{"__proto__":"x","toString":"y"}') });
    expect(Object.keys(fields).sort()).toEqual(["__proto__", "password", "toString", "username"]);
    expect(Object.getOwnPropertyDescriptor(fields, "__proto__")?.value).toEqual(expectedSecret("x"));
    expect(fields["toString"]).toEqual(expectedSecret("y"));
  });

  const empty = "must not be empty";
  const noText = "must be a string or a secret";
  const lineEnd = "has a line end";
  test.each([
    ["provider", { ...person, provider: "" }, empty],
    ["username", { ...person, username: "" }, empty],
    ["password", { ...person, password: secret("") }, empty],
    ["type", { ...person, fields: { type: "" } }, empty],
    ["username", { ...person, username: "ana\r" }, lineEnd],
    ["password", { ...person, password: secret("hunter two\r\n") }, lineEnd],
    ["type", { ...person, fields: { type: "pers\n" } }, lineEnd],
    ["provider", { ...person, provider: 7 }, noText],
    ["type", { ...person, fields: { type: false } }, noText],
    ["fields", { ...person, fields: "x" }, "must be an object"],
    ["fields", { ...person, fields: 5 }, "must be an object"],
    ["fields", { ...person, fields: null }, "must be an object"],
    ["fields.provider", { ...person, fields: { provider: "other" } }, "has a place of its own"],
    ["fields.username", { ...person, fields: { username: "other" } }, "has a place of its own"],
    ["fields.password", { ...person, fields: { type: "pers", password: "other" } }, "has a place of its own"],
  ])("refuses $0 in $1: $2", (field, texts, detail) => {
    const error = readFault(texts);
    expect(error).toBeInstanceOf(BankError);
    expect(error).toMatchObject({ code: "invalid_input", field, detail });
  });

  test("refuses a secret that has lost its value through JSON or a clone", () => {
    const stored = JSON.parse(JSON.stringify(secret("hunter two")));
    expect(readFault({ ...person, password: stored })).toMatchObject({ code: "secret_unavailable", field: "password" });
    const cloned = structuredClone(secret("hunter two"));
    expect(readFault({ ...person, password: cloned })).toMatchObject({ code: "secret_unavailable", field: "password" });
  });
});
