import { BankError, createCredentials, secret } from "ventanilla";
import type { LoginEvent } from "ventanilla/machines/login";
import type { KeptLogin, PausedLogin, SubmitOutput } from "../../machines/login.types.ts";
import { bankWith, field } from "../bank/service.ts";
import { dataUrl, png } from "../core/api/pictures.ts";
import { broken, type Case, elapsed, refused, replied, reported } from "./cases.ts";

/** The keys that the bank sends, a different one for each purpose, so that a mix-up shows. */
export const keys = {
  session: "key-of-the-session",
  question: "key-of-the-question",
  selection: "key-of-the-selection",
  selected: "key-of-the-selected-client",
  other: "key-of-another-session",
  paused: "key-of-the-paused-login",
};

/**
 * What the person fills in: two fields of every bank, and one of this bank. The values stand nowhere else, so that a leak
 * shows, and hold what forms must encode.
 */
export const form = {
  provider: "test",
  username: "username-of-nobody-else &é=<ñ",
  password: "password-of-nobody-else &é=<ñ",
  document_type: "document-of-nobody-else &é=<ñ",
};
export const question = { field: "otp", context: "OTP required", answer: "answer-of-nobody-else &é=<ñ" };
// Another kind: a picture goes everywhere that a text goes.
const otherQuestion = { field: "captcha", context: dataUrl("image/png", png) };
/** What the bank asks, by the name of the field. */
export const questions = { otp: question, captcha: otherQuestion };
export const answer = { otp: secret(question.answer), captcha: secret(question.answer) };
export const clients = [
  { id: "1", name: "First Client" },
  { id: "FIC-02412222", name: "Second Client" },
];
export const chosen = "FIC-02412222";

const { document_type, ...required } = form;
export const credentials = createCredentials({ ...required, fields: { document_type } });

const detail = bankWith(field({ name: "document_type" }), field({ name: "otp", interactive: true }));

/** Logins that were paused elsewhere, under settings that aren't those of the login that takes them up. */
export const pausedQuestion: PausedLogin = {
  id: "login-of-nobody-else",
  settings: { validate: false, clientSelection: true, sessionReplacement: true, interactionLimit: 2 },
  provider: form.provider,
  credentials,
  key: secret(keys.paused),
  interaction: {
    field: question.field,
    fields: [question.field],
    context: question.context,
    number: 2,
    isRepeat: true,
    answersSent: 1,
  },
  clients: [],
  expiresAt: undefined,
  sessionReplaced: false,
};
const pausedAfterReplacement: PausedLogin = {
  ...pausedQuestion,
  interaction: {
    field: question.field,
    fields: [question.field],
    context: question.context,
    number: 1,
    isRepeat: false,
    answersSent: 0,
  },
  sessionReplaced: true,
};
// It needs no credentials: that they come along all the same shows whether they are forgotten.
export const pausedChoice: PausedLogin = { ...pausedQuestion, interaction: undefined, clients, sessionReplaced: true };

/** A login whose page was left while a relay kept it. It comes by its name alone. */
const keptLogin: KeptLogin = {
  id: pausedQuestion.id,
  settings: pausedQuestion.settings,
  provider: form.provider,
  token: secret("token-of-nobody-else.0"),
};

/** The invocations: each sends a request or waits. */
export type Slot =
  | "checkFields"
  // Each of the three login requests.
  | "submitCredentials"
  | "submitAnswer"
  | "resume"
  | "listClients"
  | "selectClient"
  | "closeSession"
  | "awaitApproval"
  | "interactionDeadline"
  | "choiceDeadline";

export interface LoginCase extends Case<LoginEvent, Slot> {
  /** The login that is resumed. */
  readonly paused?: PausedLogin | KeptLogin;
}

const resumed = (paused: PausedLogin | KeptLogin): LoginCase => ({ event: { type: "login.resume", paused }, paused });
const login = (output: SubmitOutput, key?: string): LoginCase =>
  replied("submitCredentials", output, key === undefined ? {} : { key });

const asked: SubmitOutput = {
  status: "interaction_required",
  field: question.field,
  context: question.context,
};
const listed = (list: typeof clients): LoginCase =>
  replied(
    "listClients",
    { status: "success", clients: list },
    { json: { status: "success", clients: Object.fromEntries(list.map(({ id, name }) => [id, name])) } },
  );

// What JavaScript lets a page send, or what has gone through JSON: nothing of it is a secret.
const plain = (value: unknown) => value as never;

