import {
  type AuthField,
  type FormField,
  type Locale,
  loginView,
  type ProviderDetail,
  reveal,
  type Secret,
  secret,
} from "ventanilla";
import { describe, expect, test } from "vitest";
import { loginAfter } from "./screens.ts";

const bankWith = (...auth_fields: AuthField[]): ProviderDetail => ({
  name: "Bank",
  country: "UY",
  account_type: [],
  auth_fields,
});

const field = (members: Partial<AuthField> & { name: string }): AuthField => ({
  type: "text",
  interactive: false,
  optional: false,
  ...members,
});

/** The fields of a bank's first login. */
const readFields = (detail: ProviderDetail | undefined, locale: Locale = "en"): readonly FormField[] => {
  const view = loginView(loginAfter({}), () => {}, { provider: "test", detail, locale });
  if (view.step !== "enteringCredentials") throw new Error(view.step);
  return view.form.fields;
};

/** One field of a bank's form, as it is shown. */
const shown = (members: Partial<AuthField> & { name: string }, locale: Locale = "en"): FormField | undefined =>
  readFields(bankWith(field(members)), locale).find(({ name }) => name === members.name);

/** The field that a question asks for. */
const findAnswerField = (detail: ProviderDetail | undefined, name: string, locale: Locale = "en"): FormField => {
  const { machine, context } = loginAfter({});
  const interaction = { field: name, context: "?", number: 1, isRepeat: false, answersSent: 0 };
  const snapshot = machine.resolveState({ value: "awaitingInteraction", context: { ...context, interaction } });
  const view = loginView(snapshot, () => {}, { provider: "test", detail, locale });
  if (view.step !== "answering") throw new Error(view.step);
  return view.question.field;
};

const username = { name: "username", input: "text", autocomplete: "username", required: true } as const;
const password = { name: "password", input: "password", autocomplete: "current-password", required: true } as const;

describe("the fields of a first login", () => {
  test("leave out the bank's code, where the bank lists it: it is known by now", () => {
    const detail = bankWith(field({ name: "provider" }), field({ name: "username" }), field({ name: "password" }));
    expect(readFields(detail).map(({ name }) => name)).toEqual(["username", "password"]);
  });

  test.each<[when: string, detail: ProviderDetail | undefined]>([
    ["nothing is known of the bank", undefined],
    ["the bank lists no field", bankWith()],
    ["the bank lists interactive fields only", bankWith(field({ name: "otp", interactive: true }))],
    ["the bank lists the two as interactive", bankWith(field({ name: "username", interactive: true }))],
  ])("are username and password where %s", (_, detail) => {
    expect(readFields(detail)).toMatchObject([username, password]);
  });

  test("are in the bank's order, with the two that every bank takes before them unless they are listed", () => {
    const names = (...fields: AuthField[]) => readFields(bankWith(...fields)).map(({ name }) => name);
    expect(names(field({ name: "type" }))).toEqual(["username", "password", "type"]);
    expect(names(field({ name: "type" }), field({ name: "password" }), field({ name: "username" }))).toEqual([
      "type",
      "password",
      "username",
    ]);
    expect(names(field({ name: "type" }), field({ name: "username" }))).toEqual(["password", "type", "username"]);
  });

  test("have none that is asked for later", () => {
    const fields = [field({ name: "otp", interactive: true }), field({ name: "company_code" })];
    expect(readFields(bankWith(...fields)).map(({ name }) => name)).toEqual(["username", "password", "company_code"]);
  });
});

