import { interactionKind, reveal } from "ventanilla";
import { describe, expect, test } from "vitest";
import { bankThatSays, FORM, SESSION_KEY } from "../api/server.ts";
import { createSandboxClient } from "./sandbox.ts";

const sandbox = createSandboxClient();

describe("3 POST /login/ with the non-interactive fields", () => {
  test("3 valid credentials at a provider without interaction: logged_in, with a key", async () => {
    const answer = await sandbox.login({ provider: "test", username: "12345", password: "gfdsa" });
    if (answer.status !== "logged_in" || !answer.key) expect.fail(answer.status);
    expect((await sandbox.listTransferDestinations(answer.key)).status).toBe("success");
  });

  test("3 a provider that needs an interactive step: interaction_required, with key, context and field", async () => {
    const required = await sandbox.login({ provider: "brou_pers_uy_mock", username: "12345", password: "asdfg" });
    expect(required).toMatchObject({ status: "interaction_required", context: "Token required", field: "token" });
    expect(required).toHaveProperty("key");
    const byHand = { status: "interaction_required", key: SESSION_KEY, context: "Captcha: 3+4?", field: "captcha" };
    const { client } = await bankThatSays({ json: byHand });
    const answer = await client.login(FORM);
    if (answer.status !== "interaction_required" || !answer.key) expect.fail(answer.status);
    const { key, ...rest } = answer;
    expect({ ...rest, key: reveal(key) }).toEqual(byHand);
  });

  test.each([
    ["a captcha", "mirador_gt", "captcha", "captcha", "picture"],
    ["a captcha without its address", "mirador_gt", "card", "captcha", "picture"],
    ["a security question", "cordillera_cl", "question", "personal_question", "question"],
    ["a token", "ceibo_ar", "company", "token", "code"],
    ["a one-time code", "faro_uy", "otp", "otp", "code"],
    ["a 2FA confirmation", "mirador_gt", "confirm", "app_confirmation", "confirmation"],
    ["a choice", "mirador_gt", "channel", "channel", "choices"],
  ])(
    "3 the interactive step can be %s: context, field and auth_fields tell",
    async (_, provider, username, field, kind) => {
      const [read, required] = await Promise.all([
        sandbox.getProvider(provider),
        sandbox.login({
          provider,
          username,
          password: "s3creto",
          ...(provider === "ceibo_ar" && { type: "corp" }),
        }),
      ]);
      if (required.status !== "interaction_required" || read.status !== "success") expect.fail(required.status);
      expect(required).toMatchObject({ field, context: expect.any(String), key: expect.anything() });
      expect(interactionKind(required, { detail: read.provider })).toMatchObject({ kind });
    },
  );

  test("3 invalid credentials: wrong_credentials, without a key", async () => {
    const bare = { provider: "minimo_bo", username: "plain", password: "guess", document_number: "4455667" };
    const answer = await sandbox.login(bare);
    expect(answer).toEqual({ status: "wrong_credentials", httpStatus: 403, wire: { status: "wrong_credentials" } });
  });

  test("3 a credentials field missing: missing_credentials, without a key", async () => {
    const answer = await sandbox.login({ provider: "minimo_bo", username: "plain", password: "s3creto" });
    expect(answer).toEqual({ status: "missing_credentials", httpStatus: 400, wire: { status: "missing_credentials" } });
  });

  test("3 a client must be chosen: select_client", async () => {
    const canal = { provider: "canal_pa", username: "newkey", password: "s3creto", company_code: "7701" };
    expect((await sandbox.login(canal)).status).toBe("select_client");
    const { client } = await bankThatSays({ json: { status: "select_client" } });
    expect(await client.login(FORM)).toEqual({ status: "select_client" });
  });
});

describe("3 the second login", () => {
  const credentials = { provider: "test", username: "12345otp", password: "asdfg" };

  async function ask() {
    const required = await sandbox.login(credentials);
    if (required.status !== "interaction_required" || !required.key) expect.fail(required.status);
    return { field: required.field, key: required.key };
  }

  test("3 the same provider, username and password plus the interactive field and the key: a login response", async () => {
    const { field, key } = await ask();
    const done = await sandbox.login({ ...credentials, [field]: "8888" }, { key });
    expect(done.status).toBe("logged_in");
  });

  test("3 without the key it is a first login again", async () => {
    const { field } = await ask();
    const answer = await sandbox.login({ ...credentials, [field]: "8888" });
    expect(answer.status).toBe("interaction_required");
  });

  test("3 it goes to /login/?key= with the same fields and the interactive one", async () => {
    const { client, requests } = await bankThatSays(
      { json: { status: "interaction_required", key: SESSION_KEY, context: "Code?", field: "otp" } },
      { json: { status: "logged_in", key: SESSION_KEY } },
    );
    const required = await client.login({ provider: "test", username: "a user", password: "p&ss" });
    if (required.status !== "interaction_required" || !required.key) expect.fail(required.status);
    await client.login({ provider: "test", username: "a user", password: "p&ss", otp: "8888" }, { key: required.key });
    expect(requests.map(({ method, url, body }) => [method, url, body])).toEqual([
      ["POST", "/login/", "provider=test&username=a+user&password=p%26ss"],
      ["POST", `/login/?key=${SESSION_KEY}`, "provider=test&username=a+user&password=p%26ss&otp=8888"],
    ]);
  });
});
