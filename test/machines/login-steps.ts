import {
  createBankClient,
  createLoginMachine,
  type Failure,
  type LoginSettings,
  reveal,
  type Secret,
} from "ventanilla";
import type { loginMachine } from "ventanilla/machines/login";
import { expect } from "vitest";
import type { SnapshotFrom } from "xstate";
import type { Interaction, KeptLogin, LoginContext, PausedLogin } from "../../machines/login.types.ts";
import { failures } from "../../src/core/api/failures.ts";
import type { SeenRequest } from "../bank/holding-bank.ts";
import {
  chosen,
  clients,
  form,
  type LoginCaseName,
  loginCase,
  loginCases,
  question,
  questions,
} from "./login-cases.ts";
import { findLoginRow, isPersonTooEarly, isReplaceable, isTooEarly, loginRows } from "./login-table.ts";
import type { Model } from "./model.ts";
import { type Position, readPosition } from "./position.ts";
import type { Row } from "./table.ts";

type LoginRequest = "checkingFields" | "sendingCredentials" | "sendingAnswer" | "resuming";
type Question = Omit<Interaction, "expiresAt">;

/** What can be seen of a login from outside, without what no longer matters in its state. */
export interface SeenLogin {
  readonly state: Position;
  readonly status: "active" | "done";
  /** Its own, or those of the paused login that it resumed. */
  readonly settings: LoginSettings;
  readonly provider: string;
  readonly key: string | undefined;
  readonly hasCredentials: boolean;
  readonly answer: string | undefined;
  /** How the question before was answered, or this one. */
  readonly answerKind: LoginContext["answerKind"];
  /** While it is asked or answered. */
  readonly question: Question | undefined;
  readonly clients: object | undefined;
  readonly client: string | undefined;
  readonly isReplaced: boolean;
  /** Which request `submitting` has under way. */
  readonly request: LoginRequest | undefined;
  readonly failure: string | undefined;
  readonly output: object | undefined;
}

const revealed = (secret: Secret | undefined) => secret && reveal(secret);

/** A failure without its details: faults.test.ts. */
export const toKind = ({ kind, code }: Pick<Failure, "kind" | "code">): string => `${kind} ${code}`;

function toQuestion(interaction: Interaction | undefined): Question | undefined {
  if (!interaction) return undefined;
  const { expiresAt: _, ...question } = interaction;
  return question;
}

const isSent = ({ request }: SeenLogin): boolean => request !== undefined && request !== "checkingFields";
const isAsking = (state: Position): boolean => ["submitting", "awaitingInteraction"].includes(state);

export function observeLogin(snapshot: SnapshotFrom<typeof loginMachine>): SeenLogin {
  const { context, status, output, value } = snapshot;
  const state = readPosition(snapshot);
  // How long there is to answer: time-to-answer.test.ts.
  const { answerTimeout: _, ...settings } = context.settings;
  return {
    state,
    status: status as SeenLogin["status"],
    settings,
    provider: context.provider,
    key: revealed(context.key),
    hasCredentials: context.credentials !== undefined,
    answer: revealed(context.answer?.["otp"]),
    answerKind: isAsking(state) ? context.answerKind : undefined,
    question: isAsking(state) ? toQuestion(context.interaction) : undefined,
    clients: state === "selectClient.choosing" ? context.clients : undefined,
    client: state === "selectClient.selecting" ? context.client : undefined,
    isReplaced: context.sessionReplaced,
    request: typeof value === "object" && "submitting" in value ? (value.submitting as LoginRequest) : undefined,
    failure: state === "replacingSession" || !context.failure ? undefined : toKind(context.failure),
    output: output && { provider: output.provider, key: revealed(output.key) },
  };
}

const nothing: Omit<SeenLogin, "state" | "settings"> = {
  status: "active",
  provider: "",
  key: undefined,
  hasCredentials: false,
  answer: undefined,
  answerKind: undefined,
  question: undefined,
  clients: undefined,
  client: undefined,
  isReplaced: false,
  request: undefined,
  failure: undefined,
  output: undefined,
};

