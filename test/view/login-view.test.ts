import { type FailureCode, InputError, type Interaction, type Locale, type LoginView, loginView } from "ventanilla";
import type { LoginEvent } from "ventanilla/machines/login";
import { describe, expect, test } from "vitest";
import { choosing, type LoginScreen, loginScreens, question, refused, selecting, submitted } from "./login-screens.ts";
import {
  detail,
  frozen,
  listVerbs,
  loginAfter,
  opened,
  outbox,
  toData,
  useVerb,
  verbEvents,
  withoutVerbs,
} from "./screens.ts";

const draw = ({ settings = {}, path }: Pick<LoginScreen, "settings" | "path">, locale?: Locale) => {
  const { sent, steps, send } = outbox<LoginEvent>();
  const snapshot = frozen(loginAfter(settings, ...path));
  const options = { provider: "test", detail, ...(locale && { locale }) };
  return { view: loginView(snapshot, send, options), again: loginView(snapshot, send, options), sent, steps, snapshot };
};

const on = <Step extends LoginView["step"]>(
  step: Step,
  screen: Pick<LoginScreen, "settings" | "path">,
  locale?: Locale,
) => {
  const { view, sent } = draw(screen, locale);
  if (view.step !== step) throw new Error(`It is ${view.step}, not ${step}.`);
  return { view: view as Extract<LoginView, { step: Step }>, sent };
};

test.each(loginScreens)("when $when, the step is $step, with what there is to show and to do", (screen) => {
  const { view, again, sent } = draw(screen);
  expect(listVerbs(view)).toEqual(screen.verbs);
  expect(withoutVerbs(view, screen.verbs)).toEqual({ step: screen.step, busy: screen.isBusy, ...screen.shows });
  // Pure: the same each time, and nothing is sent by itself.
  expect(toData(again)).toEqual(toData(view));
  expect(sent).toEqual([]);
});

const pairs = loginScreens.flatMap((screen) => screen.verbs.map((verb) => ({ ...screen, verb })));

test.each(pairs)("$verb when $when sends one event, for that step alone", ({ verb, ...screen }) => {
  const { view, sent, steps, snapshot } = draw(screen);
  useVerb(view, verb);
  expect(sent).toMatchObject([{ type: verbEvents[verb] }]);
  expect(steps).toEqual([snapshot.context.stepNumber]);
});

describe.each([
  ["enteringCredentials", { path: [] }],
  ["failed", { path: refused }],
] as const)("submitting while %s", (step, screen) => {
  const typed = { username: "ana-of-nobody", password: "word-of-nobody", type: "corp", company_code: "" };

  test("sends one event, without a value in the clear, and leaves an empty optional field out", () => {
    const { view, sent } = on(step, screen);
    view.submit(typed);
    expect(sent.map(opened)).toEqual([
      {
        type: "credentials.submit",
        credentials: {
          provider: "test",
          fields: {
            username: { secret: "ana-of-nobody" },
            password: { secret: "word-of-nobody" },
            type: { secret: "corp" },
          },
        },
      },
    ]);
    expect(JSON.stringify(sent)).not.toMatch(/of-nobody|corp/);
  });

  test("sends an optional field that is filled in", () => {
    const { view, sent } = on(step, screen);
    view.submit({ ...typed, company_code: "7701" });
    expect(opened(sent)).toMatchObject([{ credentials: { fields: { company_code: { secret: "7701" } } } }]);
  });

  test.each([
    ["username", { ...typed, username: "" }],
    ["password", { username: "ana-of-nobody", type: "corp" }],
    ["type", { ...typed, type: "" }],
    ["type", { username: "ana-of-nobody", password: "word-of-nobody" }],
  ])("without %s is refused by that name, and sends nothing", (field, values) => {
    const { view, sent } = on(step, screen);
    const refusal = caught(() => view.submit(values as Record<string, string>));
    expect(refusal).toBeInstanceOf(InputError);
    expect(refusal).toMatchObject({ code: "missing_field", field });
    expect(String(refusal)).not.toMatch(/of-nobody|corp/);
    expect(sent).toEqual([]);
  });

  test.each([
    ["company_code", 7701],
    ["type", true],
    ["password", "\ud800"],
  ])("%s as %j, which can't be sent, is refused by that name, and sends nothing", (field, value) => {
    const { view, sent } = on(step, screen);
    const refusal = caught(() => view.submit({ ...typed, [field]: value } as Record<string, string>));
    expect(refusal).toBeInstanceOf(InputError);
    expect(refusal).toMatchObject({ code: "invalid_input", field });
    expect(sent).toEqual([]);
  });
});

test("a form of a bank that tells nothing of itself has a username and a password", () => {
  const { sent, send } = outbox<LoginEvent>();
  const view = loginView(loginAfter({}), send, { provider: "faro_uy" });
  if (view.step !== "enteringCredentials") throw new Error(view.step);
  expect(view.form.fields.map(({ name, label }) => [name, label])).toEqual([
    ["username", "User"],
    ["password", "Password"],
  ]);
  view.submit({ username: "plain", password: "s3creto" });
  expect(opened(sent)).toMatchObject([{ credentials: { provider: "faro_uy" } }]);
});

