import type { StandardSchemaV1 } from "@standard-schema/spec";
import {
  type AuthField,
  type FormField,
  type FormValues,
  type Locale,
  type ProviderDetail,
  reveal,
  secret,
} from "ventanilla";
import { describe, expect, expectTypeOf, test } from "vitest";
import { locales } from "../../../src/core/texts/languages.ts";
import type { FormSchema } from "../../../src/core/view/form-schema.ts";
import { bankWith, field } from "../../bank/service.ts";
import { detail, showForm } from "./screens.ts";

type Listed = Partial<AuthField> & { name: string };

/** The view of one field of a bank. */
const shown = (members: Listed, locale?: Locale): FormField | undefined =>
  showForm(bankWith(field(members)), locale).fields.find(({ name }) => name === members.name);

const listNames = (...fields: AuthField[]) => showForm(bankWith(...fields)).fields.map(({ name }) => name);

const username = { name: "username", input: "text", autocomplete: "off", required: true } as const;
const password = { name: "password", input: "password", autocomplete: "new-password", required: true } as const;

describe("the fields of a first login", () => {
  test.each<[when: string, detail: ProviderDetail | undefined]>([
    ["the bank is unknown", undefined],
    ["the bank lists no field", bankWith()],
    ["the bank lists interactive fields only", bankWith(field({ name: "otp", interactive: true }))],
    ["the bank lists the two as interactive", bankWith(field({ name: "username", interactive: true }))],
  ])("are username and password where %s", (_, detail) => {
    expect(showForm(detail).fields).toMatchObject([username, password]);
  });

  const [user, word, type] = ["username", "password", "type"].map((name) => field({ name }));

  test.each<[what: string, names: string[], listed: (AuthField | undefined)[]]>([
    ["after the two of every bank", ["username", "password", "type"], [type]],
    ["with those two where they are listed", ["type", "password", "username"], [type, word, user]],
    ["with the one of them that is listed", ["password", "type", "username"], [type, user]],
    ["without the bank's code", ["username", "password"], [field({ name: "provider" }), user, word]],
    ["without interactive fields", ["username", "password", "type"], [field({ name: "otp", interactive: true }), type]],
  ])("are in the bank's order, %s", (_, names, listed) => {
    expect(listNames(...(listed as AuthField[]))).toEqual(names);
  });
});

describe("a known user name", () => {
  const prefills = (username: unknown, detail?: ProviderDetail) =>
    showForm(detail, "en", { username: username as string }).fields.map(({ name, prefill }) => [
      name,
      prefill && reveal(prefill),
    ]);

  test.each([
    ["a text", "ana-of-nobody"],
    ["a secret", secret("ana-of-nobody")],
  ])("as %s is in its field, as a secret", (_, username) => {
    const bank = bankWith(field({ name: "type" }), field({ name: "username" }));
    expect(prefills(username, bank)).toEqual([
      ["password", undefined],
      ["type", undefined],
      ["username", "ana-of-nobody"],
    ]);
    expect(JSON.stringify(showForm(bank, "en", { username }))).not.toContain("of-nobody");
  });

  // A secret in JSON or in a structured clone is no user name.
  test.each([
    ["nothing", undefined],
    ["an empty text", ""],
    ["an empty secret", secret("")],
    ["a secret in JSON", String(secret("ana"))],
    ["a clone of a secret", structuredClone(secret("ana"))],
    ["null, as of a removed attribute", null],
  ])("that is %s prefills nothing", (_, username) => {
    expect(prefills(username)).toEqual([
      ["username", undefined],
      ["password", undefined],
    ]);
  });

  test("prefills no list of user names", () => {
    const list = field({ name: "username", choices: [{ name: "ana" }] });
    expect(prefills("ana", bankWith(list))).toContainEqual(["username", undefined]);
  });
});

