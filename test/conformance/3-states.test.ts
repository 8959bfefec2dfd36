import { interactionKind, reveal } from "ventanilla";
import { describe, expect, test } from "vitest";
import { clientThatReads, FORM, SESSION_KEY } from "../api/server.ts";
import { keyIn, known, readProvider, sandbox } from "./sandbox.ts";

describe("3 POST /login/ with the non-interactive fields", () => {
  test("3 valid credentials at a provider without interaction: logged_in, with a key", async () => {
    const response = await sandbox.login(known("test", "12345", "gfdsa"));
    expect(response.status).toBe("logged_in");
    expect((await sandbox.listTransferDestinations(keyIn(response))).status).toBe("success");
  });

  test("3 a provider that needs an interactive step: interaction_required, with key, context and field", async () => {
    const required = await sandbox.login(known("brou_pers_uy_mock", "12345", "asdfg"));
    expect(required).toMatchObject({ status: "interaction_required", context: "Token required", field: "token" });
    keyIn(required);
    const byHand = { status: "interaction_required", key: SESSION_KEY, context: "Captcha: 3+4?", field: "captcha" };
    const client = clientThatReads({ json: byHand });
    const response = await client.login(FORM);
    expect({ ...response, key: reveal(keyIn(response)) }).toEqual(byHand);
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
      const type = provider === "ceibo_ar" ? { type: "corp" } : {};
      const required = await sandbox.login({ ...known(provider, username), ...type });
      if (required.status !== "interaction_required") expect.fail(required.status);
      expect(required).toMatchObject({ field, context: expect.any(String), key: expect.anything() });
      expect(interactionKind(required, { detail: await readProvider(provider) })).toMatchObject({ kind });
    },
  );

  test("3 invalid credentials: wrong_credentials, without a key", async () => {
    const bare = { ...known("minimo_bo", "plain", "guess"), document_number: "4455667" };
    const answer = await sandbox.login(bare);
    expect(answer).toEqual({ status: "wrong_credentials", httpStatus: 403, wire: { status: "wrong_credentials" } });
  });

  test("3 a credentials field missing: missing_credentials, without a key", async () => {
    const answer = await sandbox.login(known("minimo_bo", "plain"));
    expect(answer).toEqual({ status: "missing_credentials", httpStatus: 400, wire: { status: "missing_credentials" } });
  });

  test("3 a client must be chosen: select_client", async () => {
    const canal = { ...known("canal_pa", "newkey"), company_code: "7701" };
    expect((await sandbox.login(canal)).status).toBe("select_client");
    const client = clientThatReads({ json: { status: "select_client" } });
    expect(await client.login(FORM)).toEqual({ status: "select_client" });
  });
});

describe("3 the second login", () => {
  const credentials = known("test", "12345otp", "asdfg");

  test("3 and 5.4 the same provider, username and password plus the interactive field and the key: a login response", async () => {
    const key = keyIn(await sandbox.login(credentials));
    expect((await sandbox.login({ ...credentials, otp: "8888" }, { key })).status).toBe("logged_in");
  });

  test("3 and 5.4 without the key it is a first login again", async () => {
    await sandbox.login(credentials);
    expect((await sandbox.login({ ...credentials, otp: "8888" })).status).toBe("interaction_required");
  });
});
