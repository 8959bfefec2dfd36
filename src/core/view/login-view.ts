import type { LoginEvent } from "../../../machines/login.ts";
import type { ProviderDetail } from "../../../machines/provider.types.ts";
import { type Failure, findFailure, type KnownFailure } from "../api/failures.ts";
import type { StringOrSecret } from "../api/input-checks.ts";
import type { ClientEntry } from "../api/responses.ts";
import {
  createCredentials,
  findAnswerFault,
  readPastedCode,
  toAnswerEvent,
  toClientId,
  toPrefill,
} from "../login/credentials.ts";
import { credentialFields, type FieldOptions, type FormField, type FormValues } from "../login/form-fields.ts";
import { type LoginSnapshot, type LoginState, type LoginStateOf, readState, readStep } from "../login/login-state.ts";
import { describeFailure, type FailureDescription } from "../texts/describe-failure.ts";
import { formTexts, type LanguageOptions } from "../texts/languages.ts";
import {
  checkForm,
  connectionErrors,
  type FieldErrors,
  type FormSchema,
  formSchema,
  missingErrors,
} from "./form-schema.ts";
import { formatUnreceived, type QuestionView, questionView } from "./question-view.ts";

/** The options of a view. */
export interface LoginViewOptions extends FieldOptions {
  /** The bank's code. */
  readonly provider: string;
  /** The provider that `client.getProvider` returns. Default none: the form has a username and a password. */
  readonly detail?: ProviderDetail | undefined;
  /**
   * The person's user name at the bank, if you know it: the `prefill` of its field, so that the person types only the password. It
   * enters the statechart only with the form. Default none.
   */
  readonly username?: StringOrSecret | undefined;
}

/** The fields of a form, and their check. */
export interface LoginForm {
  /** In the bank's order. */
  readonly fields: readonly FormField[];
  /** Checks the values and drops empty optional ones; a Standard Schema. */
  readonly schema: FormSchema;
}

/**
 * A failure for the person: what the person can do, and the text in the person's language, with the time to wait if the service gives one.
 * `description` is the bank's own text, if it sent one: show it beside `text`.
 * The verbs of the view say what is possible.
 */
export type FailureView = KnownFailure & Pick<FailureDescription, "text" | "recovery">;

interface Cancellable {
  /** Cancels the login and aborts its request; the form shows again. */
  cancel(): void;
}

interface Submittable {
  readonly form: LoginForm;
  /**
   * Sends the form, once, and keeps none of it. Empty optional fields are left out, and the spaces around texts. Of a `FormData` it reads
   * the fields of the form alone.
   *
   * @returns what is wrong, to show beside the fields, or that the browser is offline: nothing was sent then. `undefined` if the form was sent.
   * @throws {BankError} `invalid_input` for a value that is in no field of the form and can't be sent, naming it.
   */
  submit(values: FormValues | FormData): FieldErrors | undefined;
}

/** A form during its request. Show it disabled in the same place: nothing moves, and a second click hits the same button. */
export interface SentForm {
  /** The form of the login; without fields, if it was sent before a reload of the page. */
  readonly form: LoginForm;
  /** The question, if its answer was sent. */
  readonly question: QuestionView | undefined;
}

/** Each verb is a member of every state: `undefined` where the state has not got it, so `view.cancel?.()` compiles at each. */
export type WithVerbs<View, Verb extends string> = View extends unknown
  ? View & { readonly [Missing in Exclude<Verb, keyof View>]?: undefined }
  : never;

/** What a person can do at some state of a login. */
export type LoginVerb = "submit" | "answer" | "readPaste" | "choose" | "replaceSession" | "cancel";

/** What to show of a login, and what a person can do there: one member per state. A verb that a state has not got is `undefined`. */
export type LoginView = WithVerbs<ViewOf[LoginState["state"]], LoginVerb>;