test.each(["__proto__", "constructor", "toString"])(
  "a field that a bank names %s is missing until it is given",
  (name) => {
    const auth_fields = [{ name, type: "text", interactive: false, optional: false }];
    const view = loginView(loginAfter({}), () => {}, { provider: "test", detail: { ...detail, auth_fields } });
    if (view.step !== "enteringCredentials") throw new Error(view.step);
    const typed = { username: "ana", password: "word" };
    expect(caught(() => view.submit(typed))).toMatchObject({ code: "missing_field", field: name });
  },
);

describe("a question", () => {
  test("is answered with one event, without the answer in the clear", () => {
    const { view, sent } = on("answering", { path: question });
    view.answer("8888-of-nobody");
    expect(sent.map(opened)).toEqual([{ type: "interaction.answer", answer: { secret: "8888-of-nobody" } }]);
    expect(JSON.stringify(sent)).not.toContain("of-nobody");
  });

  test("is not answered with nothing", () => {
    const { view, sent } = on("answering", { path: question });
    const refusal = caught(() => view.answer(""));
    expect(refusal).toBeInstanceOf(InputError);
    expect(refusal).toMatchObject({ code: "missing_field", field: "otp" });
    expect(sent).toEqual([]);
  });

  const third = { number: 3, isRepeat: true, answersSent: 2 };

  test.each([
    ["en", /^The bank asks again: .* may not have been accepted\. .* Answers sent: 2\.$/],
    ["es", /^El banco lo pide de nuevo: es posible .* Respuestas enviadas: 2\.$/],
    ["pt", /^O banco pede de novo: talvez .* Respostas enviadas: 2\.$/],
  ] as const)("that is asked again says so in %s, and how many answers were sent", (locale, text) => {
    const { machine, context } = loginAfter({}, ...submitted);
    const interaction = { field: "otp", context: "OTP required", ...third };
    const snapshot = machine.resolveState({ value: "awaitingInteraction", context: { ...context, interaction } });
    const view = loginView(snapshot, () => {}, { provider: "test", detail, locale });
    expect(toData(view)).toMatchObject({ question: { ...third, repeatText: expect.stringMatching(text) } });
  });

  test("that an earlier version has stored is not said to be asked again", () => {
    const { machine, context } = loginAfter({}, ...submitted);
    const interaction = { field: "otp", context: "OTP required", number: 2 } as Interaction;
    const snapshot = machine.resolveState({ value: "awaitingInteraction", context: { ...context, interaction } });
    const view = loginView(snapshot, () => {}, { provider: "test", detail });
    expect(toData(view)).toMatchObject({ question: { isRepeat: false, answersSent: 0, repeatText: undefined } });
  });

  test("that has a time to answer shows when it runs out", () => {
    const { machine, context } = loginAfter({}, ...submitted);
    const interaction = { field: "token", context: "Token?", expiresAt: 1_234, ...third };
    const snapshot = machine.resolveState({ value: "awaitingInteraction", context: { ...context, interaction } });
    const view = loginView(snapshot, () => {}, { provider: "test", detail, locale: "es" });
    expect(toData(view)).toMatchObject({
      // The bank lists no `token`, so it is a text with the name that is known of the service.
      question: {
        text: "Token?",
        number: 3,
        expiresAt: 1_234,
        field: { name: "token", label: "Token", input: "text" },
      },
    });
  });
});

test("a client is chosen with one event", () => {
  const { view, sent } = on("choosingClient", { settings: selecting, path: choosing });
  view.choose("FIC-02412222");
  expect(sent).toEqual([{ type: "client.choose", client: "FIC-02412222" }]);
});

const texts: readonly [Locale, label: string, option: string, failure: string][] = [
  ["en", "Account", "Company", "The user name or the password is not right."],
  ["es", "Cuenta", "Empresa", "El usuario o la contraseña no son correctos."],
  ["pt", "Tipo", "Empresa", "O usuário ou a senha não estão corretos."],
];

test.each(texts)("in %s, the form and the failure are in the person's language", (locale, label, option, text) => {
  const { view } = on("failed", { path: refused }, locale);
  const type = view.form.fields.find(({ name }) => name === "type");
  expect([type?.label, type?.choices[1]?.label, view.failure.text]).toEqual([label, option, text]);
});

const recoveries: readonly [code: FailureCode, recovery: string][] = [
  ["user_blocked", "contactBank"],
  ["provider_unavailable", "wait"],
  ["network_failed", "retry"],
  ["outcome_unknown", "wait"],
  ["secret_unavailable", "retry"],
  ["provider_doesnt_exist", "changeProvider"],
  // From a store of another version.
  ["no_such_code" as FailureCode, "report"],
];

test.each(recoveries)("the failure %s shows that the recovery is to %s", (code, recovery) => {
  const snapshot = loginAfter({});
  const context = { ...snapshot.context, failure: { kind: "fault", code, retryAfter: 5_000 } as const };
  const view = loginView(snapshot.machine.resolveState({ value: "failed", context }), () => {}, { provider: "test" });
  expect(view).toMatchObject({ step: "failed", failure: { code, recovery, retryAfter: 5_000 } });
});

test("a failure without a name is told as one", () => {
  const snapshot = loginAfter({});
  const view = loginView(snapshot.machine.resolveState({ value: "failed", context: snapshot.context }), () => {}, {
    provider: "test",
  });
  expect(view).toMatchObject({ failure: { code: "unexpected_fault", recovery: "report" } });
});

function caught(act: () => void): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}
