import { readFile } from "node:fs/promises";
import {
  type AuthField,
  type InteractionPrompt,
  interactionKind,
  type Locale,
  type ProviderDetail,
  type QuestionView,
} from "ventanilla";
import type { SettableKind } from "ventanilla/machines/login";
import { describe, expect, test } from "vitest";
import { loginScenarios } from "../../../src/tools/testing/login-scenarios.ts";
import { bankWith, field } from "../../bank/service.ts";
import { dataUrl, gif, jpeg, png, pngOfBytes, webp } from "../api/pictures.ts";
import { showQuestion } from "./screens.ts";

const choice = (name: string) => ({ name, label_en: `Label of ${name}`, label_es: `Nombre de ${name}` });

/** An interactive field. */
const listAs = (name: string, members: Partial<AuthField> = {}) =>
  field({ interactive: true, optional: true, ...members, name });

// Every screen is tested with these: a kind without one would be shown by none.
const scenarios = {
  picture: "the bank shows a picture",
  confirmation: "the bank wants the login confirmed",
  choices: "the bank asks where the code goes",
  code: "the bank asks for a one-time code",
  question: "the bank asks a personal question",
} as const satisfies Record<QuestionView["kind"], string>;

test.each(Object.entries(scenarios))("the kind %s has a scenario, and a row in the guide", async (kind, name) => {
  expect(loginScenarios.map(({ when }) => when)).toContain(name);
  expect(await readFile(new URL("../../../docs/guide.md", import.meta.url), "utf8")).toContain(`\n| \`${kind}\` |`);
});

// Whoever has a code types it; an empty answer confirms.
const optional = { answer: "true", field: { input: "text", required: false, initial: "" } };

type Row = [kind: QuestionView["kind"], field: string, context: string, listed?: Partial<AuthField>, shows?: object];

// By the contract: section 2.2 (name, type, and the choices that come with it), 2.3 (field, context), 3 (a captcha, a security
// question, a token or 2FA confirmation).
const rows: readonly Row[] = [
  // By the text.
  ["picture", "captcha", dataUrl("image/png", png), {}, { picture: { mediaType: "image/png" } }],
  ["picture", "captcha", jpeg, {}, { picture: { mediaType: "image/jpeg" } }],
  ["picture", "personal_question", dataUrl("image/gif", gif), {}, { picture: { mediaType: "image/gif" } }],
  ["picture", "token", dataUrl("image/webp", webp), { type: "password" }, { picture: { mediaType: "image/webp" } }],
  ["picture", "captcha", "data:image/svg+xml,<svg onload='alert(1)'/>", {}, { picture: undefined }],
  ["picture", "captcha", pngOfBytes(200_000), {}, { picture: undefined }],
  ["picture", "card", png, { choices: [choice("a"), choice("b")] }, { field: { input: "select" } }],
  ["question", "captcha", "Captcha: 3+4?"],
  ["question", "captcha", "javascript:alert(1)"],
  ["question", "captcha", "data:text/html,<script>alert(1)</script>"],

  // By what the bank lists for the field.
  ["choices", "phone", "Where to?", { type: "choice", choices: [choice("a"), choice("b")] }],
  ["choices", "phone", "Where to?", { type: "text", choices: [choice("a"), choice("b")] }],
  ["choices", "otp", "Which code?", { type: "choice", choices: [choice("a"), choice("b")] }],
  ["choices", "device", "Where to?", { type: "choice", choices: [choice("a")] }],
  ["choices", "confirmation", "How?", { type: "choice", choices: [choice("a"), choice("b")] }],
  ["confirmation", "confirmation", "", { type: "choice", choices: [choice("ok")] }, { answer: "ok" }],
  ["confirmation", "push", "A code is in your app", { choices: [choice("ok")], default: "no" }, { answer: "ok" }],
  ["question", "phone", "Where to?", { type: "choice" }],
  ["question", "phone", "Where to?", { type: "choice", choices: [] }],

  // By the name of the field.
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
  // By the text, whatever the field is called.
  ["confirmation", "otp", "Confirme el ingreso en la app de Banco Mirador", {}, optional],
  ["confirmation", "token", "Apruebe la operación desde su aplicación", { type: "password" }, { answer: "true" }],
  ["confirmation", "otp", "Autorice el acceso en la App", { default: "ok" }, { answer: "ok" }],
  ["confirmation", "otp", "Aprove o acesso no aplicativo do banco", {}, optional],
  ["confirmation", "token", "Confirme no app", {}, optional],
  ["confirmation", "otp", "Approve the login in your bank's app", {}, optional],
  ["confirmation", "personal_question", "Please authorise this login\nin the mobile app", {}, optional],
  ["code", "otp", "Confirme con el código de la app"],
  ["code", "token", "Confirm the login in the app, or type the code"],
  ["code", "otp", "Abra la app de su banco"],
  ["code", "otp", "Confirme su ingreso"],
  ["code", "otp", "Confirm your happiness"],
  ["question", "personal_question", "¿Confirma que usa la app?"],
  // If the text says to type something, the name of the field does not matter.
  ["question", "confirmation", "Type the code of your mail"],
  ["question", "confirmation", "Ingrese el código"],
  ["question", "confirmation", "What is your lucky number?"],
  ["question", "confirm_password", "Again, please"],
  ["question", "app_version", ""],
  ["question", "personal_question", "¿Cómo se llamaba su primera mascota?"],
  ["question", "anything", ""],
  ["question", "constructor", "?"],
];