describe("a user name that is known", () => {
  const formWith = (username: string | Secret | undefined, detail?: ProviderDetail) => {
    const view = loginView(loginAfter({}), () => {}, { provider: "test", detail, username });
    if (view.step !== "enteringCredentials") throw new Error(view.step);
    return view.form.fields;
  };
  const prefills = (fields: readonly FormField[]) =>
    fields.map(({ name, prefill }) => [name, prefill && reveal(prefill)]);

  test.each([
    ["a text", "ana-of-nobody"],
    ["a secret", secret("ana-of-nobody")],
  ])("given as %s stands in its field, and in the view for nobody to see", (_, username) => {
    const fields = formWith(username, bankWith(field({ name: "type" }), field({ name: "username" })));
    expect(prefills(fields)).toEqual([
      ["password", undefined],
      ["type", undefined],
      ["username", "ana-of-nobody"],
    ]);
    expect(JSON.stringify(fields)).not.toContain("of-nobody");
  });

  // What a secret becomes in JSON and in a structured clone is no user name.
  test.each([
    ["nothing", undefined],
    ["an empty text", ""],
    ["an empty secret", secret("")],
    ["what JSON leaves of a secret", String(secret("ana"))],
    ["what a clone leaves of a secret", structuredClone(secret("ana"))],
    ["the null of an attribute that was taken away", null],
  ])("that is %s leaves the field as the bank has it", (_, username) => {
    expect(prefills(formWith(username as string))).toEqual([
      ["username", undefined],
      ["password", undefined],
    ]);
  });

  test("chooses nothing where the bank lists the user names that there are", () => {
    const list = field({ name: "username", choices: [{ name: "ana" }] });
    expect(prefills(formWith("ana", bankWith(list)))).toContainEqual(["username", undefined]);
  });
});

describe("a label", () => {
  const labels = { label_en: "English", label_es: "Español" };
  // What the bank says in the language, else what is nearest.
  test.each<[why: string, Locale, Partial<AuthField> & { name: string }, string]>([
    ["the bank's English", "en", { name: "x", ...labels }, "English"],
    ["the bank's Spanish", "es", { name: "x", ...labels }, "Español"],
    [
      "the bank's Portuguese, which the contract does not have",
      "pt",
      { name: "x", ...labels, label_pt: "Língua" },
      "Língua",
    ],
    ["the Spanish for Portuguese, as the nearest", "pt", { name: "x", ...labels }, "Español"],
    ["the English for Portuguese where there is no Spanish", "pt", { name: "x", label_en: "English" }, "English"],
    ["a known name's Portuguese before the bank's Spanish", "pt", { name: "otp", ...labels }, "Código de uso único"],
    ["the Spanish where there is no English", "en", { name: "x", label_es: "Español" }, "Español"],
    ["the English where there is no Spanish", "es", { name: "x", label_en: "English" }, "English"],
    ["a known name where there is no label", "en", { name: "document_number" }, "Document number"],
    ["a known name where there is no label, in Spanish", "es", { name: "document_number" }, "Número de documento"],
    ["a known name where there is no label, in Portuguese", "pt", { name: "document_number" }, "Número do documento"],
    ["a known name where the labels are null", "en", { name: "token", label_en: null, label_es: null }, "Token"],
    ["a known name where the labels are blank", "es", { name: "password", label_en: "", label_es: "  " }, "Contraseña"],
    ["the Spanish where the English is blank", "en", { name: "x", label_en: " ", label_es: "Español" }, "Español"],
    ["the name in words where nothing is known", "es", { name: "branch_office-number" }, "Branch office number"],
    ["a text and nothing else", "pt", { name: "branch", label_pt: { text: "no" }, label_en: "Branch" }, "Branch"],
    ["the name in words where the name is one of the platform's", "en", { name: "constructor" }, "Constructor"],
    ["the name in words where the name is __proto__", "pt", { name: "__proto__" }, "Proto"],
  ])("is %s", (_, locale, members, label) => {
    expect(shown(members, locale)?.label).toBe(label);
  });

  test.each<[Locale, string[]]>([
    ["en", ["User", "Password"]],
    ["es", ["Usuario", "Contraseña"]],
    ["pt", ["Usuário", "Senha"]],
  ])("of the two that every bank takes is known in %s", (locale, labels) => {
    expect(readFields(undefined, locale).map(({ label }) => label)).toEqual(labels);
  });
});

