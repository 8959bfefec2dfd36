import type { LoginSettings, LoginView } from "ventanilla";
import { expect } from "vitest";
import { expectedSecret } from "../bank/service.ts";
import type { LoginCaseName } from "../model/login-cases.ts";

export const selecting: LoginSettings = { clientSelection: true };
export const replacing: LoginSettings = { sessionReplacement: true };
export const submitted = ["credentials are submitted"] as const;
export const question = [...submitted, "the bank asks a question"] as const;
export const choosing = [...submitted, "the bank wants a client selected", "the clients are listed"] as const;
export const refused = [...submitted, "the bank refuses the credentials"] as const;
export const crowded = [...submitted, "the bank counts too many sessions"] as const;

/** What a login shows, and what can be done there. */
export interface LoginScreen {
  readonly when: string;
  readonly settings?: LoginSettings;
  readonly path: readonly LoginCaseName[];
  readonly step: LoginView["step"];
  readonly isBusy: boolean;
  readonly verbs: readonly string[];
  /** What is shown beside the step and the form. */
  readonly shows: object;
}

const form = expect.objectContaining({ fields: expect.any(Array) });
const clients = [
  { id: "1", name: "First Client" },
  { id: "FIC-02412222", name: "Second Client" },
];

// By hand, from the contract, section 3, and its appendix.
export const loginScreens: readonly LoginScreen[] = [
  {
    when: "nothing was submitted",
    path: [],
    step: "enteringCredentials",
    isBusy: false,
    verbs: ["submit"],
    shows: { form },
  },
  {
    when: "the login is under way",
    path: submitted,
    step: "submitting",
    isBusy: true,
    verbs: ["cancel"],
    shows: { sent: { form, question: undefined } },
  },
  {
    when: "the bank asks",
    path: question,
    step: "answering",
    isBusy: false,
    verbs: ["answer", "cancel"],
    shows: {
      question: {
        kind: "code",
        text: "OTP required",
        number: 1,
        isRepeat: false,
        answersSent: 0,
        repeatText: undefined,
        expiresAt: undefined,
        field: {
          name: "otp",
          label: "Code",
          input: "text",
          autocomplete: "one-time-code",
          inputMode: "numeric",
          required: true,
          choices: [],
          initial: "",
        },
      },
    },
  },
  {
    when: "the answer is under way",
    path: [...question, "the question is answered"],
    step: "submitting",
    isBusy: true,
    verbs: ["cancel"],
    shows: { sent: { form, question: expect.objectContaining({ number: 1 }) } },
  },
  {
    when: "the bank asks again",
    path: [...question, "the question is answered", "the bank asks a question"],
    step: "answering",
    isBusy: false,
    verbs: ["answer", "cancel"],
    shows: {
      question: expect.objectContaining({
        number: 2,
        isRepeat: true,
        answersSent: 1,
        repeatText: expect.stringMatching(/^The bank asks again: .* Answers sent: 1\.$/),
      }),
    },
  },
  {
    when: "the bank asks for something else",
    path: [...question, "the question is answered", "the bank asks another question"],
    step: "answering",
    isBusy: false,
    verbs: ["answer", "cancel"],
    shows: {
      question: expect.objectContaining({ number: 2, isRepeat: false, answersSent: 0, repeatText: undefined }),
    },
  },
  {
    when: "the clients are being listed",
    settings: selecting,
    path: [...submitted, "the bank wants a client selected"],
    step: "listingClients",
    isBusy: true,
    verbs: ["cancel"],
    shows: { sent: { form, question: undefined } },
  },
  {
    when: "a client is to be chosen",
    settings: selecting,
    path: choosing,
    step: "choosingClient",
    isBusy: false,
    verbs: ["cancel", "choose"],
    shows: { clients, expiresAt: undefined },
  },
  {
    when: "the client is being selected",
    settings: selecting,
    path: [...choosing, "a client is chosen"],
    step: "selectingClient",
    isBusy: true,
    verbs: ["cancel"],
    shows: {},
  },
  {
    when: "the bank wants a client selected and the settings keep to the contract",
    path: [...submitted, "the bank wants a client selected"],
    step: "clientRequired",
    isBusy: false,
    verbs: ["cancel"],
    shows: { key: expectedSecret("key-of-the-selection") },
  },
  {
    when: "the bank wants a client selected and gives no key",
    path: [...submitted, "the bank wants a client selected without a key"],
    step: "clientRequired",
    isBusy: false,
    verbs: ["cancel"],
    shows: { key: undefined },
  },
  {
    when: "the bank refuses",
    path: refused,
    step: "failed",
    isBusy: false,
    verbs: ["cancel", "submit"],
    shows: {
      form,
      replaceSession: undefined,
      failure: {
        code: "wrong_credentials",
        text: "The user name or the password is not right.",
        recovery: "correct",
        retryAfter: undefined,
      },
    },
  },
  {
    when: "another session is in the way and the settings keep to the contract",
    path: crowded,
    step: "failed",
    isBusy: false,
    verbs: ["cancel", "submit"],
    shows: {
      form,
      replaceSession: undefined,
      failure: expect.objectContaining({ code: "max_sessions_reached", recovery: "closeSession" }),
    },
  },
  {
    when: "another session is in the way and may be replaced",
    settings: replacing,
    path: crowded,
    step: "failed",
    isBusy: false,
    verbs: ["cancel", "replaceSession", "submit"],
    shows: {
      form,
      failure: expect.objectContaining({ code: "max_sessions_reached", recovery: "closeSession" }),
    },
  },
  {
    when: "another session is in the way and the bank gave no key to close it with",
    settings: replacing,
    path: [...submitted, "the bank counts too many sessions without a key"],
    step: "failed",
    isBusy: false,
    verbs: ["cancel", "submit"],
    shows: { form, replaceSession: undefined, failure: expect.objectContaining({ code: "max_sessions_reached" }) },
  },
  {
    when: "something else failed where sessions may be replaced",
    settings: replacing,
    path: refused,
    step: "failed",
    isBusy: false,
    verbs: ["cancel", "submit"],
    shows: { form, replaceSession: undefined, failure: expect.objectContaining({ code: "wrong_credentials" }) },
  },
  {
    when: "the other session is in the way again after it was closed",
    settings: replacing,
    path: [
      ...crowded,
      "the other session is replaced",
      "the other session is closed",
      "the bank counts too many sessions",
    ],
    step: "failed",
    isBusy: false,
    verbs: ["cancel", "submit"],
    shows: { form, replaceSession: undefined, failure: expect.objectContaining({ code: "max_sessions_reached" }) },
  },
  {
    when: "the other session is being closed",
    settings: replacing,
    path: [...crowded, "the other session is replaced"],
    step: "replacingSession",
    isBusy: true,
    verbs: ["cancel"],
    shows: { sent: { form, question: undefined } },
  },
  {
    when: "the session has started",
    path: [...submitted, "the bank starts a session"],
    step: "loggedIn",
    isBusy: false,
    verbs: [],
    shows: { provider: "test", key: expectedSecret("key-of-the-session") },
  },
];
