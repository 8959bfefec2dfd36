import type { FormValues, LinkView, LoginView } from "ventanilla";

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

/** What programmers do wrong in screens of logins, and a part of the names of the paths that find it. */
export const mistakes = {
  "every later answer sends the first one": plant(() => {
    let first: string | undefined;
    return (view) =>
      view.step === "answering"
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
      if (view.step === "answering" || view.step === "choosingClient") asked = view;
      return view.step === "failed" && view.failure.code === "expired" ? asked : undefined;
    };
  }),
  "the list of clients is that of an earlier login": plant(() => {
    let first: object | undefined;
    return (view) => {
      if (view.step !== "choosingClient") return undefined;
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
      view.step === "choosingClient"
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
    () => (view) => (view.step === "clientRequired" ? { step: "loggedIn" } : undefined),
  ),
  "a failure is shown as a success": plant(() => (view) => (view.step === "failed" ? { step: "loggedIn" } : undefined)),
  "a later question has the text of the first": plant(() => {
    let text: string | undefined;
    return (view) => {
      if (view.step !== "answering") return undefined;
      text ??= view.question.text;
      return { question: { ...view.question, text } };
    };
  }),
  "only the first client is offered": plant(
    () => (view) => (view.step === "choosingClient" ? { clients: view.clients.slice(0, 1) } : undefined),
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
  "a repeated question starts with the wrong answer": plant(() => {
    let last: string | undefined;
    return (view) => {
      if (view.step !== "answering") return undefined;
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
      view.step === "submitting"
        ? { step: "enteringCredentials", form: view.sent.form, submit: () => undefined }
        : undefined,
  ),
} satisfies Record<string, () => Mistake>;

export type MistakeName = keyof typeof mistakes;