describe("a label", () => {
  const labels = { label_en: "English", label_es: "Español" };
  // The bank's label in the language, else the nearest one.
  test.each<[why: string, Locale, Listed, string]>([
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
    ["a known name's Portuguese before the bank's Spanish", "pt", { name: "otp", ...labels }, "Código de verificação"],
    ["the Spanish where there is no English", "en", { name: "x", label_es: "Español" }, "Español"],
    ["the English where there is no Spanish", "es", { name: "x", label_en: "English" }, "English"],
    ["a known name where there is no label", "en", { name: "document_number" }, "ID number"],
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
});

describe("what a browser fills in by itself", () => {
  const bank = bankWith(field({ name: "pin", type: "password" }), field({ name: "document_number" }));
  const listFilled = (savedLogins?: boolean) =>
    showForm(bank, "en", { savedLogins }).fields.map(({ name, autocomplete }) => [name, autocomplete]);

  test("is nothing: what it has saved for the page's origin is the login of the page", () => {
    const nothing = [
      ["username", "off"],
      ["password", "new-password"],
      ["pin", "new-password"],
      ["document_number", "off"],
    ];
    expect(listFilled()).toEqual(nothing);
    expect(listFilled(false)).toEqual(nothing);
  });

  test("is the user name and the password where the option says that only bank logins are saved", () => {
    expect(listFilled(true)).toEqual([
      ["username", "username"],
      ["password", "current-password"],
      ["pin", "new-password"],
      ["document_number", "off"],
    ]);
  });
});

describe("the kind of a field", () => {
  const choices = [{ name: "a" }, { name: "b" }];
  // Types of the contract, section 2.2, and what has been seen beside them.
  test.each<[what: string, Listed, Partial<FormField>]>([
    ["a text", { name: "x" }, { input: "text", inputMode: "text", autocomplete: "off" }],
    ["a kind that is not known", { name: "x", type: "hologram" }, { input: "text", inputMode: "text" }],
    ["a password", { name: "pin", type: "password" }, { input: "password", autocomplete: "new-password" }],
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

  test.each<[boolean, Listed]>([
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

  test.each<[what: string, Listed, string]>([
    ["nothing without a default", { name: "x", choices }, ""],
    ["the default", { name: "x", choices, default: "b" }, "b"],
    ["nothing if the default is no choice", { name: "x", choices, default: "c" }, ""],
    ["nothing if the default is null", { name: "x", choices, default: null }, ""],
    ["the default of a text", { name: "x", default: "UY" }, "UY"],
  ])("the initial value is %s", (_, members, initial) => {
    expect(shown(members)?.initial).toBe(initial);
  });
});

describe("the schema of a form", () => {
  const validate = (values: unknown, locale: Locale = "en") =>
    showForm(detail, locale).schema["~standard"].validate(values);

  const whole = Object.freeze({ username: "ana", password: "word", type: "corp", company_code: "7701" });
  const { company_code: _, ...least } = whole;

  test("is a Standard Schema of version 1", () => {
    expect(showForm().schema["~standard"]).toMatchObject({ version: 1, vendor: "ventanilla" });
    expectTypeOf<FormSchema>().toExtend<StandardSchemaV1>();
    expectTypeOf<StandardSchemaV1.InferInput<FormSchema>>().toEqualTypeOf<FormValues>();
    expectTypeOf<StandardSchemaV1.InferOutput<FormSchema>>().toEqualTypeOf<FormValues>();
  });

  test.each<[what: string, values: object, value: object]>([
    ["unchanged", whole, whole],
    ["without an optional field that is left out", least, least],
    ["without an optional field that is empty", Object.freeze({ ...whole, company_code: "" }), least],
    ["without an optional field that is undefined", { ...whole, company_code: undefined }, least],
    ["without values that are no fields of the form", { ...whole, otp: "8888", provider: "other" }, whole],
    ["with the spaces of a password", { ...whole, password: "  word " }, { ...whole, password: "  word " }],
    ["without the space that a keyboard adds", { ...whole, username: " ana " }, whole],
  ])("returns valid values %s", (_what, values, value) => {
    expect(validate(values)).toStrictEqual({ value });
  });

  const texts = {
    needed: { en: "Fill this in.", es: "Complete este dato.", pt: "Preencha este campo." },
    unsendable: { en: "Type this again.", es: "Escríbalo de nuevo.", pt: "Digite novamente." },
    choose: { en: "Choose an option.", es: "Elija una opción.", pt: "Escolha uma opção." },
  };

  describe.each(locales)("says in %s what is wrong:", (locale) => {
    test.each<[what: string, values: unknown, issues: Record<string, keyof typeof texts>]>([
      ["an empty username", { ...whole, username: "" }, { username: "needed" }],
      ["no password", { username: "ana", type: "corp" }, { password: "needed" }],
      ["a password that is null", { ...whole, password: null }, { password: "needed" }],
      ["a username of spaces", { ...whole, username: "\u00a0 " }, { username: "needed" }],
      ["a choice that was not made", { ...whole, type: "" }, { type: "choose" }],
      ["a choice that is not offered", { ...whole, type: "smes" }, { type: "choose" }],
      ["a choice that is no text", { ...whole, type: ["corp"] }, { type: "choose" }],
      ["a number", { ...whole, company_code: 7701 }, { company_code: "needed" }],
      ["half a character", { ...whole, password: "wor\uD83D" }, { password: "unsendable" }],
      ["a secret in print", { ...whole, company_code: "[secret]" }, { company_code: "unsendable" }],
      ["nothing at all, in the form's order", {}, { username: "needed", password: "needed", type: "choose" }],
    ])("%s", (_, values, issues) => {
      const expected = Object.entries(issues).map(([name, text]) => ({ message: texts[text][locale], path: [name] }));
      expect(validate(values, locale)).toEqual({ issues: expected });
    });

    test.each(["a text", 7, null, undefined])("%j is no form", (values) => {
      expect(validate(values, locale)).toEqual({ issues: [{ message: texts.needed[locale], path: [] }] });
    });
  });
});
