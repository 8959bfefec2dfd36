import { type CredentialTexts, createCredentials, InputError, login, SecretError, secret } from "ventanilla";
import { describe, expect, test } from "vitest";
import { expectedSecret, loggedIn, person, startService } from "../bank/service.ts";

const readFault = (texts: unknown) => {
  try {
    return createCredentials(texts as CredentialTexts);
  } catch (error) {
    return error;
  }
};

describe("createCredentials", () => {
  test("keeps the provider as text and wraps all other fields", () => {
    const credentials = createCredentials({ ...person, fields: { type: "pers", company_code: "7701" } });
    expect(credentials).toEqual({
      provider: "test",
      fields: {
        username: expectedSecret("ana"),
        password: expectedSecret("hunter two"),
        type: expectedSecret("pers"),
        company_code: expectedSecret("7701"),
      },
    });
    expect(JSON.stringify(credentials)).toBe(
      '{"provider":"test","fields":{"type":"[secret]","company_code":"[secret]","username":"[secret]","password":"[secret]"}}',
    );
  });

  test("needs no further fields", () => {
    expect(Object.keys(createCredentials(person).fields)).toEqual(["username", "password"]);
  });

  test("keeps values that are secrets already", () => {
    const [username, password, type] = [secret("ana"), secret("hunter two"), secret("pers")];
    const { fields } = createCredentials({ provider: "test", username, password, fields: { type } });
    expect(fields.username).toBe(username);
    expect(fields.password).toBe(password);
    expect(fields["type"]).toBe(type);
  });

  test("keeps fields that are named like members of Object.prototype", () => {
    const { fields } = createCredentials({ ...person, fields: JSON.parse('{"__proto__":"x","toString":"y"}') });
    expect(Object.keys(fields).sort()).toEqual(["__proto__", "password", "toString", "username"]);
    expect(Object.getOwnPropertyDescriptor(fields, "__proto__")?.value).toEqual(expectedSecret("x"));
    expect(fields["toString"]).toEqual(expectedSecret("y"));
  });

  test.each(["x", 5, null])("refuses fields that are %j", (fields) => {
    expect(readFault({ ...person, fields })).toMatchObject({
      code: "invalid_input",
      field: "fields",
      detail: "must be an object",
    });
  });

  test.each([
    ["provider", { ...person, provider: "" }],
    ["username", { ...person, username: "" }],
    ["password", { ...person, password: "" }],
    ["password", { ...person, password: secret("") }],
    ["type", { ...person, fields: { type: "" } }],
  ])("refuses an empty %s, and names it", (field, texts) => {
    const error = readFault(texts);
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({ code: "invalid_input", field, detail: "must not be empty" });
  });

  test.each([
    ["provider", { ...person, provider: 7 }],
    ["username", { ...person, username: undefined }],
    ["password", { provider: "test", username: "ana" }],
    ["type", { ...person, fields: { type: false } }],
  ])("refuses a %s that is no text, and names it", (field, texts) => {
    const error = readFault(texts);
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({ code: "invalid_input", field, detail: "must be a string or a secret" });
  });

  test.each(["provider", "username", "password"])("refuses a further field called %s", (name) => {
    const error = readFault({ ...person, fields: { type: "pers", [name]: "other" } });
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({ code: "invalid_input", field: `fields.${name}`, detail: "has a place of its own" });
  });

  test("refuses a secret that has lost its value through JSON or a clone", () => {
    const stored = JSON.parse(JSON.stringify(secret("hunter two")));
    expect(readFault({ ...person, password: stored })).toBeInstanceOf(SecretError);
    const cloned = structuredClone(secret("hunter two"));
    expect(readFault({ ...person, password: cloned })).toMatchObject({ code: "secret_unavailable", field: "password" });
  });
});

describe("login with credentials that can't be sent", () => {
  test.each([
    ["an empty password", { password: "" }, "password"],
    ["a further field called provider", { fields: { provider: "other" } }, "fields.provider"],
    ["half a surrogate pair", { fields: { type: "\udc00" } }, "type"],
  ])("rejects for %s, and nothing is sent", async (_, texts, field) => {
    const service = await startService([loggedIn("key-1")]);
    await expect(login(service.client(), { ...person, ...texts })).rejects.toMatchObject({
      name: "InputError",
      code: "invalid_input",
      field,
    });
    expect(service.requests).toEqual([]);
  });

  test("rejects even if its signal is aborted", async () => {
    const service = await startService([]);
    const signal = AbortSignal.abort();
    await expect(login(service.client(), { ...person, username: "", signal })).rejects.toMatchObject({
      field: "username",
    });
  });
});
