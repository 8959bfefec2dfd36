import { BankError, login } from "ventanilla";
import { describe, expect, test } from "vitest";
import { expectedSecret, failed, loggedIn, person, startSandbox } from "../../bank/service.ts";
import { logIn } from "./started.ts";

const field = (name: string, members: { interactive?: boolean; optional?: boolean } = {}) => ({ name, ...members });
const asking = (...auth_fields: { name: string }[]) => ({
  json: { status: "success", provider: { name: "Test", auth_fields } },
});
const listed = [field("username"), field("password")];

const start = (fields: { name: string }[], typed: Record<string, string> = {}) =>
  logIn([asking(...fields), loggedIn("key-1")], { fields: typed, validate: true });

describe("login with validate", () => {
  test("reads the provider's fields, then sends the login", async () => {
    const { service, outcome } = await start([...listed, field("company_code")], { company_code: "7701" });
    expect(await outcome).toMatchObject({ status: "logged_in", key: expectedSecret("key-1") });
    expect(service.lines()).toEqual(["GET /provider/test/", "POST /login/"]);
    expect(service.requests[1]?.form).toEqual({ ...person, company_code: "7701" });
  });

  test.each([undefined, false])("%s does not read the provider's fields", async (validate) => {
    const { service, outcome } = await logIn([loggedIn("key-1")], validate === undefined ? {} : { validate });
    await outcome;
    expect(service.lines()).toEqual(["POST /login/"]);
  });

  const tooEarly = { detail: "is an answer: the bank asks for it after the login" };
  const otp = field("otp", { interactive: true });
  const company = field("company_code");
  test.each<[what: string, listed: { name: string }[], typed: Record<string, string>, string, string, object?]>([
    ["a field that is missing", [...listed, company], {}, "missing_field", "company_code"],
    ["a field that the bank does not list", listed, { shoe_size: "42" }, "unknown_field", "shoe_size"],
    ["the missing field before the unknown one", [company], { shoe_size: "42" }, "missing_field", "company_code"],
    ["an interactive field, which is too early", [...listed, otp], { otp: "8888" }, "unknown_field", "otp", tooEarly],
    ["a missing field called like a member of every object", [field("valueOf")], {}, "missing_field", "valueOf"],
  ])("names %s, and sends no login", async (_, fields, typed, code, name, more) => {
    const { service, outcome } = await start(fields, typed);
    const error = await outcome.catch((fault: unknown) => fault);
    expect(error).toBeInstanceOf(BankError);
    expect({ ...(error as BankError) }).toEqual({ code, field: name, ...more });
    expect(service.lines()).toEqual(["GET /provider/test/"]);
  });

  test.each([
    ["the bank lists the provider as a field", [field("provider"), ...listed], {}],
    ["an optional field is absent", [...listed, field("branch", { optional: true })], {}],
    ["an optional field is there", [...listed, field("branch", { optional: true })], { branch: "north" }],
    ["an interactive field is absent", [...listed, otp], {}],
    ["the bank doesn't list the username and the password", [], {}],
  ])("sends the login if %s", async (_, fields, typed) => {
    const { outcome } = await start(fields, typed);
    expect((await outcome).status).toBe("logged_in");
  });

  test("ends with provider_doesnt_exist for an unknown provider, and sends no login", async () => {
    const sandbox = await startSandbox();
    const outcome = await login(sandbox.client(), { ...person, provider: "nobody", validate: true });
    expect(outcome).toStrictEqual({ ...failed("provider_doesnt_exist", { httpStatus: 404 }), provider: "nobody" });
    expect(sandbox.lines()).toEqual(["GET /provider/nobody/"]);
  });

  test("rejects where the fields can't be read, and posts nothing", async () => {
    const { service, outcome } = await logIn([{ text: "<html>" }, loggedIn("key-1")], { validate: true });
    await expect(outcome).rejects.toMatchObject({
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