/** Each state of a login as a person sees it. */
interface ViewOf extends Record<LoginState["state"], LoginState> {
  readonly idle: { readonly busy: false } & LoginStateOf<"idle"> & Submittable;
  readonly submitting: {
    readonly busy: true;
    /** What the person has sent: the form, or the answer to a question. */
    readonly sent: SentForm;
  } & LoginStateOf<"submitting"> &
    Cancellable;
  readonly awaitingInteraction: {
    readonly busy: false;
    readonly question: QuestionView;
    /**
     * Sends the answer, once: a text, or what was typed into each of `question.fields`, by its name. An empty text
     * confirms, where the field of a confirmation is not required.
     *
     * @returns what is wrong with it, by field name, or that the browser is offline: nothing was sent then. `undefined` if it was sent.
     */
    answer(answer: string | FormValues | FormData): FieldErrors | undefined;
    /**
     * What to put into a field in place of the text that was pasted: of a message the code alone, if it has exactly one number that can be the code.
     * The person then sees what is sent. `answer` sends no message.
     */
    readPaste(field: string, text: string): string;
  } & LoginStateOf<"awaitingInteraction"> &
    Cancellable;
  readonly selectClient: {
    readonly busy: false;
    /** Why the choice shows again, in the person's language: it did not reach the bank. Show it beside the clients. */
    readonly repeatText: string | undefined;
    /**
     * Chooses a client: one of `clients`, or its id.
     *
     * @returns that the browser is offline: nothing was sent then. `undefined` if it was sent.
     * @throws {BankError} `invalid_input` naming `client` for what is neither.
     */
    choose(client: ClientEntry | string): FieldErrors | undefined;
  } & LoginStateOf<"selectClient"> &
    Cancellable;
  readonly failed: {
    readonly busy: false;
    readonly failure: FailureView;
    /** With `missing_credentials`: what to show beside the fields of the form that the bank names, as `submit` returns it. Mostly empty. */
    readonly fieldErrors: FieldErrors;
    /**
     * Closes the sessions that are open, which may be all of the user's, and logs in again; if that helps and `sessionReplacement` allows it.
     * Returns what `submit` does.
     */
    readonly replaceSession: (() => FieldErrors | undefined) | undefined;
  } & LoginStateOf<"failed"> &
    Submittable &
    Cancellable;
  readonly loggedIn: { readonly busy: false } & LoginStateOf<"loggedIn">;
}

/** What a view's verbs need of a login: its actor. */
export interface LoginSource {
  getSnapshot(): Pick<LoginSnapshot, "value" | "context">;
  send(event: LoginEvent): void;
}

/**
 * What to show of a login, and what the person can do. Pure: the same snapshot gives the same view. Each verb sends one event, unless
 * the login is at another step by then. A screen is one exhaustive `switch` over `state`.
 *
 * @example
 * const view = loginView(actor.getSnapshot(), actor, { provider: "test" });
 * if (view.state === "awaitingInteraction") view.answer(code);
 */
