import {
  createBankClient,
  createLoginMachine,
  type Failure,
  type InteractionData as Interaction,
  type LoginSettings,
  readState,
  reveal,
  type Secret,
} from "ventanilla";
import type { loginMachine } from "ventanilla/machines/login";
import { expect } from "vitest";
import type { SnapshotFrom } from "xstate";
import { failures } from "../../src/core/api/failures.ts";
import type { SeenRequest } from "../bank/holding-bank.ts";
import {
  chosen,
  clients,
  form,
  type LoginCaseName,
  loginCases,
  lostLogin,
  question,
  questions,
} from "./login-cases.ts";
import { isReplaceable, type LoginFacts, loginOracle, loginRows } from "./login-oracle.ts";
import type { Model } from "./model.ts";

type Observation = ReturnType<typeof observeLogin>;

const revealed = (secret: Secret | undefined) => secret && reveal(secret);

/** A failure without its details: faults.test.ts. */
export const toKind = ({ kind, code }: Failure): string => `${kind} ${code}`;

function toQuestion(interaction: Interaction | undefined): Omit<Interaction, "expiresAt" | "isResumable"> | undefined {
  if (!interaction) return undefined;
  const { expiresAt: _, isResumable: _isResumable, ...question } = interaction;
  return question;
}

/** What can be seen of a login from outside, without what no longer matters in its state. */
export function observeLogin(snapshot: SnapshotFrom<typeof loginMachine>) {
  const { context, status, output } = snapshot;
  const state = readState(snapshot);
  const isAsking = ["submitting", "awaitingInteraction"].includes(state);
  // How long there is to answer: time-to-answer.test.ts.
  const { answerTimeout: _, ...settings } = context.settings;
  return {
    state,
    isBusy: snapshot.hasTag("busy"),
    status,
    settings,
    provider: context.provider,
    key: revealed(context.key),
    hasCredentials: context.credentials !== undefined,
    answer: revealed(context.answer?.["otp"]),
    question: isAsking ? toQuestion(context.interaction) : undefined,
    clients: state === "selectClient.choosing" ? context.clients : undefined,
    client: state === "selectClient.selecting" ? context.client : undefined,
    isReplaced: context.sessionReplaced,
    failure: state === "replacingSession" || !context.failure ? undefined : toKind(context.failure),
    output: output && { provider: output.provider, key: revealed(output.key) },
  };
}

/** What should be seen of it. */
export function expectedLogin(facts: LoginFacts): Observation {
  const { state, settings, key, interactions, replaced, isLost, isAskedLater, failure } = facts;
  const isLoggedIn = state === "loggedIn";
  const isAsking = ["submitting", "awaitingInteraction"].includes(state);
  return {
    state,
    isBusy: ["submitting", "selectClient.listing", "selectClient.selecting", "replacingSession"].includes(state),
    status: isLoggedIn ? "done" : "active",
    settings,
    provider: state === "idle" ? "" : form.provider,
    key,
    // Kept only as long as they may have to be sent again.
    hasCredentials:
      (!isLost && ["submitting", "awaitingInteraction", "replacingSession"].includes(state)) || isReplaceable(facts),
    answer: state === "submitting" && interactions > 0 && !isAskedLater ? question.answer : undefined,
    question: isAsking ? expectedQuestion(facts) : undefined,
    clients: state === "selectClient.choosing" ? clients : undefined,
    client: state === "selectClient.selecting" ? chosen : undefined,
    isReplaced: replaced,
    failure: failure && toKind({ kind: failures[failure].kind, code: failure }),
    output: isLoggedIn ? { provider: form.provider, key } : undefined,
  };
}

function expectedQuestion({ interactions, field, answersSent }: LoginFacts): Observation["question"] {
  if (!field) return undefined;
  const { context } = questions[field];
  return { field, fields: [field], context, number: interactions, isRepeat: answersSent > 0, answersSent };
}

/** The events that it should emit on the way there. */
export function announced(name: LoginCaseName, facts: LoginFacts): object[] {
  const { state, failure } = facts;
  if (name === "the login is cancelled") return [{ type: "login.cancelled" }];
  switch (state) {
    case "awaitingInteraction":
      return [{ type: "interaction.required", interaction: expectedQuestion(facts) }];
    case "selectClient.choosing":
      return [{ type: "client.required", clients }];
    case "failed":
      return [{ type: "login.failed", failure: expect.objectContaining({ code: failure }) }];
    case "loggedIn":
      return [{ type: "login.succeeded", provider: form.provider }];
    default:
      return [];
  }
}

/** The request that a busy state sends (contract, sections 4 and 5). */
export function findRequest({ state, field, key, isLost, isAskedLater }: LoginFacts): SeenRequest | undefined {
  const query: Record<string, string> = key === undefined ? {} : { key };
  const get = (path: string): SeenRequest => ({ method: "GET", path, query, form: {} });
  const { provider } = form;
  const { username, password } = isLost ? { username: "in-the-key", password: "in-the-key" } : form;
  if (isAskedLater) return { ...get(`/attempt/${lostLogin.attemptId}/`), query: {} };
  switch (state) {
    case "submitting":
      return field === undefined
        ? { method: "POST", path: "/login/", query: {}, form }
        : {
            method: "POST",
            path: "/login/",
            query,
            form: { provider, username, password, otp: question.answer, captcha: question.answer },
          };
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

/** The login with its oracle. */
export const loginModel: Model<LoginFacts, LoginCaseName, LoginSettings> = {
  machine: createLoginMachine(createBankClient({ baseUrl: "http://bank.test", apiKey: "never-sent" })),
  variants: {
    "by the contract": {},
    "with no question allowed": { interactionLimit: 0 },
    "with clients to select": { clientSelection: true, interactionLimit: 1 },
    "with a session to replace": { sessionReplacement: true, interactionLimit: 1 },
    "with both and two questions": { clientSelection: true, sessionReplacement: true, interactionLimit: 2 },
    "with both refused": { clientSelection: false, sessionReplacement: false, interactionLimit: 1 },
  },
  cases: loginCases,
  rows: loginRows,
  oracle: loginOracle,
  observe: observeLogin,
  expected: expectedLogin,
  announced,
  running: {
    submitting: ["submitCredentials"],
    awaitingInteraction: ["interactionDeadline"],
    "selectClient.listing": ["listClients"],
    "selectClient.choosing": ["choiceDeadline"],
    "selectClient.selecting": ["selectClient"],
    replacingSession: ["closeSession"],
  },
};