test("each kind has a row that shows its text", () => {
  expect(Object.keys(scenarios).filter((kind) => !rows.some(([shown]) => shown === kind))).toEqual([]);
});

describe("the kind of an interaction", () => {
  test.each(rows)("is %s: %s, $2, $3", (kind, field, context, listed, shows = {}) => {
    const bank = listed && bankWith(listAs(field, listed));
    expect(showQuestion({ field, context }, bank)).toMatchObject({ kind, ...shows });
  });
});

const [typed, anyText] = [
  { field: { input: "text", autocomplete: "one-time-code", required: true } },
  { field: { input: "text", autocomplete: "off", inputMode: "text", required: true } },
];
const choosing = { type: "choice", choices: [choice("a"), choice("b")] };

describe("a kind that is set for a bank's field", () => {
  test.each<[set: SettableKind, Row: Row]>([
    ["confirmation", ["confirmation", "otp", "Código", {}, { answer: "true", field: { input: "hidden" } }]],
    ["confirmation", ["confirmation", "otp", "", { default: "ok" }, { answer: "ok", field: { initial: "ok" } }]],
    ["confirmation", ["confirmation", "push", "Ingrese el código"]],
    ["code", ["code", "clave", "Clave de la tarjeta", { type: "password" }, typed]],
    ["code", ["code", "push", "Number in the app", {}, typed]],
    ["code", ["code", "otp", "Confirme en la app", {}, typed]],
    ["question", ["question", "otp", "OTP required", {}, anyText]],
    ["question", ["question", "token", "Confirme en la app", {}, anyText]],
    // A picture has to be seen, and a choice made.
    ["confirmation", ["picture", "captcha", png]],
    ["code", ["choices", "otp", "Which code?", choosing, { field: { input: "select" } }]],
  ])("%s: is $1", (set, [kind, field, context, listed = {}, shows = {}]) => {
    const settings = { interactionKinds: { test: { [field]: set } } };
    const shown = showQuestion({ field, context }, bankWith(listAs(field, listed)), "en", settings);
    expect(shown).toMatchObject({ kind, ...shows });
  });

  test.each([{}, { test: {} }, { test: { token: "confirmation" } }, { other: { otp: "confirmation" } }] as const)(
    "has no effect on another bank or field: %j",
    (interactionKinds) => {
      expect(showQuestion({ field: "otp", context: "" }, undefined, "en", { interactionKinds }).kind).toBe("code");
    },
  );

  test("a bank and a field called like members of every object have none", () => {
    const asked = { field: "constructor", context: "?" };
    expect(interactionKind(asked, { provider: "constructor", interactionKinds: {} }).kind).toBe("question");
    expect(interactionKind(asked, { provider: "test", interactionKinds: { test: {} } }).kind).toBe("question");
  });
});

