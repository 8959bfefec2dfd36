import { createBankClient, type FormField, type FormValues, type LinkView, type LoginView } from "ventanilla";
import { createSandbox, SANDBOX_API_KEY } from "ventanilla/sandbox";
import type { ScreenInput } from "./react-screens.tsx";

type View = LoginView | LinkView;

/** The view as a screen with a mistake shows it. */
export type Mistake = <Shown extends View>(view: Shown) => Shown;

/** A mistake with what it keeps: made once for each screen. */
type Planted = () => (view: View) => object | undefined;

const plant =
  (planted: Planted): (() => Mistake) =>
  () => {
    const change = planted();
    return (view) => ({ ...view, ...change(view) });
  };

const toText = (answer: string | FormValues | FormData): string =>
  String((answer instanceof FormData ? [...answer.values()] : Object.values(answer))[0] ?? "");
const toValues = (values: FormValues | FormData): FormValues =>
  values instanceof FormData ? (Object.fromEntries(values) as FormValues) : values;

const withText = (view: Extract<View, { failure: object }>, text: string) => ({ failure: { ...view.failure, text } });

const withQuestionText = (view: Extract<View, { question: object }>, text: string) => ({
  question: { ...view.question, text },
});

/** Changes the fields of a form. */
const withFields = (change: (fields: readonly FormField[]) => readonly FormField[]) => (view: View) => {
  if ("form" in view) return { form: { ...view.form, fields: change(view.form.fields) } };
  return undefined;
};

/** Cuts a text as a screen for short texts does. */
const cut = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);

/** Keeps the text of a failure until another step. */
const keepFailure = (isShown: (view: View) => boolean) =>
  plant(() => {
    let last = "";
    return (view) => {
      if ("failure" in view) last = view.failure.text;
      return { note: isShown(view) ? last : "" };
    };
  });

// Of the sandbox's banks.
const spanish: Readonly<Record<string, string>> = {
  Company: "Empresa",
  "Small company": "Pequeña empresa",
  North: "Norte",
};