const byPerson = {
  "plain credentials are submitted": {
    event: {
      type: "credentials.submit",
      credentials: plain({ ...form, username: "ana", password: "guess", document_type: "ci" }),
    },
  },
  "the question is answered in plain text": { event: { type: "interaction.answer", answer: plain({ otp: "8888" }) } },
  "a plain question is taken up": {
    event: { type: "login.resume", paused: { ...pausedQuestion, key: plain("a key") } },
  },
  "credentials are submitted": { event: { type: "credentials.submit", credentials } },
  "the question is answered": { event: { type: "interaction.answer", answer } },
  "the question is confirmed": { event: { type: "interaction.answer", answer, isConfirmation: true } },
  "a client is chosen": { event: { type: "client.choose", client: chosen } },
  "a client that is not listed is chosen": { event: { type: "client.choose", client: "FIC-0" } },
  "the other session is replaced": { event: { type: "session.replace" } },
  "the login is cancelled": { event: { type: "login.cancel" } },
} satisfies Record<string, LoginCase>;

const byBank = {
  "the bank starts a session": login({ status: "logged_in" }, keys.session),
  "the bank starts a session without a key": login({ status: "logged_in" }),
  "the bank asks a question": login(asked, keys.question),
  "the bank asks a question without a key": login(asked),
  "the bank asks another question": login({ status: "interaction_required", ...otherQuestion }, keys.other),
  "the bank wants a client selected": login({ status: "select_client" }, keys.selection),
  "the bank wants a client selected without a key": login({ status: "select_client" }),
  "the bank refuses the credentials": refused("submitCredentials", "wrong_credentials", { http: 403 }),
  "the bank counts too many sessions": refused("submitCredentials", "max_sessions_reached", {
    http: 403,
    key: keys.other,
  }),
  "the bank counts too many sessions without a key": refused("submitCredentials", "max_sessions_reached", {
    http: 403,
  }),
  "the login breaks": broken("submitCredentials"),
} satisfies Record<string, LoginCase>;

// A relay has not got what was sent.
const unknownSubmit = { http: 404, json: { status: "unknown_submit" } };
export const unreceived = new BankError("network_failed", { request: "POST /login/", detail: "NOT_RECEIVED" });

const unsent = { status: "refused", failure: { kind: "fault", code: "network_failed", detail: "NOT_RECEIVED" } };

/** Everything that can happen, by the name that the tests use. */
export const loginCases = {
  ...byPerson,
  ...byBank,
  "the fields are right": replied(
    "checkFields",
    { status: "success" },
    { json: { status: "success", provider: detail } },
  ),
  "the bank is not known": refused("checkFields", "provider_doesnt_exist"),
  "the check of the fields breaks": broken("checkFields"),
  "the submit is not known": { ...broken("resume", unreceived), wire: unknownSubmit },
  "the answer has not arrived": { ...replied("submitAnswer", unsent), wire: unknownSubmit },
  "the choice has not arrived": { ...replied("selectClient", unsent), wire: unknownSubmit },
  "a kept login is taken up": resumed(keptLogin),

  "a paused question is taken up": resumed(pausedQuestion),
  "a question paused after a replacement is taken up": resumed(pausedAfterReplacement),
  "a paused choice is taken up": resumed(pausedChoice),

  "the clients are listed": listed(clients),
  "no clients are listed": listed([]),
  "the list of clients is refused": refused("listClients", "invalid_key", {
    json: { status: "error", message: "Invalid key" },
  }),
  "the list of clients breaks": broken("listClients"),

  "the client is selected": replied("selectClient", { status: "success" }),
  "the client is selected under a new key": replied("selectClient", { status: "success" }, { key: keys.selected }),
  "the client is refused": refused("selectClient", "wrong_client", {
    json: { status: "error", message: "wrong_client" },
  }),
  "the selection breaks": broken("selectClient"),

  "the other session is closed": replied("closeSession", { status: "logged_out" }),
  "the closing is refused": refused("closeSession", "logout_failed", { json: { status: "error", code: "B1009" } }),
  "the closing meets too many sessions": refused("closeSession", "max_sessions_reached", {
    http: 403,
    key: keys.other,
  }),
  "the closing breaks": broken("closeSession"),

  "the bank's app approves": reported("awaitApproval", { status: "approved", answer }),
  "the bank's app denies": reported("awaitApproval", { status: "denied" }),
  "the approval expires": reported("awaitApproval", { status: "expired" }),
  "the wait for the bank's app breaks": { ...broken("awaitApproval"), wire: undefined },

  "the time to answer runs out": elapsed("interactionDeadline"),
  "the time to choose runs out": elapsed("choiceDeadline"),
} satisfies Record<string, LoginCase>;

export type LoginCaseName = keyof typeof loginCases;
export const loginCase = (name: LoginCaseName): LoginCase => loginCases[name];
