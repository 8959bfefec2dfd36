import { createCredentials, NetworkError, type OutcomeCode, secret } from "ventanilla";
import type { LoginEvent } from "ventanilla/machines/login";
import type {
  CloseSessionOutput,
  ListClientsOutput,
  PausedLogin,
  SelectClientOutput,
  SubmitCredentialsOutput,
} from "../../machines/login.types.ts";
import { dataUrl, png } from "../api/pictures.ts";
import type { Reply } from "../bank/service.ts";

/** The keys that the bank hands out, one for each occasion, so that a mix-up shows. */
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
export const otherQuestion = { field: "captcha", context: dataUrl("image/png", png) };
/** What the bank asks, by the name of the field. */
export const questions = { otp: question, captcha: otherQuestion };
export const clients = [
  { id: "1", name: "First Client" },
  { id: "FIC-02412222", name: "Second Client" },
];
export const chosen = "FIC-02412222";

export const credentials = createCredentials({ ...form, fields: { document_type: form.document_type } });

/** Logins that were paused elsewhere, under settings that aren't those of the login that takes them up. */
export const pausedQuestion: PausedLogin = {
  settings: { clientSelection: true, sessionReplacement: true, interactionLimit: 2 },
  provider: form.provider,
  credentials,
  key: secret(keys.paused),
  interaction: { field: question.field, context: question.context, number: 2, isRepeat: true, answersSent: 1 },
  clients: [],
  expiresAt: undefined,
  sessionReplaced: false,
};
export const pausedAfterReplacement: PausedLogin = {
  ...pausedQuestion,
  interaction: { field: question.field, context: question.context, number: 1, isRepeat: false, answersSent: 0 },
  sessionReplaced: true,
};
// It needs no credentials: that they come along all the same shows whether they are forgotten.
export const pausedChoice: PausedLogin = { ...pausedQuestion, interaction: undefined, clients, sessionReplaced: true };

/** What sends a request or waits: the id of the invocation whose end the case is. */
export type Slot =
  | "submitCredentials"
  | "listClients"
  | "selectClient"
  | "closeSession"
  | "interactionDeadline"
  | "choiceDeadline";

/** One thing that can happen to a login: as the statechart hears of it, and how the bank brings it about. */
export interface LoginCase {
  /** A user's event, or what an invocation reports. */
  readonly event: LoginEvent | { readonly type: string; readonly output?: unknown; readonly error?: unknown };
  readonly slot?: Slot;
  readonly wire?: Reply;
  /** The key in the reply. */
  readonly key?: string;
  /** The login that is taken up. */
  readonly paused?: PausedLogin;
  readonly isFault?: true;
}

const person = (event: LoginEvent): LoginCase => ({ event });
// A held verb of a view: no step has the number nought.
const late = (event: LoginEvent): LoginCase => ({ event: { ...event, stepNumber: 0 } });
const takenUp = (paused: PausedLogin): LoginCase => ({ event: { type: "login.resume", paused }, paused });

function replied<Output>(
  slot: Slot,
  key: string | undefined,
  reply: Output,
  { http = 200, json }: { readonly http?: number; readonly json: object },
): LoginCase {
  const output = key === undefined ? reply : { ...reply, key: secret(key) };
  return {
    slot,
    event: { type: `xstate.done.actor.${slot}`, output },
    wire: { http, json: { ...json, ...(key !== undefined && { key }) } },
    ...(key !== undefined && { key }),
  };
}

const login = (key: string | undefined, reply: SubmitCredentialsOutput, http = 200): LoginCase =>
  replied("submitCredentials", key, reply, {
    http,
    json: reply.status === "refused" ? { status: reply.failure.code } : { ...reply },
  });

const refused = (code: OutcomeCode): { status: "refused"; failure: { kind: "outcome"; code: OutcomeCode } } => ({
  status: "refused",
  failure: { kind: "outcome", code },
});

const broken = (slot: Slot): LoginCase => ({
  slot,
  isFault: true,
  event: { type: `xstate.error.actor.${slot}`, error: new NetworkError("network_failed") },
  wire: "broken",
});

const elapsed = (slot: Slot): LoginCase => ({ slot, event: { type: `xstate.done.actor.${slot}`, output: undefined } });

