import { type FailureCode, type Locale, loginView } from "ventanilla";
import type { LoginEvent } from "ventanilla/machines/login";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { failureView } from "../../../src/core/view/login-view.ts";
import { bankWith, expectedId, expectedSecret, field } from "../../bank/service.ts";
import type { LoginCaseName } from "../../machines/login-cases.ts";
import { loginScreens, question, refused } from "./login-screens.ts";
import { detail, frozen, loginAfter, on, outbox, testScreens, unused } from "./screens.ts";

const draw = (path: readonly LoginCaseName[], settings = {}, locale: Locale = "en", bank = detail) => {
  const snapshot = frozen(loginAfter(settings, ...path));
  const { sent, actor, goOn } = outbox<typeof snapshot, LoginEvent>(snapshot);
  const look = () => loginView(snapshot, actor, { provider: "test", detail: bank, locale });
  return { view: look(), look, sent, goOn };
};

testScreens(loginScreens, ({ path, settings }) => draw(path, settings));

describe.each([
  ["idle", []],
  ["failed", refused],
] as const)("submitting while %s", (step, path) => {
  const typed = { username: "ana-of-nobody", password: "word-of-nobody", type: "corp", company_code: "" };
  const submit = (values: object) => {
    const { view, sent } = draw(path);
    on(view, step).submit(values as Record<string, string>);
    return sent;
  };

  test.each([
    ["leaves an empty optional field out", "", {}],
    ["sends one that is filled in", "7701", { company_code: expectedSecret("7701") }],
  ])("sends one event with secrets, and %s", (_, company_code, more) => {
    const sent = submit({ ...typed, company_code });
    const fields = {
      username: expectedSecret("ana-of-nobody"),
      password: expectedSecret("word-of-nobody"),
      type: expectedSecret("corp"),
      ...more,
    };
    expect(sent).toEqual([
      {
        type: "credentials.submit",
        credentials: { id: expectedId, token: expect.any(Object), provider: "test", fields },
      },
    ]);
    expect(JSON.stringify(sent)).not.toMatch(/of-nobody|corp|7701/);
  });

  const [needed, choose] = ["Fill this in.", "Choose an option."];

  test.each<[typed: object, errors: object]>([
    [{}, { username: needed, password: needed, type: choose }],
    [{ ...typed, username: " " }, { username: needed }],
    [{ ...typed, type: "" }, { type: choose }],
    [{ ...typed, type: "another" }, { type: choose }],
    [{ ...typed, type: true }, { type: choose }],
    [{ ...typed, company_code: 7701 }, { company_code: needed }],
    [{ ...typed, password: "\ud800" }, { password: "Type this again." }],
  ])("sends nothing, throws nothing, and says what is wrong with $0", (values, errors) => {
    const { view, sent } = draw(path);
    expect(on(view, step).submit(values as Record<string, string>)).toEqual(errors);
    expect(sent).toEqual([]);
  });

  test("takes a form of the page, of which it reads the fields of the bank", () => {
    const { view, sent } = draw(path);
    const form = new FormData();
    expect(on(view, step).submit(form)).toEqual({ username: needed, password: needed, type: choose });
    for (const [name, value] of Object.entries({ ...typed, csrf: "a token of the page" })) form.set(name, value);
    expect(on(view, step).submit(form)).toBeUndefined();
    const fields = { username: expect.anything(), password: expect.anything(), type: expect.anything() };
    expect(sent).toEqual([
      {
        type: "credentials.submit",
        credentials: { id: expectedId, token: expect.any(Object), provider: "test", fields },
      },
    ]);
  });

  test.each([
    ["values", null],
    ["values", "ana"],
    ["otp", { ...typed, otp: 8888 }],
    ["fields.provider", { ...typed, provider: "test" }],
  ])("names $0, which a program gave by mistake: $1", (field, values) => {
    expect(() => submit(values as object)).toThrow(expect.objectContaining({ code: "invalid_input", field }));
  });
});

test("an answer is sent as a secret, without the spaces of a copied code, and an empty one is refused", () => {
  const { view, sent } = draw(question);
  expect(on(view, "awaitingInteraction").answer(" ")).toEqual({ otp: "Fill this in." });
  expect(sent).toEqual([]);
  expect(on(view, "awaitingInteraction").answer(" 8888 9999\n")).toBeUndefined();
  expect(sent).toEqual([{ type: "interaction.answer", answer: { otp: expectedSecret("88889999") } }]);
  expect(JSON.stringify(sent)).not.toContain("88889999");
});

describe("a message that is pasted in place of the code", () => {
  test.each([
    ["Su codigo es 123456. No lo comparta.", "123456"],
    ["123456 es su código Itaú", "123456"],
    ["Código: 123456", "123456"],
    ["123456\nItaú", "123456"],
    ["G-123456", "123456"],
    ["123 456", "123456"],
    ["ABC123456", "ABC123456"],
    ["Compra de 15000 en Tienda. Código: 482913", "Compra de 15000 en Tienda. Código: 482913"],
    ["no llegó nada", "no llegó nada"],
  ])("shows what is sent: %j", (text, shown) => {
    expect(on(draw(question).view, "awaitingInteraction").readPaste("otp", text)).toBe(shown);
  });

  test.each<[Locale, text: string]>([
    ["en", "Type the code alone, without the rest of the message."],
    ["es", "Escriba solo el código, sin el resto del mensaje."],
    ["pt", "Digite só o código, sem o resto da mensagem."],
  ])("is not sent, with one number or with several (%s)", (locale, text) => {
    const { view, sent } = draw(question, {}, locale);
    for (const message of ["Su código es 123456", "15000 pesos. Código: 482913", "no llegó"]) {
      expect(on(view, "awaitingInteraction").answer(message)).toEqual({ otp: text });
    }
    expect(sent).toEqual([]);
  });
});