/** What must be seen after a step, by what was seen before it and the row of the table. */
function expectedAfter(before: SeenLogin, name: LoginCaseName, row: Row<Position, LoginCaseName>): SeenLogin {
  const { to: state, because } = row;
  const { paused, key: replied } = loginCase(name);
  const { settings, isReplaced, hasCredentials } = before;
  const { provider } = form;
  const fresh = { ...nothing, state, settings };
  // The bank may have what was on its way to it.
  if (state === "idle") return { ...fresh, failure: isSent(before) ? "outcome cancelled" : undefined };
  if (because === "invalid_input") return { ...fresh, failure: "fault invalid_input" };
  if (paused) return { ...fresh, ...resumed(paused, state) };
  if (name === "credentials are submitted") {
    // What can't be in the form is not sent (contract, section 4.1).
    const request = settings.validate === false ? "sendingCredentials" : "checkingFields";
    return { ...fresh, provider, hasCredentials: true, request };
  }
  // The last key that the bank has sent in this login.
  const key = replied ?? before.key;
  const after = { ...fresh, provider, isReplaced: isReplaced || name === "the other session is replaced" };
  switch (state) {
    case "submitting":
      // Another session was closed: the same login is sent again, and its key is of no use.
      if (!answerKinds[name]) return { ...after, hasCredentials, request: "sendingCredentials" };
      return {
        ...after,
        answerKind: answerKinds[name],
        request: "sendingAnswer",
        key,
        hasCredentials,
        answer: question.answer,
        question: before.question,
      };
    case "awaitingInteraction":
      return {
        ...after,
        key,
        hasCredentials,
        answerKind: before.answerKind,
        question: questionAfter(before, name),
        failure: failureAfter(before, name),
      };
    case "selectClient.choosing":
      return { ...after, key, clients, failure: failureAfter(before, name) };
    case "selectClient.selecting":
      return { ...after, key, client: chosen };
    case "loggedIn":
      return { ...after, key, status: "done", output: { provider, key } };
    case "failed": {
      const failure = because && toKind({ kind: failures[because].kind, code: because });
      // Only the key of another session, which the refusal itself names, is of use.
      const seen = { ...after, failure, key: because === "max_sessions_reached" ? replied : undefined };
      return { ...seen, hasCredentials: isReplaceable({ ...seen, hasCredentials }) };
    }
    default:
      return { ...after, key, hasCredentials: hasCredentials && state === "replacingSession" };
  }
}

const answerKinds: Readonly<Partial<Record<LoginCaseName, LoginContext["answerKind"]>>> = {
  "the question is answered": "text",
  "the question is confirmed": "confirmation",
  "the bank's app approves": "approval",
};

// A login goes on where it was paused, with nothing of the login that resumes it.
function resumed(paused: PausedLogin | KeptLogin, state: Position): Partial<SeenLogin> {
  return {
    settings: paused.settings,
    provider: paused.provider,
    ...("token" in paused
      ? { request: "resuming" }
      : {
          key: revealed(paused.key),
          // A choice of client needs none.
          hasCredentials: paused.credentials !== undefined && isAsking(state),
          question: toQuestion(paused.interaction),
          clients: state === "selectClient.choosing" ? clients : undefined,
          isReplaced: paused.sessionReplaced,
        }),
  };
}

/** Why it is asked again: what was sent has not reached the bank. */
function failureAfter({ failure }: SeenLogin, name: LoginCaseName): string | undefined {
  if (name === "the wait for the bank's app breaks") return failure;
  return name.endsWith("has not arrived") ? "fault network_failed" : undefined;
}

