import type { LoginSettings, LoginView } from "ventanilla";
import { expect } from "vitest";
import { expectedSecret } from "../../bank/service.ts";
import { clients, type LoginCaseName } from "../../machines/login-cases.ts";

const selecting: LoginSettings = { clientSelection: true };
const replacing: LoginSettings = { sessionReplacement: true };
export const submitted = ["credentials are submitted"] as const;
export const question = [...submitted, "the bank asks a question"] as const;
const answered = [...question, "the question is answered"] as const;
const choosing = [...submitted, "the bank wants a client selected", "the clients are listed"] as const;
export const refused = [...submitted, "the bank refuses the credentials"] as const;
const crowded = [...submitted, "the bank counts too many sessions"] as const;
const closed = [...crowded, "the other session is replaced", "the other session is closed"] as const;

/** What can be done in each state, whatever led there. */
const stateVerbs: Readonly<Record<LoginView["state"], readonly string[]>> = {
  idle: ["submit"],
  submitting: ["cancel"],
  awaitingInteraction: ["answer", "cancel", "readPaste"],
  selectClient: ["cancel", "choose"],
  failed: ["cancel", "submit"],
  loggedIn: [],
};

type Row = readonly [
  when: string,
  path: readonly LoginCaseName[],
  state: LoginView["state"],
  /** Beside the state, the login's name and the bank. */
  shows: object,
  settings?: LoginSettings,
  /** What can be done there and not in each such state. */
  verb?: string,
];

const form = expect.objectContaining({ fields: expect.any(Array) });
const failed = (code: string) => ({
  form,
  fieldErrors: {},
  failure: expect.objectContaining({ code }),
});

const asked = (field: string, number: number) => expect.objectContaining({ field, number });

// By hand, from the contract, section 3, and its appendix.
const code = {
  name: "otp",
  label: "Code",
  input: "text",
  autocomplete: "one-time-code",
  inputMode: "numeric",
  required: true,
  choices: [],
  initial: "",
};

const rows: readonly Row[] = [
  ["nothing was submitted", [], "idle", { form }],
  ["the login is under way", submitted, "submitting", { request: "submitCredentials", sent: { form } }],
  [
    "the bank asks",
    question,
    "awaitingInteraction",
    {
      interaction: asked("otp", 1),
      question: {
        kind: "code",
        text: "OTP required",
        number: 1,
        isRepeat: false,
        answersSent: 0,
        isUnreceived: false,
        awaitsApproval: false,
        field: code,
        fields: [code],
      },
    },
  ],
  [
    "the answer is under way",
    answered,
    "submitting",
    { request: "submitAnswer", sent: { form, question: expect.objectContaining({ number: 1 }) } },
  ],
  [
    "the bank asks again",
    [...answered, "the bank asks a question"],
    "awaitingInteraction",
    { interaction: asked("otp", 2), question: expect.objectContaining({ number: 2, isRepeat: true, answersSent: 1 }) },
  ],
  [
    "the bank asks for something else",
    [...answered, "the bank asks another question"],
    "awaitingInteraction",
    {
      interaction: expect.objectContaining({ number: 2 }),
      question: expect.objectContaining({ number: 2, isRepeat: false, answersSent: 0, repeatText: undefined }),
    },
  ],
  [
    "the clients are being listed",
    choosing.slice(0, -1),
    "submitting",
    { request: "listClients", sent: { form } },
    selecting,
  ],
  [
    "a client is to be chosen",
    choosing,
    "selectClient",
    { key: expectedSecret("key-of-the-selection"), clients },
    selecting,
  ],
  [
    "the client is being selected",
    [...choosing, "a client is chosen"],
    "submitting",
    { request: "selectClient", sent: { form } },
    selecting,
  ],
  [
    "the bank wants a client selected and the settings keep to the contract",
    choosing.slice(0, -1),
    "failed",
    { ...failed("client_selection_off"), key: expectedSecret("key-of-the-selection") },
  ],
  [
    "the bank wants a client selected and gives no key",
    [...submitted, "the bank wants a client selected without a key"],
    "failed",
    failed("client_selection_off"),
  ],
  [
    "the bank refuses",
    refused,
    "failed",
    {
      form,
      fieldErrors: {},
      failure: {
        kind: "outcome",
        code: "wrong_credentials",
        text: "The user name, the password or another detail is not right. Check them and try again.",
        recovery: "correct",
      },
    },
  ],
  [
    "another session is in the way and the settings keep to the contract",
    crowded,
    "failed",
    {
      form,
      fieldErrors: {},
      key: expectedSecret("key-of-another-session"),
      failure: expect.objectContaining({ code: "max_sessions_reached", recovery: "closeSession" }),
    },
  ],
  [
    "another session is in the way and may be replaced",
    crowded,
    "failed",
    { ...failed("max_sessions_reached"), key: expectedSecret("key-of-another-session") },
    replacing,
    "replaceSession",
  ],
  [
    "another session is in the way and the bank gave no key to close it with",
    [...submitted, "the bank counts too many sessions without a key"],
    "failed",
    failed("max_sessions_reached"),
    replacing,
  ],
  ["something else failed where sessions may be replaced", refused, "failed", failed("wrong_credentials"), replacing],
  [
    "the other session is in the way again after it was closed",
    [...closed, "the bank counts too many sessions"],
    "failed",
    { ...failed("max_sessions_reached"), key: expectedSecret("key-of-another-session") },
    replacing,
  ],
  [
    "the other session is being closed",
    closed.slice(0, -1),
    "submitting",
    { request: "closeSession", sent: { form } },
    replacing,
  ],
  [
    "the session has started",
    [...submitted, "the bank starts a session"],
    "loggedIn",
    {
      key: expectedSecret("key-of-the-session"),
      loggedInAt: expect.any(Number),
    },
  ],
];

/** What a login shows, and what can be done there. */
export const loginScreens = rows.map(([when, path, state, shows, settings = {}, verb]) => ({
  when,
  path,
  state,
  shows: state === "idle" ? shows : { id: expect.any(String), provider: "test", ...shows },
  settings,
  isBusy: state === "submitting",
  verbs: [...stateVerbs[state], ...(verb ? [verb] : [])].sort(),
}));
