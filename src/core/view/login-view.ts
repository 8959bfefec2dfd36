import type { LoginEvent } from "../../../machines/login.ts";
import { BankError } from "../api/errors.ts";
import { type Failure, findFailure, type KnownFailure } from "../api/failures.ts";
import type { StringOrSecret } from "../api/input-checks.ts";
import type { ClientEntry } from "../api/responses.ts";
import type { ProviderDetail } from "../api/schemas.ts";
import type { Secret } from "../api/secret.ts";
import { createCredentials, hasText, toAnswer, toPrefill } from "../login/credentials.ts";
import { credentialFields, type FormField, type FormValues } from "../login/form-fields.ts";
import { formatRetryAfter } from "../login/labels.ts";
import { type LoginSnapshot, readState, readStep } from "../login/login-state.ts";
import { describeFailure, type FailureDescription } from "../texts/describe-failure.ts";
import type { Locale } from "../texts/languages.ts";
import { type FormSchema, formSchema, readTyped } from "./form-schema.ts";
import { type QuestionView, questionView } from "./question-view.ts";

/** The options of a view. */
export interface LoginViewOptions {
  /** The bank's code. */
  readonly provider: string;
  /** The provider that `client.getProvider` returns. Default none: the form has a username and a password. */
  readonly detail?: ProviderDetail | undefined;
  /** The language of labels and texts. Default `en`. */
  readonly locale?: Locale | undefined;
  /**
   * The person's user name at the bank, if you know it: the `prefill` of its field, so that the person types only the password. It
   * never enters the statechart by itself. Default none.
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
   * Sends the form, once, and keeps none of it. Empty optional fields are left out, and the spaces around texts.
   *
   * @throws {BankError} `missing_field` or `invalid_input`, naming the field; nothing was sent. Check with `form.schema` first.
   */
  submit(values: FormValues): void;
}

interface Waiting<Step extends string> extends Cancellable {
  readonly step: Step;
  readonly busy: true;
}

interface Sending {
  /** The form that the person sent. */
  readonly sent: SentForm;
}

/** A form during its request. Show it disabled in the same place: nothing moves, and a second click hits the same button. */
export interface SentForm {
  /** The form of the login. */
  readonly form: LoginForm;
  /** The question, if its answer was sent. */
  readonly question: QuestionView | undefined;
}

/** What to show of a login, and what a person can do there: one member per screen. */
export type LoginView =
  | ({ readonly step: "enteringCredentials"; readonly busy: false } & Submittable)
  | (Waiting<"submitting"> & Sending)
  | ({
      readonly step: "answering";
      readonly busy: false;
      readonly question: QuestionView;
      /**
       * Sends the answer: a text, or what was typed into each of `question.fields`, by its name. An empty text
       * confirms, where the field of a confirmation is not required.
       *
       * @throws {BankError} `missing_field` for an empty text, naming the field; nothing was sent.
       */
      answer(answer: string | FormValues): void;
    } & Cancellable)
  | (Waiting<"listingClients"> & Sending)
  | ({
      readonly step: "choosingClient";
      readonly busy: false;
      readonly clients: readonly ClientEntry[];
      /** When the time to choose runs out, in milliseconds since the epoch. */
      readonly expiresAt?: number | undefined;
      /** Chooses a client by its id. */
      choose(client: string): void;
    } & Cancellable)
  | Waiting<"selectingClient">
  | ({
      /** The bank wants a client chosen, and the settings don't have `clientSelection`. */
      readonly step: "clientRequired";
      readonly busy: false;
      readonly key: Secret | undefined;
    } & Cancellable)
  | (Waiting<"replacingSession"> & Sending)
  | ({
      readonly step: "failed";
      readonly busy: false;
      readonly failure: FailureView;
      /** Closes the other session and logs in again; if that helps and `sessionReplacement` allows it. */
      readonly replaceSession: (() => void) | undefined;
    } & Submittable &
      Cancellable)
  | {
      readonly step: "loggedIn";
      readonly busy: false;
      /** The login's id, as in the relay's log. */
      readonly id: string;
      readonly provider: string;
      readonly key: Secret;
    };

/** What a view's verbs need of a login: its actor. */
export interface LoginSource {
  getSnapshot(): Pick<LoginSnapshot, "value" | "context">;
  send(event: LoginEvent): void;
}

/**
 * What to show of a login, and what the person can do. Pure: the same snapshot gives the same view. Each verb sends one event, unless
 * the login is at another step by then. A screen is one exhaustive `switch` over `step`.
 *
 * @example
 * const view = loginView(actor.getSnapshot(), actor, { provider: "test" });
 * if (view.step === "answering") view.answer(code);
 */