export function loginView(
  snapshot: LoginSnapshot,
  actor: LoginSource,
  { provider, detail, username, locale, texts, savedLogins }: LoginViewOptions,
): LoginView {
  const { context } = snapshot;
  const language = { locale, texts };
  const step = readStep(snapshot);
  // A screen may show a step for a moment longer than it lasts: a second click must not answer the next question.
  const send = (event: LoginEvent): undefined => {
    if (readStep(actor.getSnapshot()) === step) actor.send(event);
  };
  // What goes to the bank must arrive once. Without a connection it is not sent, and the person keeps what was typed.
  const sendToBank = (event: LoginEvent) => connectionErrors(language) ?? send(event);
  const cancel = () => send({ type: "login.cancel" });
  const submittable = (): Submittable => {
    const form = loginForm(detail, { ...language, savedLogins }, username);
    return {
      form,
      submit: (values) => {
        const { errors, filled } = checkForm(form.fields, values, language);
        if (errors) return errors;
        const { username = "", password = "", ...fields } = filled;
        return sendToBank({
          type: "credentials.submit",
          credentials: createCredentials({ provider, username, password, fields }),
        });
      },
    };
  };

  const state = readState(snapshot);
  switch (state.state) {
    case "idle":
      return { ...state, busy: false, ...submittable() };
    case "submitting": {
      // What was sent before a reload is not in this page any more.
      const form = { fields: [], schema: formSchema([], language) };
      if (state.request === "resume") return { ...state, busy: true, sent: { form, question: undefined }, cancel };
      const isAnswered = state.request !== "closeSession" && context.interaction;
      const question = isAnswered ? questionView(context, detail, language) : undefined;
      return { ...state, busy: true, sent: { form: submittable().form, question }, cancel };
    }
    case "awaitingInteraction": {
      const question = questionView(context, detail, language);
      return {
        ...state,
        busy: false,
        question,
        answer: (answer) => {
          const { kind, field, fields } = question;
          const names = fields.map(({ name }) => name);
          const { errors, filled } = checkForm(
            fields,
            typeof answer === "string" ? { [field.name]: answer } : answer,
            language,
          );
          if (errors) return errors;
          const confirmed = kind === "confirmation" ? question.answer : "";
          const answers = fields.map(({ name }) => [name, filled[name] ?? confirmed] as const);
          const asked = { ...question, field: field.name, fields: names };
          const event = toAnswerEvent(asked, Object.fromEntries(answers));
          // Not the context of this view, which a page may hold for longer than the login.
          const fault = findAnswerFault(asked, event.answer, actor.getSnapshot().context);
          if (fault) {
            const isRepeated = fault.code === "answer_repeated";
            const text = isRepeated ? describeFailure(fault, locale, texts).text : formTexts(language).codeAlone;
            return { [fault.field as string]: text };
          }
          return sendToBank(event);
        },
        readPaste: (name, text) => readPastedCode({ kind: question.kind, field: question.field.name }, name, text),
        cancel,
      };
    }
    case "selectClient": {
      const choose = (client: ClientEntry | string) =>
        sendToBank({ type: "client.choose", client: toClientId(client) });
      const repeatText = formatUnreceived(context.failure, language);
      return { ...state, busy: false, repeatText, choose, cancel };
    }
    case "failed": {
      const verbs = submittable();
      return {
        ...state,
        busy: false,
        failure: failureView(state.failure, language),
        fieldErrors: missingErrors(verbs.form.fields, state.failure.missingFields, language),
        ...verbs,
        replaceSession: snapshot.can({ type: "session.replace" })
          ? () => sendToBank({ type: "session.replace" })
          : undefined,
        cancel,
      };
    }
    case "loggedIn":
      return { ...state, busy: false };
  }
}

const unexpected: Failure = { kind: "fault", code: "unexpected_fault" };

/** A failure for the person. A code that only another version knows is an unexpected fault. */
export function failureView(failure: Failure = unexpected, language: LanguageOptions): FailureView {
  const { text, recovery } = describeFailure(failure, language.locale, language.texts);
  const wait = failure.retryAfter ? ` ${formatRetryAfter(failure.retryAfter, language)}` : "";
  // A view is a person's: who sends the same form once more means it.
  const more = failure.code === "known_wrong" ? ` ${formTexts(language).sendAnyway}` : "";
  return { ...failure, code: findFailure(failure.code).code, text: text + more + wait, recovery };
}

/** The text for a person whom the service asks to wait, in milliseconds. */
function formatRetryAfter(retryAfter: number, language: LanguageOptions): string {
  const time = retryAfter <= 90_000 ? `${Math.ceil(retryAfter / 1_000)} s` : `${Math.ceil(retryAfter / 60_000)} min`;
  return `${formTexts(language).timeToWait} ${time}.`;
}

/** The form of a bank's first login. */
export function loginForm(
  detail: ProviderDetail | undefined,
  options: FieldOptions,
  username?: StringOrSecret,
): LoginForm {
  const fields = credentialFields(detail, options, toPrefill(username));
  return { fields, schema: formSchema(fields, options) };
}