describe("a question shows", () => {
  test.each<[Locale, RegExp, RegExp, RegExp]>([
    [
      "en",
      /^Type the characters that the picture shows\.$/,
      /^Picture from your bank /,
      /can't be shown\. Start again/,
    ],
    ["es", /^Escriba los caracteres /, /^Imagen de su banco /, /no se puede mostrar\. Empiece de nuevo/],
    ["pt", /^Digite os caracteres /, /^Imagem do seu banco /, /não pode ser mostrada\. Comece novamente/],
  ])("a picture with an instruction and an alternative text, in %s", (locale, text, alt, missing) => {
    const picture = { url: dataUrl("image/png", png), alt: expect.stringMatching(alt) };
    expect(showQuestion({ field: "captcha", context: png }, undefined, locale)).toMatchObject({
      text: expect.stringMatching(text),
      picture,
      field: { input: "text", autocomplete: "off", inputMode: "text" },
    });
    expect(showQuestion({ field: "captcha", context: "data:," }, undefined, locale)).toMatchObject({
      text: expect.stringMatching(missing),
      picture: undefined,
    });
  });

  test("choices in the person's language", () => {
    const bank = bankWith(listAs("phone", { choices: [choice("a"), choice("b")] }));
    const choices = [
      { value: "a", label: "Nombre de a" },
      { value: "b", label: "Nombre de b" },
    ];
    const shown = showQuestion({ field: "phone", context: "¿A cuál?" }, bank, "es");
    expect(shown).toMatchObject({ choices, field: { input: "select", autocomplete: "off", choices } });
  });

  test.each<[Locale, string]>([
    ["en", "Approve the login in your bank's app, then come back and continue here."],
    ["es", "Abra la app de su banco y autorice allí. Después vuelva y continúe aquí."],
    ["pt", "Autorize o acesso no app do seu banco. Depois volte e continue aqui."],
  ])("a confirmation without an input, with an instruction if the bank has none, in %s", (locale, text) => {
    const bank = bankWith(listAs("confirmation", { choices: [choice("ok")] }));
    const shown = showQuestion({ field: "confirmation", context: "" }, bank, locale);
    expect(shown).toMatchObject({ text, field: { input: "hidden", initial: "ok", choices: [] } });
    const said = showQuestion({ field: "confirmation", context: "In the app" }, bank, locale);
    expect(said.text).toBe("In the app");
  });

  const third = { number: 3, isRepeat: true, answersSent: 2 };

  test.each<[Locale, RegExp]>([
    ["en", /^The bank is asking again: it may not have accepted .* Tries so far: 2\.$/],
    ["es", /^El banco lo pide otra vez: quizás no aceptó .* Intentos hasta ahora: 2\.$/],
    ["pt", /^O banco pede outra vez: talvez não tenha aceitado .* Tentativas até agora: 2\.$/],
  ])("in %s that the bank asks again, and how many answers were sent", (locale, text) => {
    const shown = showQuestion(third, undefined, locale);
    expect(shown).toMatchObject({ ...third, repeatText: expect.stringMatching(text) });
  });

  test.each<[what: string, interaction: Partial<InteractionPrompt>, shows: object]>([
    ["no repeat for a snapshot of an earlier version", {}, { isRepeat: false, answersSent: 0, repeatText: undefined }],
    ["when the time to answer runs out", { expiresAt: 1_234 }, { expiresAt: 1_234 }],
  ])("%s", (_, interaction, shows) => {
    expect(showQuestion(interaction)).toMatchObject(shows);
  });
});

describe("the field of a question", () => {
  const code = { input: "text", autocomplete: "one-time-code", inputMode: "numeric", required: true };
  const open = { input: "text", autocomplete: "off", inputMode: "text", required: true };
  const hidden = field({ name: "token", type: "password", interactive: true, label_en: "Key", optional: true });

  test.each<[what: string, bank: ProviderDetail | undefined, name: string, shown: object]>([
    // An answer is always required.
    // Tokens with letters have been seen.
    [
      "the one that the bank lists, as a text",
      bankWith(hidden),
      "token",
      { ...code, label: "Key", initial: "", inputMode: "text" },
    ],
    ["a code of digits if it comes in a message", bankWith(), "sms_code", code],
    ["a code if the bank is unknown", undefined, "otp", { ...code, label: "One-time code" }],
    ["a code if the bank does not list it", bankWith(), "otp", code],
    ["a code if the bank lists it for the first login", bankWith(field({ name: "otp" })), "otp", code],
    ["no code", undefined, "personal_question", { ...open, label: "Your answer" }],
    [
      "hidden, and not filled in with a saved password",
      bankWith(field({ name: "pin", type: "password", interactive: true })),
      "pin",
      { ...open, input: "password", autocomplete: "new-password" },
    ],
    ["one with a name of the platform", bankWith(), "__proto__", { ...open, name: "__proto__" }],
    ["one with another name of the platform", bankWith(), "constructor", { ...open, name: "constructor" }],
  ])("is %s", (_, bank, name, shown) => {
    expect(showQuestion({ field: name }, bank).field).toMatchObject(shown);
  });

  test("is no code of a message below a picture", () => {
    expect(showQuestion({ field: "otp", context: png }).field).toMatchObject(open);
  });
});