/** What programmers do wrong in screens of logins. */
export const mistakes = {
  "every later answer sends the first one": plant(() => {
    let first: string | undefined;
    return (view) =>
      view.state === "awaitingInteraction"
        ? {
            answer: (answer: string | FormValues | FormData) => {
              first ??= toText(answer);
              return view.answer(first);
            },
          }
        : undefined;
  }),
  "the text of `wrong_credentials` is swallowed": plant(
    () => (view) => ("failure" in view && view.failure.code === "wrong_credentials" ? withText(view, "") : undefined),
  ),
  "the question stays after its expiry": plant(() => {
    let asked: View | undefined;
    return (view) => {
      if (view.state === "awaitingInteraction" || view.state === "selectClient") asked = view;
      return view.state === "failed" && view.failure.code === "expired" ? asked : undefined;
    };
  }),
  "the list of clients is that of an earlier login": plant(() => {
    let first: object | undefined;
    return (view) => {
      if (view.state !== "selectClient") return undefined;
      first ??= view.clients;
      return { clients: first };
    };
  }),
  "a later form is the first one": plant(() => {
    let first: object | undefined;
    return (view) => {
      if (!("form" in view)) return undefined;
      first ??= view.form;
      return { form: first };
    };
  }),
  "a choice sends the index in place of the id": plant(
    () => (view) =>
      view.state === "selectClient"
        ? { choose: (id: string) => view.choose(String(view.clients.findIndex((client) => client.id === id))) }
        : undefined,
  ),
  "the text of a failure stays after a success": plant(() => {
    let note = "";
    return (view) => {
      if ("failure" in view) note = view.failure.text;
      return { note };
    };
  }),
  "cancel does nothing": plant(() => (view) => ("cancel" in view && view.cancel ? { cancel: () => {} } : undefined)),
  "a missing client is shown as a success": plant(
    () => (view) =>
      view.state === "failed" && view.failure.code === "client_selection_off" ? { state: "loggedIn" } : undefined,
  ),
  "a failure is shown as a success": plant(
    () => (view) => (view.state === "failed" ? { state: "loggedIn" } : undefined),
  ),
  "a later question has the text of the first": plant(() => {
    let text: string | undefined;
    return (view) => {
      if (view.state !== "awaitingInteraction") return undefined;
      text ??= view.question.text;
      return { question: { ...view.question, text } };
    };
  }),
  "only the first client is offered": plant(
    () => (view) => (view.state === "selectClient" ? { clients: view.clients.slice(0, 1) } : undefined),
  ),
  "the user name of the first login is sent again": plant(() => {
    let username: string | undefined;
    return (view) =>
      "form" in view
        ? {
            submit: (values: FormValues | FormData) => {
              const typed = toValues(values);
              username ??= typed["username"] ?? "";
              return view.submit({ ...typed, username });
            },
          }
        : undefined;
  }),
  "the password is sent in capitals": plant(
    () => (view) =>
      "form" in view
        ? {
            submit: (values: FormValues | FormData) => {
              const typed = toValues(values);
              return view.submit({ ...typed, password: (typed["password"] ?? "").toUpperCase() });
            },
          }
        : undefined,
  ),
  "the user name is sent in small letters": plant(
    () => (view) =>
      "form" in view
        ? {
            submit: (values: FormValues | FormData) => {
              const typed = toValues(values);
              return view.submit({ ...typed, username: (typed["username"] ?? "").toLowerCase() });
            },
          }
        : undefined,
  ),
  "the password is sent under another name": plant(
    () => (view) =>
      "form" in view
        ? {
            submit: (values: FormValues | FormData) => {
              const { password = "", ...typed } = toValues(values);
              return view.submit({ ...typed, pass: password });
            },
          }
        : undefined,
  ),
  "a repeated question starts with the wrong answer": plant(() => {
    let last: string | undefined;
    return (view) => {
      if (view.state !== "awaitingInteraction") return undefined;
      const initial = last;
      const fields = view.question.fields.map((field) => (initial === undefined ? field : { ...field, initial }));
      return {
        question: { ...view.question, fields },
        answer: (answer: string | FormValues | FormData) => {
          last = toText(answer);
          return view.answer(answer);
        },
      };
    };
  }),
  "the bank works, and the form is shown as new": plant(
    () => (view) =>
      view.state === "submitting" ? { state: "idle", form: view.sent.form, submit: () => undefined } : undefined,
  ),
  // These are in the client: see `changeInput`.
  "one client of another bank serves every screen": plant(() => () => undefined),
  "every login is sent twice": plant(() => () => undefined),
  "the client of an earlier choice is sent again": plant(() => {
    let first: string | undefined;
    return (view) =>
      view.state === "selectClient"
        ? {
            choose: (id: string) => {
              first ??= id;
              return view.choose(view.clients.some((client) => client.id === first) ? first : id);
            },
          }
        : undefined;
  }),
  "an old failure stays above the clients": keepFailure(({ state }) => state === "selectClient"),
  "an old failure stays above the question": keepFailure(({ state }) => state === "awaitingInteraction"),
  "an old failure stays during the next try": keepFailure(({ busy }) => busy === true),
  "a later failure has the text of the first": plant(() => {
    let text: string | undefined;
    return (view) => {
      if (view.state !== "failed") return undefined;
      text ??= view.failure.text;
      return withText(view, text);
    };
  }),
  "an old question stays above the clients": plant(() => {
    let last = "";
    return (view) => {
      if (view.state === "awaitingInteraction") last = view.question.text;
      return { note: view.state === "selectClient" ? last : "" };
    };
  }),
  "the labels of user name and password are swapped": plant(() =>
    withFields((fields) => {
      const labels: Readonly<Record<string, string>> = { username: "Password", password: "User name" };
      return fields.map((field) => ({ ...field, label: labels[field.name] ?? field.label }));
    }),
  ),
  "a field shows its name in place of its label": plant(() =>
    withFields((fields) => fields.map((field) => ({ ...field, label: field.name }))),
  ),
  "the choices have another language than the labels": plant(() =>
    withFields((fields) =>
      fields.map((field) => ({
        ...field,
        choices: field.choices.map((choice) => ({ ...choice, label: spanish[choice.label] ?? choice.label })),
      })),
    ),
  ),
  "a choice sends its label in place of its value": plant(() =>
    withFields((fields) =>
      fields.map((field) => ({ ...field, choices: field.choices.map(({ label }) => ({ value: label, label })) })),
    ),
  ),
  "a long question is cut": plant(
    () => (view) =>
      view.state === "awaitingInteraction" ? withQuestionText(view, cut(view.question.text)) : undefined,
  ),
  "a long name of a client is cut": plant(
    () => (view) =>
      view.state === "selectClient"
        ? { clients: view.clients.map((client) => ({ ...client, name: cut(client.name) })) }
        : undefined,
  ),
  "a long label is cut": plant(() =>
    withFields((fields) => fields.map((field) => ({ ...field, label: cut(field.label) }))),
  ),
  "the button can be pressed again while the bank works": plant(() => {
    let submit: unknown;
    return (view) => {
      if ("form" in view) submit = view.submit;
      return view.state === "submitting" ? { form: view.sent.form, submit } : undefined;
    };
  }),
  "an optional field is left out": plant(() => withFields((fields) => fields.filter(({ required }) => required))),
  // What the paths don't show.
  "the time to answer is not shown": plant(
    () => (view) => ("expiresAt" in view ? { expiresAt: undefined } : undefined),
  ),
  "a repeated question does not say so": plant(
    () => (view) =>
      view.state === "awaitingInteraction"
        ? { question: { ...view.question, isRepeat: false, repeatText: undefined } }
        : undefined,
  ),
} satisfies Record<string, () => Mistake>;

export type MistakeName = keyof typeof mistakes;

/** What a screen is created with, where that is the mistake. */
export function changeInput(name: string, input: ScreenInput): ScreenInput {
  const { client } = input;
  const login: typeof client.login = (...parameters) => {
    client.login(...parameters).catch(() => undefined);
    return client.login(...parameters);
  };
  if (name === "every login is sent twice") return { ...input, client: { ...client, login } };
  if (name !== "one client of another bank serves every screen") return input;
  const options = { baseUrl: "http://another.test", apiKey: SANDBOX_API_KEY, retry: false } as const;
  const sandbox = createSandbox();
  return {
    ...input,
    client: createBankClient({ ...options, fetch: (url, init) => sandbox(new Request(url, init)) }),
  };
}