test.each<[Locale, text: string]>([
  ["en", "You are offline, so nothing was sent. Continue when the connection is back."],
  ["es", "No hay conexión: no se envió nada. Continúe cuando vuelva la conexión."],
  ["pt", "Sem conexão: nada foi enviado. Continue quando a conexão voltar."],
])("in %s, a form that can be sent says that there is no connection", (locale, text) => {
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal("navigator", { onLine: false });
  const { view, sent } = draw([], {}, locale);
  const form = on(view, "idle");
  expect(form.submit({ username: "ana", password: "word", type: "corp" })).toEqual({ "": text });
  expect(Object.keys(form.submit({ username: "ana" }) ?? {})).toEqual(["password", "type"]);
  expect(sent).toEqual([]);
});

test.each<[Locale, label: string, option: string, failure: string]>([
  ["en", "Account", "Company", "The user name, the password or another detail is not right. Check them and try again."],
  [
    "es",
    "Cuenta",
    "Empresa",
    "El usuario, la contraseña u otro dato no son correctos. Revíselos y vuelva a intentarlo.",
  ],
  ["pt", "Tipo", "Empresa", "Usuário, senha ou outro dado incorreto. Confira e tente novamente."],
])("in %s, the form and the failure are in the person's language", (locale, label, option, text) => {
  const view = on(draw(refused, {}, locale).view, "failed");
  const type = view.form.fields.find(({ name }) => name === "type");
  expect([type?.label, type?.choices[1]?.label, view.failure.text]).toEqual([label, option, text]);
});

test("the fields that the bank misses are marked in the person's language, unless the form lacks them", () => {
  const { machine, context } = loginAfter({});
  const missingFields = ["type", "company_code", "otp", "__proto__", "no_such_field"];
  const failure = { kind: "outcome", code: "missing_credentials", missingFields } as const;
  const snapshot = machine.resolveState({ value: "failed", context: { ...context, failure } });
  const view = loginView(snapshot, unused, { provider: "test", detail, locale: "es" });
  expect(on(view, "failed").fieldErrors).toEqual({ type: "Elija una opción.", company_code: "Complete este dato." });
});

test("a view speaks a fourth language by the words that it is given", () => {
  const { machine, context } = loginAfter({});
  const failure = {
    kind: "outcome",
    code: "missing_credentials",
    missingFields: ["company_code"],
    retryAfter: 5_000,
  } as const;
  const snapshot = machine.resolveState({ value: "failed", context: { ...context, failure } });
  const texts = {
    failures: { missing_credentials: "Il manque une information." },
    labels: { username: "Identifiant" },
    forms: { needed: "Remplissez ce champ.", timeToWait: "Attente :" },
  };
  const view = on(loginView(snapshot, unused, { provider: "test", locale: "xx-CA", texts }), "failed");
  expect(view.failure.text).toBe("Il manque une information. Attente : 5 s.");
  expect(view.form.fields.map(({ label }) => label)).toEqual(["Identifiant", "Password"]);
  expect(view.submit({ username: "ana" })).toEqual({ password: "Remplissez ce champ." });
});

test("a bank's label in a fourth language comes first, then the word that was given, then English", () => {
  const { machine, context } = loginAfter({});
  const listed = bankWith(
    field({ name: "username", label_xx: "Numéro de carte", label_en: "Card" }),
    field({ name: "password", label_en: "PIN" }),
    field({ name: "type", label_en: "Kind" }),
  );
  const options = { provider: "test", detail: listed, locale: "xx", texts: { labels: { password: "Mot de passe" } } };
  const view = on(loginView(machine.resolveState({ value: "idle", context }), unused, options), "idle");
  expect(view.form.fields.map(({ label }) => label)).toEqual(["Numéro de carte", "Mot de passe", "Type"]);
});

test.each<[code: string | undefined, shown: FailureCode | "no_such_code", recovery: string]>([
  ["user_blocked", "user_blocked", "contactBank"],
  ["provider_unavailable", "provider_unavailable", "wait"],
  // From a store of another version.
  ["no_such_code", "unexpected_fault", "report"],
  [undefined, "unexpected_fault", "report"],
])("the failure %s shows as %s with the recovery %s", (code, shown, recovery) => {
  const { machine, context } = loginAfter({});
  const failure = code ? ({ kind: "fault", code: code as FailureCode, retryAfter: 5_000 } as const) : undefined;
  const view = loginView(machine.resolveState({ value: "failed", context: { ...context, failure } }), unused, {
    provider: "test",
  });
  expect(on(view, "failed").failure).toMatchObject({
    kind: "fault",
    code: shown,
    recovery,
    ...(code && { retryAfter: 5_000 }),
  });
});

test.each<[Locale, retryAfter: number | undefined, end: string]>([
  ["en", undefined, "try again."],
  ["en", 0, "try again."],
  ["en", 1, "try again. Time to wait: 1 s."],
  ["en", 90_000, "Time to wait: 90 s."],
  ["es", 90_001, "Tiempo de espera: 2 min."],
  ["pt", 7_200_000, "Tempo de espera: 120 min."],
])("in %s, a failure after which the service asks to wait %s ms says how long", (locale, retryAfter, end) => {
  const failure = { kind: "fault", code: "rate_limited", retryAfter } as const;
  expect(failureView(failure, { locale }).text).toMatch(new RegExp(`\\w.* ?${end}$`));
});