const required: SubmitCredentialsOutput = {
  status: "interaction_required",
  field: question.field,
  context: question.context,
};
const listed = (list: typeof clients): LoginCase =>
  replied<ListClientsOutput>(
    "listClients",
    undefined,
    { status: "success", clients: list },
    { json: { status: "success", clients: Object.fromEntries(list.map(({ id, name }) => [id, name])) } },
  );
const selected = (key?: string): LoginCase =>
  replied<SelectClientOutput>("selectClient", key, { status: "success" }, { json: { status: "success" } });

/** Everything that can happen, by the name that the tests tell it under. */
export const loginCases = {
  "credentials are submitted": person({ type: "credentials.submit", credentials }),
  "the question is answered": person({ type: "interaction.answer", answer: secret(question.answer) }),
  "a client is chosen": person({ type: "client.choose", client: chosen }),
  "a client that is not listed is chosen": person({ type: "client.choose", client: "FIC-0" }),
  "the other session is replaced": person({ type: "session.replace" }),
  "the login is cancelled": person({ type: "login.cancel" }),

  "an old view submits credentials": late({ type: "credentials.submit", credentials }),
  "an old view answers": late({ type: "interaction.answer", answer: secret(question.answer) }),
  "an old view chooses a client": late({ type: "client.choose", client: chosen }),
  "an old view chooses a client that is not listed": late({ type: "client.choose", client: "FIC-0" }),
  "an old view replaces the other session": late({ type: "session.replace" }),
  "an old view cancels": late({ type: "login.cancel" }),

  "a paused question is taken up": takenUp(pausedQuestion),
  "a question paused after a replacement is taken up": takenUp(pausedAfterReplacement),
  "a paused choice is taken up": takenUp(pausedChoice),

  "the bank starts a session": login(keys.session, { status: "logged_in" }),
  "the bank starts a session without a key": login(undefined, { status: "logged_in" }),
  "the bank asks a question": login(keys.question, required),
  "the bank asks a question without a key": login(undefined, required),
  "the bank asks another question": login(keys.other, { status: "interaction_required", ...otherQuestion }),
  "the bank wants a client selected": login(keys.selection, { status: "select_client" }),
  "the bank wants a client selected without a key": login(undefined, { status: "select_client" }),
  "the bank refuses the credentials": login(undefined, refused("wrong_credentials"), 403),
  "the bank counts too many sessions": login(keys.other, refused("max_sessions_reached"), 403),
  "the bank counts too many sessions without a key": login(undefined, refused("max_sessions_reached"), 403),
  "the login breaks": broken("submitCredentials"),

  "the clients are listed": listed(clients),
  "no clients are listed": listed([]),
  "the list of clients is refused": replied<ListClientsOutput>("listClients", undefined, refused("invalid_key"), {
    json: { status: "error", message: "Invalid key" },
  }),
  "the list of clients breaks": broken("listClients"),

  "the client is selected": selected(),
  "the client is selected under a new key": selected(keys.selected),
  "the client is refused": replied<SelectClientOutput>("selectClient", undefined, refused("wrong_client"), {
    json: { status: "error", message: "wrong_client" },
  }),
  "the selection breaks": broken("selectClient"),

  "the other session is closed": replied<CloseSessionOutput>(
    "closeSession",
    undefined,
    { status: "logged_out" },
    { json: { status: "logged_out" } },
  ),
  "the closing is refused": replied<CloseSessionOutput>("closeSession", undefined, refused("logout_failed"), {
    json: { status: "error", code: "B1009" },
  }),
  "the closing meets too many sessions": replied<CloseSessionOutput>(
    "closeSession",
    keys.other,
    refused("max_sessions_reached"),
    { http: 403, json: { status: "max_sessions_reached" } },
  ),
  "the closing breaks": broken("closeSession"),

  "the time to answer runs out": elapsed("interactionDeadline"),
  "the time to choose runs out": elapsed("choiceDeadline"),
} satisfies Record<string, LoginCase>;

export type LoginCaseName = keyof typeof loginCases;
export const loginCaseNames = Object.keys(loginCases) as LoginCaseName[];
export const loginCase = (name: LoginCaseName): LoginCase => loginCases[name];