describe("how a field is filled in", () => {
  const choices = [{ name: "a" }, { name: "b" }];
  // Types of the contract, section 2.2, and what has been seen beside them.
  test.each<[what: string, Partial<AuthField> & { name: string }, Partial<FormField>]>([
    ["a text", { name: "x" }, { input: "text", inputMode: "text", autocomplete: "off" }],
    ["a kind that is not known", { name: "x", type: "hologram" }, { input: "text", inputMode: "text" }],
    ["a password", { name: "pin", type: "password" }, { input: "password", autocomplete: "off" }],
    ["the password, whatever its type", { name: "password", type: "text" }, password],
    ["the username", { name: "username" }, username],
    ["a choice", { name: "x", type: "choice", choices }, { input: "select" }],
    ["choices of another type", { name: "x", type: "text", choices }, { input: "select" }],
    ["choices of a password", { name: "x", type: "password", choices }, { input: "select" }],
    ["a choice of nothing", { name: "x", type: "choice", choices: [] }, { input: "text" }],
    ["a choice that lists none", { name: "x", type: "choice" }, { input: "text" }],
    ["choices that are null", { name: "x", type: "choice", choices: null }, { input: "text", choices: [] }],
    ["a number", { name: "x", type: "number" }, { inputMode: "numeric" }],
    ["a numeric", { name: "x", type: "numeric" }, { inputMode: "numeric" }],
    ["a telephone", { name: "x", type: "tel" }, { inputMode: "tel" }],
    ["an address", { name: "x", type: "email" }, { inputMode: "email" }],
    ["a token of the first login, which no message brings", { name: "token" }, { autocomplete: "off" }],
  ])("%s", (_, members, expected) => {
    expect(shown(members)).toMatchObject(expected);
  });

  test.each<[boolean, Partial<AuthField> & { name: string }]>([
    [true, { name: "x" }],
    [false, { name: "x", optional: true }],
    [true, { name: "username", optional: true }],
    [true, { name: "password", optional: true }],
  ])("required is %s for %j", (required, members) => {
    expect(shown(members)?.required).toBe(required);
  });

  test("the choices have their values and labels, in the bank's order", () => {
    const listed = [
      { name: "corp", label_en: "Company", label_es: "Empresa" },
      { name: "pers", label_es: "Personal" },
      { name: "other_kind" },
    ];
    expect(shown({ name: "x", choices: listed }, "en")?.choices).toEqual([
      { value: "corp", label: "Company" },
      { value: "pers", label: "Personal" },
      { value: "other_kind", label: "Other kind" },
    ]);
  });

  test.each<[what: string, Partial<AuthField> & { name: string }, string]>([
    ["nothing without a default", { name: "x", choices }, ""],
    ["the default", { name: "x", choices, default: "b" }, "b"],
    ["nothing where the default is no choice", { name: "x", choices, default: "c" }, ""],
    ["nothing where the default is null", { name: "x", choices, default: null }, ""],
    ["the default of a text", { name: "x", default: "UY" }, "UY"],
  ])("what stands there at first is %s", (_, members, initial) => {
    expect(shown(members)?.initial).toBe(initial);
  });
});

describe("the field of a question", () => {
  test("is the one that the bank lists, and a one-time code is shown as typed", () => {
    const listed = field({ name: "token", type: "password", interactive: true, label_en: "Key", optional: true });
    expect(findAnswerField(bankWith(listed), "token")).toEqual({
      name: "token",
      label: "Key",
      input: "text",
      autocomplete: "one-time-code",
      inputMode: "numeric",
      // An answer that was asked for can't be left out.
      required: true,
      choices: [],
      initial: "",
    });
  });

  test.each<[why: string, ProviderDetail | undefined]>([
    ["nothing is known of the bank", undefined],
    ["the bank does not list it", bankWith()],
    ["the bank lists it for the first login", bankWith(field({ name: "otp" }))],
  ])("is a code where %s", (_, detail) => {
    expect(findAnswerField(detail, "otp", "es")).toMatchObject({
      label: "Código de un solo uso",
      input: "text",
      autocomplete: "one-time-code",
      inputMode: "numeric",
      required: true,
    });
  });

  test("can have choices, and is no code then", () => {
    const choices = [{ name: "sms" }, { name: "mail" }];
    const listed = field({ name: "otp_channel", type: "choice", interactive: true, choices });
    expect(findAnswerField(bankWith(listed), "otp_channel")).toMatchObject({ input: "select", autocomplete: "off" });
  });

  test("that is no code offers none", () => {
    expect(findAnswerField(undefined, "personal_question")).toMatchObject({
      label: "Security question",
      autocomplete: "off",
      inputMode: "text",
    });
  });

  test.each(["__proto__", "constructor", "toString"])("can be named %s", (name) => {
    expect(findAnswerField(bankWith(), name)).toMatchObject({ name, input: "text", required: true });
  });
});