function questionAfter(before: SeenLogin, name: LoginCaseName): Question | undefined {
  const { question: last } = before;
  if (name === "the answer has not arrived" || name === "the wait for the bank's app breaks") return last;
  const asked = name === "the bank asks another question" ? questions.captcha : questions.otp;
  const { field, context } = asked;
  // Asked for again right after an answer to it, a field is a repeat. A confirmation that came too early is no wrong answer.
  const isRepeat = last?.field === field;
  const early = isTooEarly(before, name) ? 1 : 0;
  const answersSent = isRepeat ? last.answersSent + 1 - early : 0;
  const confirmationsSent = (last?.confirmationsSent ?? 0) + (isPersonTooEarly(before, name) ? 1 : 0) || undefined;
  // An interaction that the login has answered by itself keeps that mark while it is repeated.
  const approvalSent = (isRepeat && (last.approvalSent || before.answerKind === "approval")) || undefined;
  const counted = { number: (last?.number ?? 0) + 1, isRepeat, answersSent, confirmationsSent, approvalSent };
  return { field, fields: [field], context, ...counted };
}

/** The events that it must emit on the way there. */
function announced({ state, question, failure = "" }: SeenLogin, name: LoginCaseName): object[] {
  if (name === "the login is cancelled") return [{ type: "login.cancelled" }];
  if (name === "the check of the fields breaks") {
    return [{ type: "fields.unchecked", failure: expect.objectContaining({ code: "network_failed" }) }];
  }
  if (name === "the wait for the bank's app breaks") {
    return [{ type: "approval.unknown", failure: expect.objectContaining({ code: "network_failed" }) }];
  }
  switch (state) {
    case "awaitingInteraction":
      return [{ type: "interaction.required", interaction: question }];
    case "selectClient.choosing":
      return [{ type: "client.required", clients }];
    case "failed":
      return [{ type: "login.failed", failure: expect.objectContaining({ code: failure.split(" ")[1] }) }];
    case "loggedIn":
      return [{ type: "login.succeeded", provider: form.provider }];
    default:
      return [];
  }
}

/** The request that a busy state sends (contract, sections 4 and 5). */
export function findLoginRequest(seen: SeenLogin): SeenRequest | undefined {
  const { state, request, key, hasCredentials } = seen;
  const query: Record<string, string> = key === undefined ? {} : { key };
  const get = (path: string): SeenRequest => ({ method: "GET", path, query, form: {} });
  const { provider } = form;
  // The record of a relay has the credentials.
  const { username, password } = hasCredentials ? form : { username: "in-the-record", password: "in-the-record" };
  const answered = { provider, username, password, otp: question.answer, captcha: question.answer };
  switch (request ?? state) {
    case "checkingFields":
      return { ...get(`/provider/${provider}/`), query: {} };
    case "sendingCredentials":
      return { method: "POST", path: "/login/", query: {}, form };
    case "sendingAnswer":
      return { method: "POST", path: "/login/", query, form: answered };
    case "resuming":
      return { ...get("/submit/"), query: {} };
    case "selectClient.listing":
      return get("/client/");
    case "selectClient.selecting":
      return get(`/client/${chosen}/`);
    case "replacingSession":
      return get("/logout/");
    default:
      return undefined;
  }
}

/** The login, and what must follow from everything that can happen to it. */
export const loginModel: Model<SeenLogin, LoginCaseName, LoginSettings> = {
  machine: createLoginMachine(createBankClient({ baseUrl: "http://bank.test", apiKey: "never-sent" })),
  variants: {
    "by the contract": {},
    "with no question allowed": { validate: false, interactionLimit: 0 },
    "with clients to select": { validate: false, clientSelection: true, interactionLimit: 1 },
    "with a session to replace": { sessionReplacement: true, interactionLimit: 1 },
    "with both and two questions": {
      validate: false,
      clientSelection: true,
      sessionReplacement: true,
      interactionLimit: 2,
    },
    "with both refused": { validate: true, clientSelection: false, sessionReplacement: false, interactionLimit: 1 },
  },
  cases: loginCases,
  rows: loginRows,
  findRow: findLoginRow,
  observe: observeLogin,
  // Of the questions after the second, only their number matters, and of the confirmations only the first.
  tellApart: (seen) => {
    const { number = 0, confirmationsSent = 0, answersSent } = seen.question ?? {};
    const counted = number - confirmationsSent;
    return counted > 2 || confirmationsSent > 1 ? [seen.state, counted, answersSent, seen.answerKind] : seen;
  },
  start: (settings) => ({ ...nothing, state: "idle", settings }),
  expectedAfter,
  announced,
};
