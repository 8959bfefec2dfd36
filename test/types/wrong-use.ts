// What must not compile. `npm run types` fails where a line below `@ts-expect-error` compiles.
import {
  type BankClient,
  BankError,
  createBankClient,
  createCredentials,
  createLinkMachine,
  createLoginMachine,
  createRelayClient,
  describeFailure,
  type Failure,
  type LinkView,
  type LoginOutcome,
  type LoginResponse,
  type LoginState,
  type LoginView,
  login,
  loginView,
  rememberRefusals,
  resume,
  reveal,
  type Secret,
  secret,
  type Texts,
} from "ventanilla";
import { type BatchResult, batch } from "ventanilla/batch";
import type { HostedEnd, HostedLogin, HostedLoginOptions } from "ventanilla/hosted";
import { type LoginEvent, loginMachine } from "ventanilla/machines/login";
import type { RelayOptions } from "ventanilla/relay";
import { createSandbox } from "ventanilla/sandbox";
import type { LoginDriver } from "ventanilla/testing";
import type { Store } from "ventanilla/tokens";
import { createActor } from "xstate";

declare const client: BankClient;
declare const outcome: LoginOutcome;
declare const claimStore: Store;
declare const batched: BatchResult;
declare const response: LoginResponse;
declare const state: LoginState;
declare const key: Secret;
declare const view: LoginView;
declare const linkScreen: LinkView;

const person = { provider: "test", username: "ana", password: "hunter two" };

// Secrets in events.
const actor = createActor(createLoginMachine(client), { input: {} });
// @ts-expect-error a plain text is no answer
actor.send({ type: "interaction.answer", answer: "8888" });
// @ts-expect-error plain texts are no credentials
actor.send({ type: "credentials.submit", credentials: { provider: "test", fields: person } });
// @ts-expect-error credentials need a password
actor.send({ type: "credentials.submit", credentials: { provider: "test", fields: { username: secret("ana") } } });
// @ts-expect-error an object that looks like a secret is none
actor.send({ type: "interaction.answer", answer: { toString: () => "8888", toJSON: () => "8888" } });
const forgery = {
  brand: "Secret" as const,
  toString: () => "8888",
  toJSON: () => "8888",
  [Symbol.toPrimitive]: () => "8888",
  __v_skip: true as const,
};
// @ts-expect-error an object with every member of a secret is none
client.logout(forgery);
// @ts-expect-error a text is no secret
export const forged: Secret = "8888";
// @ts-expect-error credentials are not changed once they are made
createCredentials(person).provider = "other";

// Events that the statecharts don't have.
// @ts-expect-error there is no resend
actor.send({ type: "interaction.resend" });
// @ts-expect-error a choice names its client
actor.send({ type: "client.choose" });
// @ts-expect-error a wire status is no event
export const wire: LoginEvent = { type: "logged_in" };
// @ts-expect-error an event that is never emitted
actor.on("login.resent", () => {});
// Without settings each has its default.
createActor(createLoginMachine(client));
createActor(loginMachine);
// @ts-expect-error a guard reads what its request returns
loginMachine.provide({ guards: { isRefused: (_, { isGone }: { readonly isGone: boolean }) => isGone } });
// @ts-expect-error a setting of the wrong kind
createActor(createLinkMachine(client), { input: { answerTimeout: "soon" } });

// The headless login.
// @ts-expect-error a login is at a bank
login(client, { username: "ana", password: "hunter two" }, { onInteraction: () => "8888" });
// @ts-expect-error a field of the bank belongs in fields
login(client, { ...person, type: "rut" });
// @ts-expect-error an option is no credential
login(client, { ...person, onInteraction: () => "8888" });
// @ts-expect-error a credential is no option
login(client, person, { username: "ana" });
// @ts-expect-error how a login behaves belongs in the settings
login(client, person, { validate: false });
// @ts-expect-error a setting that there is not
login(client, person, { settings: { attempts: 3 } });
// @ts-expect-error an answer is a text
login(client, person, { onInteraction: () => 8888 });
// @ts-expect-error a forgotten return is no answer; null cancels
login(client, person, { onInteraction: (interaction) => void interaction.field });
// @ts-expect-error a client is chosen by its id, a text
login(client, person, { onInteraction: () => "8888", onSelectClient: () => 0 });
// @ts-expect-error perhaps there is no client
login(client, person, { onInteraction: () => "8888", onSelectClient: ([first]) => first?.id });
// @ts-expect-error a session is replaced or not
login(client, person, { settings: { sessionReplacement: "replace" }, onInteraction: () => "" });
// @ts-expect-error a deadline is a Date or milliseconds since the epoch
login(client, person, { settings: { deadline: "2026-12-01" } });
// @ts-expect-error an option that is left out is left out, not undefined
login(client, person, { settings: { validate: undefined }, onInteraction: () => "" });