export function loginView(
  snapshot: LoginSnapshot,
  actor: LoginSource,
  { provider, detail, locale = "en", username }: LoginViewOptions,
): LoginView {
  const { context } = snapshot;
  const step = readStep(snapshot);
  // A screen may show a step for a moment longer than it lasts: a second click must not answer the next question.
  const send = (event: LoginEvent) => {
    if (readStep(actor.getSnapshot()) === step) actor.send(event);
  };
  const cancel = () => send({ type: "login.cancel" });
  const submittable = (): Submittable => {
    const form = loginForm(detail, locale, username);
    return {
      form,
      submit: (values) => send({ type: "credentials.submit", credentials: readCredentials(form, provider, values) }),
    };
  };

  const sent = (): SentForm => ({
    form: loginForm(detail, locale, username),
    question: context.interaction && questionView(context.interaction, detail, locale),
  });

  switch (readState(snapshot)) {
    case "idle":
      return { step: "enteringCredentials", busy: false, ...submittable() };
    case "awaitingInteraction": {
      const question = questionView(context.interaction, detail, locale);
      return {
        step: "answering",
        busy: false,
        question,
        answer: (answer) => send({ type: "interaction.answer", answer: readAnswer(question, answer) }),
        cancel,
      };
    }
    case "selectClient.choosing": {
      const { clients, expiresAt } = context;
      const choose = (client: string) => send({ type: "client.choose", client });
      return { step: "choosingClient", busy: false, clients, expiresAt, choose, cancel };
    }
    case "selectClient.resting":
      return { step: "clientRequired", busy: false, key: context.key, cancel };
    case "failed":
      return {
        step: "failed",
        busy: false,
        failure: failureView(context.failure, locale),
        ...submittable(),
        replaceSession: snapshot.can({ type: "session.replace" }) ? () => send({ type: "session.replace" }) : undefined,
        cancel,
      };
    case "loggedIn":
      // Entered with a key only: see the statechart's output.
      return { step: "loggedIn", busy: false, id: context.id, provider: context.provider, key: context.key as Secret };
    case "submitting":
      return { step: "submitting", busy: true, sent: sent(), cancel };
    case "selectClient.listing":
      return { step: "listingClients", busy: true, sent: sent(), cancel };
    case "selectClient.selecting":
      return { step: "selectingClient", busy: true, cancel };
    case "replacingSession":
      return { step: "replacingSession", busy: true, sent: { ...sent(), question: undefined }, cancel };
  }
}

const unexpected: Failure = { kind: "fault", code: "unexpected_fault" };

/** A failure for the person. A code that only another version knows is an unexpected fault. */
export function failureView(failure: Failure = unexpected, locale: Locale): FailureView {
  const { text, recovery } = describeFailure(failure, locale);
  const wait = failure.retryAfter ? ` ${formatRetryAfter(failure.retryAfter, locale)}` : "";
  return { ...failure, code: findFailure(failure.code).code, text: text + wait, recovery };
}

/** The form of a bank's first login. */
export function loginForm(detail: ProviderDetail | undefined, locale: Locale, username?: StringOrSecret): LoginForm {
  const fields = credentialFields(detail, locale, toPrefill(username));
  return { fields, schema: formSchema(fields, locale) };
}

/** The answer to a question: the texts of its fields, and nothing else of a form. */
function readAnswer(question: QuestionView, answer: string | FormValues) {
  const { field, fields } = question;
  const confirmed = question.kind === "confirmation" ? question.answer : "";
  const typed = readTyped(fields, typeof answer === "string" ? { [field.name]: answer } : answer);
  const texts = fields.map(({ name, required }) => [name, typed.get(name) || (required ? "" : confirmed)] as const);
  const [missing] = texts.find(([, text]) => text === "") ?? [];
  if (missing !== undefined) throw new BankError("missing_field", { field: missing });
  return toAnswer({ field: field.name }, Object.fromEntries(texts));
}

/** The credentials of a form that was filled in. */
function readCredentials({ fields }: LoginForm, provider: string, values: FormValues) {
  const filled = Object.fromEntries([...readTyped(fields, values)].filter(([, value]) => hasText(value)));
  const missing = fields.find(({ name, required }) => required && !Object.hasOwn(filled, name));
  if (missing) throw new BankError("missing_field", { field: missing.name });
  const { username = "", password = "", ...rest } = filled;
  return createCredentials({ provider, username, password, fields: rest });
}
