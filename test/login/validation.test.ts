import { InputError, login } from "ventanilla";
import { describe, expect, test } from "vitest";
import { expectedSecret, loggedIn, person, startSandbox, startService } from "../bank/service.ts";

const field = (name: string, members: { interactive?: boolean; optional?: boolean } = {}) => ({ name, ...members });
const asking = (...auth_fields: { name: string }[]) => ({
  json: { status: "success", provider: { name: "Test", auth_fields } },
});
const listed = [field("username"), field("password")];

const refusedBy = async (fields: { name: string }[], typed: Record<string, string>) => {
  const service = await startService([asking(...fields), loggedIn("key-1")]);
  const error = await login(service.client(), {
    ...person,
    fields: typed,
    validate: true,
  }).catch((fault: unknown) => fault);
  expect(error).toBeInstanceOf(InputError);
  expect(service.lines()).toEqual(["GET /provider/test/"]);
  return { ...(error as InputError), name: (error as InputError).name };
};

describe("login with validate", () => {
  test("reads the provider's fields, then sends the login", async () => {
    const service = await startService([asking(...listed, field("company_code")), loggedIn("key-1")]);
    const outcome = await login(service.client(), {
      ...person,
      fields: { company_code: "7701" },
      validate: true,
    });
    expect(outcome).toEqual({ status: "logged_in", provider: "test", key: expectedSecret("key-1") });
    expect(service.lines()).toEqual(["GET /provider/test/", "POST /login/"]);
    expect(service.requests[1]?.form).toEqual({ ...person, company_code: "7701" });
  });

  test.each([undefined, false])("%s does not read the provider's fields", async (validate) => {
    const service = await startService([loggedIn("key-1")]);
    const options = validate === undefined ? {} : { validate };
    await login(service.client(), { ...person, ...options });
    expect(service.lines()).toEqual(["POST /login/"]);
  });

  const tooEarly = "is an answer: the bank asks for it after the login";
  test.each<[what: string, listed: { name: string }[], typed: Record<string, string>, refusal: object]>([
    [
      "a field that is missing",
      [...listed, field("company_code")],
      {},
      { code: "missing_field", field: "company_code" },
    ],
    ["a field that the bank does not list", listed, { shoe_size: "42" }, { code: "unknown_field", field: "shoe_size" }],
    [
      "the missing field before the unknown one",
      [field("company_code")],
      { shoe_size: "42" },
      { code: "missing_field", field: "company_code" },
    ],
    [
      "an interactive field, which is too early",
      [...listed, field("otp", { interactive: true })],
      { otp: "8888" },
      { code: "unknown_field", field: "otp", detail: tooEarly },
    ],
    [
      "a missing field that is named like a member of Object.prototype",
      [field("constructor")],
      {},
      { code: "missing_field", field: "constructor" },
    ],
  ])("names %s, and sends no login", async (_, fields, typed, refusal) => {
    expect(await refusedBy(fields, typed)).toEqual({ name: "InputError", ...refusal });
  });

  test.each([
    ["the bank lists the provider as a field", [field("provider"), ...listed], {}],
    ["an optional field is absent", [...listed, field("branch", { optional: true })], {}],
    ["an optional field is there", [...listed, field("branch", { optional: true })], { branch: "north" }],
    ["an interactive field is absent", [...listed, field("otp", { interactive: true })], {}],
    ["the bank doesn't list the username and the password", [], {}],
  ])("sends the login if %s", async (_, fields, typed) => {
    const service = await startService([asking(...fields), loggedIn("key-1")]);
    const outcome = await login(service.client(), {
      ...person,
      fields: typed,
      validate: true,
    });
    expect(outcome.status).toBe("logged_in");
  });

  test("ends with provider_doesnt_exist for an unknown provider, and sends no login", async () => {
    const sandbox = await startSandbox();
    const outcome = await login(sandbox.client(), {
      ...person,
      provider: "nobody",
      validate: true,
    });
    expect(outcome).toStrictEqual({ status: "provider_doesnt_exist", provider: "nobody", httpStatus: 404 });
    expect(sandbox.lines()).toEqual(["GET /provider/nobody/"]);
  });

  test("rejects where the fields can't be read, and posts nothing", async () => {
    const service = await startService([{ text: "<html>" }, loggedIn("key-1")]);
    await expect(login(service.client(), { ...person, validate: true })).rejects.toMatchObject({
      code: "response_unreadable",
      request: "GET /provider/{code}/",
    });
    expect(service.requests).toHaveLength(1);
  });

  test("does not read the fields again before the answer is sent", async () => {
    const sandbox = await startSandbox();
    const outcome = await login(sandbox.client(), {
      provider: "test",
      username: "12345otp",
      password: "asdfg",
      validate: true,
      onInteraction: () => "8888",
    });
    expect(outcome.status).toBe("logged_in");
    expect(sandbox.lines()).toEqual([
      "GET /provider/test/",
      "POST /login/",
      expect.stringMatching(/^POST \/login\/\?key=/),
    ]);
  });
});