// @ts-expect-error a picture shows by itself
login(client, person, { settings: { interactionKinds: { test: { otp: "picture" } } } });
// @ts-expect-error kinds are set by bank and field
login(client, person, { settings: { interactionKinds: { otp: "code" } } });

// @ts-expect-error a memory has a store
rememberRefusals(client, { key: "a key" });
// @ts-expect-error an option that there is not
rememberRefusals(client, { store: claimStore, key: "a key" }, { again: true });

// A batch.
// @ts-expect-error a login is noted before it is sent
batch(client, [{ ...person, id: "a" }], {});
// @ts-expect-error how the login of a row behaves belongs in its settings
batch(client, [{ ...person, id: "a", validate: false }], { journal: "june.journal" });
// @ts-expect-error each row has an id
batch(client, [person], { journal: "june.journal" });
// @ts-expect-error the signal is that of the batch
batch(client, [{ ...person, id: "a", signal: new AbortController().signal }], { journal: "june.journal" });
// @ts-expect-error how a login ended can be a fault
batched.outcome.status;

// Outcomes and responses before a check of their status.
// @ts-expect-error only a question is answered
outcome.answer("8888");
if (outcome.state === "awaitingInteraction") {
  // @ts-expect-error an answer is a text
  outcome.answer(8888);
  // @ts-expect-error a pause needs a seal key
  outcome.pause({});
}
if (outcome.state === "selectClient") {
  // @ts-expect-error a client is chosen by its id, a text
  outcome.choose(0);
}
// @ts-expect-error only `logged_in` surely has a key
client.listTransferDestinations(outcome.key);
// @ts-expect-error only a login that failed has a failure
export const { failure: why } = outcome;
// @ts-expect-error only a question has a field
export const { field } = response;
// @ts-expect-error only a refusal has the service's own words
export const { wire: words } = response;
client.getProvider("test").then((said) => {
  // @ts-expect-error a refusal has no provider
  return said.provider;
});

// Words of one union in another. Switches: right-use.ts, and below for a view.
// @ts-expect-error a wire status is no state
export const isLoggedIn = state === "logged_in";
// @ts-expect-error a code is no status
export const isRefusedLogin = outcome.status === "wrong_credentials";
// @ts-expect-error a cancelled login has not failed
export const isCancelled = outcome.status === "failed" && outcome.failure.code === "cancelled";

// Errors.
export function isRefused(error: BankError): boolean {
  // @ts-expect-error an outcome is no fault
  return error.code === "wrong_credentials";
}
export function isTimeOut(error: unknown): boolean {
  // @ts-expect-error a code that no fault has, after a check of the class
  return error instanceof BankError && error.code === "timed_out";
}
// @ts-expect-error an error does not change
new BankError("invalid_input").field = "other";
// @ts-expect-error a code that the table doesn't have
describeFailure("no_such_code").text;
// @ts-expect-error a text that there is not
describeFailure("expired", "xx", { failures: { expire: "Le temps est écoulé." } }).text;
// @ts-expect-error an error of a form that there is not
export const wrongTexts: Texts = { forms: { need: "Remplissez ce champ." } };
// @ts-expect-error a group that there is not
export const wrongGroup: Texts = { form: {} };
// @ts-expect-error a failure is an outcome or a fault
export const failure: Failure = { kind: "warning", code: "expired" };

