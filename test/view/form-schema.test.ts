import { inspect } from "node:util";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type FormSchema, type FormValues, type Locale, loginView, type ProviderDetail } from "ventanilla";
import { describe, expect, expectTypeOf, test } from "vitest";
import { findCanaries, newCanaries } from "../leaks/canaries.ts";
import { detail, loginAfter } from "./screens.ts";

const createSchema = (bank: ProviderDetail = detail, locale: Locale = "en"): FormSchema => {
  const view = loginView(loginAfter({}), () => {}, { provider: "test", detail: bank, locale });
  if (view.step !== "enteringCredentials") throw new Error(view.step);
  return view.form.schema;
};

const checked = (schema: FormSchema, values: unknown) => {
  const result = schema["~standard"].validate(values);
  if (result instanceof Promise) throw new Error("It waits.");
  return result;
};

const whole = { username: "ana", password: "word", type: "corp", company_code: "7701" };

test("the schema is a Standard Schema of version 1", () => {
  const { version, vendor, validate } = createSchema()["~standard"];
  expect({ version, vendor, validate: typeof validate }).toEqual({
    version: 1,
    vendor: "ventanilla",
    validate: "function",
  });
  expectTypeOf(createSchema()).toExtend<StandardSchemaV1>();
  expectTypeOf<StandardSchemaV1.InferInput<FormSchema>>().toEqualTypeOf<FormValues>();
  expectTypeOf<StandardSchemaV1.InferOutput<FormSchema>>().toEqualTypeOf<FormValues>();
});

const { company_code: _, ...least } = whole;

describe("values that are right come out", () => {
  test.each<[what: string, values: object, value: object]>([
    ["as they went in", whole, whole],
    ["without an optional field that is left out", least, least],
    ["without an optional field that is empty", { ...whole, company_code: "" }, least],
    ["without an optional field that is undefined", { ...whole, company_code: undefined }, least],
    ["without what is no field of the form", { ...whole, otp: "8888", provider: "other" }, whole],
    ["as they were typed, spaces included", { ...whole, password: "  word " }, { ...whole, password: "  word " }],
  ])("%s", (_what, values, value) => {
    expect(checked(createSchema(), values)).toStrictEqual({ value });
  });

  test("and what went in is not changed", () => {
    const values = Object.freeze({ ...whole, company_code: "" });
    expect(checked(createSchema(), values)).toEqual({ value: least });
    expect(values.company_code).toBe("");
  });
});

const needed = { en: "This is needed.", es: "Este dato es necesario.", pt: "Este dado é necessário." };
const unsendable = {
  en: "This can't be sent as it is.",
  es: "Este dato no se puede enviar así.",
  pt: "Este dado não pode ser enviado assim.",
};
const choose = { en: "Choose one of these.", es: "Elija una de estas opciones.", pt: "Escolha uma destas opções." };
const locales: Locale[] = ["en", "es", "pt"];

describe.each(locales)("values that are wrong are told in %s", (locale) => {
  test.each<[what: string, values: unknown, issues: [message: string, field: string][]]>([
    ["an empty username", { ...whole, username: "" }, [[needed[locale], "username"]]],
    ["no password", { username: "ana", type: "corp" }, [[needed[locale], "password"]]],
    ["a password that is null", { ...whole, password: null }, [[needed[locale], "password"]]],
    ["a choice that was not made", { ...whole, type: "" }, [[choose[locale], "type"]]],
    ["a choice that is not offered", { ...whole, type: "smes" }, [[choose[locale], "type"]]],
    ["a choice that is no text", { ...whole, type: ["corp"] }, [[choose[locale], "type"]]],
    ["a number", { ...whole, company_code: 7701 }, [[needed[locale], "company_code"]]],
    ["half a character", { ...whole, password: "wor\uD83D" }, [[unsendable[locale], "password"]]],
    ["what a secret prints itself as", { ...whole, company_code: "[secret]" }, [[unsendable[locale], "company_code"]]],
    ["a truth", { ...whole, username: true }, [[needed[locale], "username"]]],
    [
      "nothing at all, in the form's order",
      {},
      [
        [needed[locale], "username"],
        [needed[locale], "password"],
        [choose[locale], "type"],
      ],
    ],
  ])("%s", (_, values, issues) => {
    expect(checked(createSchema(detail, locale), values)).toEqual({
      issues: issues.map(([message, field]) => ({ message, path: [field] })),
    });
  });

  test.each([["a text"], [7], [null], [undefined], [true]])("%j is no form", (values) => {
    expect(checked(createSchema(detail, locale), values)).toEqual({ issues: [{ message: needed[locale], path: [] }] });
  });
});

describe("what was typed is not in the issues", () => {
  const canaries = newCanaries(["username", "password", "type", "other"]);
  const { username, password, type, other } = canaries;

  test.each<[what: string, values: unknown]>([
    ["a wrong choice", { username: username.value, password: password.value, type: type.value }],
    ["a missing field", { username: username.value, type: type.value, other: other.value }],
    ["a value that is no text", { username: { text: username.value }, password: [password.value] }],
    ["a text in place of a form", password.value],
  ])("with %s", (_, values) => {
    const result = checked(createSchema(), values);
    expect(result).toHaveProperty("issues");
    expect(findCanaries(result, Object.values(canaries))).toEqual([]);
    const printed = inspect(result, { showHidden: true, showProxy: true, depth: Number.POSITIVE_INFINITY });
    for (const { token } of Object.values(canaries))
      expect(`${JSON.stringify(result)} ${printed}`).not.toContain(token);
  });
});
