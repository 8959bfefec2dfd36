import { type FailureCode, InputError, type Locale, loginView } from "ventanilla";
import type { LoginEvent } from "ventanilla/machines/login";
import { describe, expect, test } from "vitest";
import { expectedSecret } from "../bank/service.ts";
import type { LoginCaseName } from "../model/login-cases.ts";
import { loginScreens, question, refused } from "./login-screens.ts";
import {
  bankWith,
  detail,
  field,
  frozen,
  listVerbs,
  loginAfter,
  on,
  outbox,
  useVerb,
  verbEvents,
  withoutVerbs,
} from "./screens.ts";

const draw = (path: readonly LoginCaseName[], settings = {}, locale: Locale = "en", bank = detail) => {
  const { sent, steps, send } = outbox<LoginEvent>();
  const snapshot = frozen(loginAfter(settings, ...path));
  const look = () => loginView(snapshot, send, { provider: "test", detail: bank, locale });
  return { view: look(), look, sent, steps, snapshot };
};

test.each(loginScreens)("when $when, the step is $step, with what there is to show and to do", (screen) => {
  const { view, look, sent } = draw(screen.path, screen.settings);
  expect(listVerbs(view)).toEqual(screen.verbs);
  expect(withoutVerbs(view)).toEqual({ step: screen.step, busy: screen.isBusy, ...screen.shows });
  // Pure: the same each time, and nothing is sent by itself.
  expect(JSON.stringify(look())).toBe(JSON.stringify(view));
  expect(sent).toEqual([]);
});

const pairs = loginScreens.flatMap((screen) => screen.verbs.map((verb) => ({ ...screen, verb })));

test.each(pairs)("$verb when $when sends one event, for that step alone", ({ verb, path, settings }) => {
  const { view, sent, steps, snapshot } = draw(path, settings);
  useVerb(view, verb);
  expect(sent).toMatchObject([verbEvents[verb]]);
  expect(steps).toEqual([snapshot.context.stepNumber]);
});

describe.each([
  ["enteringCredentials", []],
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
  ])("sends one event, without a value in the clear, and %s", (_, company_code, more) => {
    const sent = submit({ ...typed, company_code });
    const fields = {
      username: expectedSecret("ana-of-nobody"),
      password: expectedSecret("word-of-nobody"),
      type: expectedSecret("corp"),
      ...more,
    };
    expect(sent).toEqual([{ type: "credentials.submit", credentials: { provider: "test", fields } }]);
    expect(JSON.stringify(sent)).not.toMatch(/of-nobody|corp|7701/);
  });

  test.each([
    ["missing_field", "username", { ...typed, username: "" }],
    ["missing_field", "password", { username: "ana-of-nobody", type: "corp" }],
    ["missing_field", "type", { ...typed, type: "" }],
    ["invalid_input", "company_code", { ...typed, company_code: 7701 }],
    ["invalid_input", "type", { ...typed, type: true }],
    ["invalid_input", "password", { ...typed, password: "\ud800" }],
  ])("is refused as %s by the name of %s, and sends nothing: %j", (code, field, values) => {
    const { view, sent } = draw(path);
    const refusal = caught(() => on(view, step).submit(values as unknown as Record<string, string>));
    expect(refusal).toBeInstanceOf(InputError);
    expect(refusal).toMatchObject({ code, field });
    expect(String(refusal)).not.toMatch(/of-nobody|corp/);
    expect(sent).toEqual([]);
  });
});

test.each(["__proto__", "constructor", "toString"])(
  "a field that a bank names %s is missing until it is given",
  (name) => {
    const { view } = draw([], {}, "en", bankWith(field({ name })));
    const submit = () => on(view, "enteringCredentials").submit({ username: "ana", password: "word" });
    expect(caught(submit)).toMatchObject({ code: "missing_field", field: name });
  },
);

test("a question is answered without the answer in the clear, and not with nothing", () => {
  const { view, sent } = draw(question);
  const refusal = caught(() => on(view, "answering").answer(""));
  expect(refusal).toBeInstanceOf(InputError);
  expect(refusal).toMatchObject({ code: "missing_field", field: "otp" });
  expect(sent).toEqual([]);
  on(view, "answering").answer("8888-of-nobody");
  expect(sent).toEqual([{ type: "interaction.answer", answer: expectedSecret("8888-of-nobody") }]);
  expect(JSON.stringify(sent)).not.toContain("of-nobody");
});

test.each<[Locale, label: string, option: string, failure: string]>([
  ["en", "Account", "Company", "The user name or the password is not right."],
  ["es", "Cuenta", "Empresa", "El usuario o la contraseña no son correctos."],
  ["pt", "Tipo", "Empresa", "O usuário ou a senha não estão corretos."],
])("in %s, the form and the failure are in the person's language", (locale, label, option, text) => {
  const view = on(draw(refused, {}, locale).view, "failed");
  const type = view.form.fields.find(({ name }) => name === "type");
  expect([type?.label, type?.choices[1]?.label, view.failure.text]).toEqual([label, option, text]);
});

test.each<[code: string | undefined, shown: FailureCode | "no_such_code", recovery: string]>([
  ["user_blocked", "user_blocked", "contactBank"],
  ["provider_unavailable", "provider_unavailable", "wait"],
  ["network_failed", "network_failed", "retry"],
  ["provider_doesnt_exist", "provider_doesnt_exist", "changeProvider"],
  // From a store of another version.
  ["no_such_code", "no_such_code", "report"],
  [undefined, "unexpected_fault", "report"],
])("the failure %s shows as %s, and that the recovery is to %s", (code, shown, recovery) => {
  const { machine, context } = loginAfter({});
  const failure = code ? ({ kind: "fault", code: code as FailureCode, retryAfter: 5_000 } as const) : undefined;
  const view = loginView(machine.resolveState({ value: "failed", context: { ...context, failure } }), () => {}, {
    provider: "test",
  });
  expect(on(view, "failed").failure).toMatchObject({ code: shown, recovery, retryAfter: code && 5_000 });
});

function caught(act: () => void): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}
