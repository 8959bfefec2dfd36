import { type AuthField, type Locale, loginView, type ProviderDetail, type QuestionView } from "ventanilla";
import { describe, expect, test } from "vitest";
import { createPng, dataUrl, gif, jpeg, png, webp } from "../api/pictures.ts";
import { loginAfter } from "./screens.ts";

const choice = (name: string) => ({ name, label_en: `Label of ${name}`, label_es: `Nombre de ${name}` });

/** A bank that lists one more field than a username and a password. */
const bankWith = (listed: Partial<AuthField> & { name: string }): ProviderDetail => ({
  name: "Bank",
  country: "UY",
  account_type: [],
  auth_fields: [{ type: "text", interactive: true, optional: true, ...listed }],
});

const viewQuestion = (field: string, context: string, detail?: ProviderDetail, locale: Locale = "en"): QuestionView => {
  const { machine, context: known } = loginAfter({});
  const interaction = { field, context, number: 1, isRepeat: false, answersSent: 0 };
  const snapshot = machine.resolveState({ value: "awaitingInteraction", context: { ...known, interaction } });
  const view = loginView(snapshot, () => {}, { provider: "test", detail, locale });
  return view.step === "answering" ? view.question : expect.fail(view.step);
};

type Row = [kind: QuestionView["kind"], field: string, context: string, listed?: Partial<AuthField>, shows?: object];

// By the contract: section 2.2 (name, type, and the choices that come with it), 2.3 (field, context), 3 (a captcha, a security
// question, a token or 2FA confirmation).
describe("the kind of an interaction", () => {
  test.each<Row>([
    // What the text is.
    ["picture", "captcha", dataUrl("image/png", png), {}, { picture: { mediaType: "image/png" } }],
    ["picture", "captcha", jpeg, {}, { picture: { mediaType: "image/jpeg" } }],
    ["picture", "personal_question", dataUrl("image/gif", gif), {}, { picture: { mediaType: "image/gif" } }],
    ["picture", "token", dataUrl("image/webp", webp), { type: "password" }, { picture: { mediaType: "image/webp" } }],
    ["picture", "captcha", "data:image/svg+xml,<svg onload='alert(1)'/>", {}, { picture: undefined }],
    ["picture", "captcha", createPng(60_000, 60_000), {}, { picture: undefined }],
    ["picture", "card", png, { choices: [choice("a"), choice("b")] }, { field: { input: "select" } }],
    ["question", "captcha", "Captcha: 3+4?"],
    ["question", "captcha", "javascript:alert(1)"],
    ["question", "captcha", "data:text/html,<script>alert(1)</script>"],

    // What the bank lists for the field.
    ["choices", "phone", "Where to?", { type: "choice", choices: [choice("a"), choice("b")] }],
    ["choices", "phone", "Where to?", { type: "text", choices: [choice("a"), choice("b")] }],
    ["choices", "otp", "Which code?", { type: "choice", choices: [choice("a"), choice("b")] }],
    ["choices", "device", "Where to?", { type: "choice", choices: [choice("a")] }],
    ["choices", "confirmation", "How?", { type: "choice", choices: [choice("a"), choice("b")] }],
    ["confirmation", "confirmation", "", { type: "choice", choices: [choice("ok")] }, { answer: "ok" }],
    ["confirmation", "push", "A code is in your app", { choices: [choice("ok")], default: "no" }, { answer: "ok" }],
    ["question", "phone", "Where to?", { type: "choice" }],
    ["question", "phone", "Where to?", { type: "choice", choices: [] }],

    // What the field is called.
    ["code", "otp", "OTP required"],
    ["code", "otp", ""],
    ["code", "token", "Token required", { type: "password" }],
    ["code", "sms_code", "Enviamos un código"],
    ["code", "code", "Code?"],
    ["confirmation", "app_confirmation", "Confirme el ingreso en su app", {}, { answer: "true" }],
    ["confirmation", "confirmation", "", { default: "done" }, { answer: "done" }],
    ["confirmation", "push", "We sent a message to your telephone"],
    ["confirmation", "push_notification", ""],
    ["confirmation", "app_approval", "Approve the login"],
    ["confirmation", "autorizacion", "Autorice el ingreso"],
    // A text that is to be typed in has to be typed in, whatever the field is called.
    ["question", "confirmation", "Type the code of your mail"],
    ["question", "confirmation", "Ingrese el código"],
    ["question", "confirmation", "What is your lucky number?"],
    ["question", "confirm_password", "Again, please"],
    ["question", "app_version", ""],
    ["question", "personal_question", "¿Cómo se llamaba su primera mascota?"],
    ["question", "anything", ""],
    ["question", "constructor", "?"],
  ])("is %s: %s, %j, %j", (kind, field, context, listed, shows = {}) => {
    const detail = listed && bankWith({ ...listed, name: field });
    expect(viewQuestion(field, context, detail)).toMatchObject({ kind, ...shows });
  });
});

describe("a question shows", () => {
  test.each<[Locale, RegExp, RegExp, RegExp]>([
    ["en", /^Type the characters that the picture shows\.$/, /^Picture from your bank /, /can't be shown\. Cancel/],
    ["es", /^Escriba los caracteres /, /^Imagen de su banco /, /no se puede mostrar\. Cancele/],
    ["pt", /^Digite os caracteres /, /^Imagem do seu banco /, /não pode ser mostrada\. Cancele/],
  ])("a picture with what to do and what stands for it, in %s", (locale, text, alt, missing) => {
    const url = dataUrl("image/png", png);
    const shown = viewQuestion("captcha", png, undefined, locale);
    expect(shown).toMatchObject({
      text: expect.stringMatching(text),
      picture: { url, width: 12, height: 7, alt: expect.stringMatching(alt) },
      field: { input: "text", autocomplete: "off", inputMode: "text" },
    });
    expect(viewQuestion("captcha", "data:,", undefined, locale)).toMatchObject({
      text: expect.stringMatching(missing),
      picture: undefined,
    });
  });

  test("a code in a picture as no code of a message", () => {
    expect(viewQuestion("otp", png).field).toMatchObject({ autocomplete: "off", inputMode: "text" });
  });

  test("choices in the person's language, to choose from", () => {
    const detail = bankWith({ name: "phone", choices: [choice("a"), choice("b")] });
    const choices = [
      { value: "a", label: "Nombre de a" },
      { value: "b", label: "Nombre de b" },
    ];
    expect(viewQuestion("phone", "¿A cuál?", detail, "es")).toMatchObject({
      choices,
      field: { input: "select", choices },
    });
  });

  test.each<[Locale, string]>([
    ["en", "Confirm the login in your bank's app. Then go on here."],
    ["es", "Confirme el ingreso en la app de su banco. Después continúe aquí."],
    ["pt", "Confirme o acesso no app do seu banco. Depois continue aqui."],
  ])("a confirmation with nothing to type in, and what to do where the bank does not say, in %s", (locale, text) => {
    const detail = bankWith({ name: "confirmation", choices: [choice("ok")] });
    const field = { input: "hidden", initial: "ok", choices: [] };
    expect(viewQuestion("confirmation", "", detail, locale)).toMatchObject({ text, field });
    expect(viewQuestion("confirmation", "In the app, please", detail, locale)).toMatchObject({
      text: "In the app, please",
      field,
    });
  });
});
