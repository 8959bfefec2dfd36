import { interactionKind } from "ventanilla";
import { describe, expect, test } from "vitest";
import type { LoginFields } from "../../src/core/api/client.ts";
import { isSecret } from "../../src/core/api/reveal.ts";
import { keyIn, known, readProvider, sandbox } from "./sandbox.ts";

describe("3 POST /login/ with the non-interactive fields", () => {
  const key = expect.toSatisfy((value: unknown) => isSecret(value), "is a secret");
  const refusal = (status: string, httpStatus: number) => ({ status, httpStatus, wire: { status } });
  const minimal = known("minimo_bo", "plain");

  test.each<[sentence: string, form: LoginFields, response: object]>([
    ["valid credentials: logged_in, with a key", known("test", "12345", "gfdsa"), { status: "logged_in", key }],
    [
      "a provider that needs an interactive step: interaction_required, with key, context and field",
      known("brou_pers_uy_mock", "12345", "asdfg"),
      { status: "interaction_required", context: "Token required", field: "token", key },
    ],
    [
      "invalid credentials: wrong_credentials, without a key",
      { ...known("minimo_bo", "plain", "guess"), document_number: "4455667" },
      refusal("wrong_credentials", 403),
    ],
    ["a credentials field missing: missing_credentials, without a key", minimal, refusal("missing_credentials", 400)],
    [
      "a client must be chosen: select_client",
      { ...known("canal_pa", "newkey"), company_code: "7701" },
      { status: "select_client", key },
    ],
  ])("3 %s", async (_, form, response) => {
    expect(await sandbox.login(form)).toEqual(response);
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
      expect(interactionKind({ ...required, field }, { detail: await readProvider(provider) })).toMatchObject({ kind });
    },
  );
});

describe("3 the second login", () => {
  const credentials = known("test", "12345otp", "asdfg");

  test("3 and 5.4 the same form plus the interactive field and the key: a login response", async () => {
    const key = keyIn(await sandbox.login(credentials));
    expect((await sandbox.login({ ...credentials, otp: "8888" }, { key })).status).toBe("logged_in");
  });

  test("3 and 5.4 without the key it is a first login again", async () => {
    await sandbox.login(credentials);
    expect((await sandbox.login({ ...credentials, otp: "8888" })).status).toBe("interaction_required");
  });
});