// The client.
// @ts-expect-error a client of the service has an API key
createBankClient({ baseUrl: "https://bank.test" });
// @ts-expect-error a page has no API key
createRelayClient({ baseUrl: "/bank", apiKey: key });
// @ts-expect-error headers are for a relay
createBankClient({ baseUrl: "https://bank.test", apiKey: key, headers: {} });
// @ts-expect-error a login has a password
client.login({ provider: "test", username: "ana" });
// @ts-expect-error there is no session without a key
client.listTransferDestinations(undefined);
// @ts-expect-error a header or a query
createBankClient({ baseUrl: "https://bank.test", apiKey: key, sessionKeyIn: "cookie" });

// Views before a check of their step.
// @ts-expect-error only a question is answered
export const verb: () => void = view.answer;
// @ts-expect-error there is a key once there is a session
export const { key: early } = view;
// @ts-expect-error only a form is submitted
linkScreen.submit({ username: "ana", password: "hunter two" });
if (view.state === "idle") {
  // @ts-expect-error there is no question while the form is filled in
  view.answer("8888");
  // @ts-expect-error there is nothing to cancel yet
  view.cancel();
  // @ts-expect-error a form is texts by name
  view.submit("ana");
  // @ts-expect-error a number is no text
  view.submit({ username: 12345, password: "hunter two" });
  // @ts-expect-error a view does not change
  view.busy = true;
}
if (view.state === "failed") {
  // @ts-expect-error a session is not always replaceable
  view.replaceSession();
  // @ts-expect-error a code that the table doesn't have
  view.failure.code === "no_such_code";
}
if (linkScreen.state === "failed") {
  // @ts-expect-error choices are not always narrowed
  linkScreen.narrow("country_code", "CO");
}
if (linkScreen.state === "linkFailed") {
  // @ts-expect-error without a list there is no other bank
  linkScreen.changeProvider();
}
// @ts-expect-error a view has no state of the chart within another
export const isChoosing = view.state === "choosing";
// @ts-expect-error a link has other steps than a login
export const isLinked = view.state === "linked";
export function formatTitle(shown: LoginView): string {
  switch (shown.state) {
    case "idle":
      return "Log in";
    default: {
      // @ts-expect-error the other steps are left
      const nothing: never = shown;
      return nothing;
    }
  }
}
// @ts-expect-error a login is at a bank
loginView(actor.getSnapshot(), actor, {});
// @ts-expect-error a language is a tag
loginView(actor.getSnapshot(), actor, { provider: "test", locale: 1 });
// @ts-expect-error a link's snapshot is no login's
loginView(createActor(createLinkMachine(client), { input: {} }).getSnapshot(), actor, { provider: "test" });
// @ts-expect-error a set is no store
resume(client, "a token", { key: "a key", claimStore: new Set<string>() });
// @ts-expect-error a store that returns what a database counts
resume(client, "a token", { key: "a key", claimStore: { ...claimStore, swap: () => 1 } });
// @ts-expect-error a narrowing names the field and the value
createActor(createLinkMachine(client), { input: {} }).send({ type: "choices.narrow", field: "type" });

// Users of a relay.
// @ts-expect-error a page has no token
export const readUser: RelayOptions["readUser"] = ({ token }) => reveal(token);
// @ts-expect-error the user is a text
export const readNumber: RelayOptions["readUser"] = () => 42;
// @ts-expect-error a header has a value
createRelayClient({ baseUrl: "/bank", headers: { authorization: undefined } });

// Logins with an address.
declare const hosted: HostedLogin;
// @ts-expect-error a session is somebody's
hosted.create({ provider: "test" });
// @ts-expect-error a language is a tag
hosted.create({ user: "42", locale: ["es"] });
// @ts-expect-error an end has no key: takeKey gives it
export const onEnd: HostedLoginOptions["onEnd"] = ({ key: own }) => own;
// @ts-expect-error a question is no end
export const isAsking = ({ status }: HostedEnd) => status === "asking";

const bank = { code: "mi_banco", country: "UY", name: "Mi Banco" };
// @ts-expect-error a bank of the sandbox has users
createSandbox({ banks: [bank] });
// @ts-expect-error a question has a text and an answer
createSandbox({ banks: [{ ...bank, accounts: [{ username: "ana", password: "abc", answers: [{ field: "otp" }] }] }] });
// @ts-expect-error what a bank got is a list of requests
void ({ received: () => "1111" } satisfies Partial<LoginDriver>);
