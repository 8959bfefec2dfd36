// To which types public values narrow. What is only used is compiled by the examples, whose screens have a branch for each step of a view.
import {
  type BankClient,
  BankError,
  createBankClient,
  describeFailure,
  type EndedOutcome,
  type FailureCode,
  type FaultCode,
  type FieldErrors,
  type LinkView,
  type LoginOutcome,
  type LoginResponse,
  type LoginScreenOptions,
  type LoginSettings,
  type LoginState,
  type LoginView,
  login,
  type OutcomeCode,
  type RefusalStatus,
  rememberRefusals,
  resume,
  type Secret,
  secret,
} from "ventanilla";
import type { BatchResult } from "ventanilla/batch";
import type { DurableLoginClient } from "ventanilla/restate";
import { createMemoryStore } from "ventanilla/tokens";
import { expectTypeOf } from "vitest";
import type { LoginOutcomeWithoutClients } from "../../src/core/login/outcome.ts";

type Outcome<State extends LoginOutcome["state"]> = LoginOutcome & { state: State };
type Response<Status extends LoginResponse["status"]> = LoginResponse & { status: Status };

// The codes of outcomes: test/core/api/failures.test.ts.
expectTypeOf<LoginOutcome["state"]>().toEqualTypeOf<
  "loggedIn" | "awaitingInteraction" | "selectClient" | "failed" | "cancelled"
>();
expectTypeOf<LoginOutcome["id"]>().toEqualTypeOf<string>();
expectTypeOf<Outcome<"loggedIn">["key"]>().toEqualTypeOf<Secret>();
expectTypeOf<Outcome<"selectClient" | "failed">["key"]>().toEqualTypeOf<Secret | undefined>();
expectTypeOf<Outcome<"selectClient">>().toHaveProperty("choose");
expectTypeOf<Outcome<"failed">["failure"]["code"]>().toEqualTypeOf<Exclude<OutcomeCode, "cancelled">>();

// As it comes from the environment. A variable that is not set is refused when the program runs.
createBankClient({ baseUrl: "https://bank.test", apiKey: process.env["API_KEY"] });

// Whether a login can be left open: by the handlers, and what they return.
declare const client: BankClient;
const person = { provider: "test", username: "ana", password: "hunter two" };
const answering = { onInteraction: () => "8888", onSelectClient: () => null };
const resumed = { key: "a key", ...answering };
expectTypeOf(login(client, person, answering)).resolves.toEqualTypeOf<EndedOutcome>();
expectTypeOf(resume(client, "a token", resumed)).resolves.toEqualTypeOf<EndedOutcome>();
expectTypeOf(
  login(client, person, {
    onInteraction: async ({ field }) => (field === "otp" ? secret("8888") : null),
    onSelectClient: ([first]) => first ?? null,
  }),
).resolves.toEqualTypeOf<EndedOutcome>();
expectTypeOf(
  login(client, person, {
    onInteraction: async ({ field }, { outcome }) => (field === "otp" ? "8888" : outcome),
    onSelectClient: ([first]) => first ?? null,
  }),
).resolves.toEqualTypeOf<LoginOutcome>();
expectTypeOf(login(client, person, { onInteraction: () => "8888" })).resolves.toEqualTypeOf<EndedOutcome>();

// Without client selection, which is the default, there is no `selectClient`, nor after an answer.
type WithoutClients = LoginOutcomeWithoutClients;
expectTypeOf<WithoutClients["state"]>().toEqualTypeOf<Exclude<LoginOutcome["state"], "selectClient">>();
expectTypeOf(login(client, person)).resolves.toEqualTypeOf<WithoutClients>();
expectTypeOf(login(client, person, { settings: { clientSelection: false } })).resolves.toEqualTypeOf<WithoutClients>();
expectTypeOf(login(client, person, { settings: { clientSelection: true } })).resolves.toEqualTypeOf<LoginOutcome>();
expectTypeOf(login(client, person, { onSelectClient: () => "0" })).resolves.toEqualTypeOf<LoginOutcome>();
declare const settings: LoginSettings;
expectTypeOf(login(client, person, { settings })).resolves.toEqualTypeOf<LoginOutcome>();
expectTypeOf(login(client, person, { settings, ...answering })).resolves.toEqualTypeOf<EndedOutcome>();
expectTypeOf(rememberRefusals(client, { store: createMemoryStore(), key: "a key" })).toEqualTypeOf<BankClient>();
expectTypeOf(
  login(client, person, { onInteraction: (_, { outcome }) => outcome }),
).resolves.toEqualTypeOf<WithoutClients>();
export async function answerAll(code: string): Promise<EndedOutcome> {
  let outcome = await login(client, person, { settings: { deadline: new Date() } });
  while (outcome.state === "awaitingInteraction") outcome = await outcome.answer(code);
  return outcome;
}
export async function chooseFirst(outcome: LoginOutcome): Promise<void> {
  const [first] = outcome.state === "selectClient" ? outcome.clients : [];
  if (outcome.state === "selectClient" && first) await outcome.choose(first);
}
// A verb works without its outcome.
export const takeVerb = ({ answer }: LoginOutcome & { state: "awaitingInteraction" }): Promise<LoginOutcome> =>
  answer("8888");
declare const logins: DurableLoginClient;
expectTypeOf(logins.start({ ...person, name: "order-17" })).resolves.toEqualTypeOf<string>();
expectTypeOf(logins.wait("an id")).resolves.toEqualTypeOf<EndedOutcome>();
declare const sometimes: Partial<typeof answering>;
expectTypeOf(login(client, person, sometimes)).resolves.toEqualTypeOf<LoginOutcome>();
expectTypeOf(resume(client, "a token", { key: "a key" })).resolves.toEqualTypeOf<LoginOutcome>();

// A result of a batch has an outcome or a fault.
type Faulty = Extract<BatchResult, { fault: BankError }>;
expectTypeOf<Exclude<BatchResult, Faulty>["outcome"]>().toEqualTypeOf<LoginOutcome>();
expectTypeOf<Faulty["outcome"]>().toEqualTypeOf<undefined>();

expectTypeOf<Response<"logged_in" | "select_client">["key"]>().toEqualTypeOf<Secret | undefined>();
type Refusal = Exclude<LoginResponse, { status: "logged_in" | "select_client" | "interaction_required" }>;
expectTypeOf<Refusal["status"]>().toEqualTypeOf<RefusalStatus>();

// Every state: adding one breaks this.
type UnfinishedState = "idle" | "submitting" | "awaitingInteraction" | "selectClient" | "failed";
expectTypeOf<LoginState["state"]>().toEqualTypeOf<UnfinishedState | "loggedIn">();

// A view has those of a login, and a link its own beside them.
type OwnState = "loadingProviders" | "choosingProvider" | "loadingFields" | "loadingDestinations" | "linkFailed";
expectTypeOf<LoginView["state"]>().toEqualTypeOf<LoginState["state"]>();
expectTypeOf<LinkView["state"]>().toEqualTypeOf<UnfinishedState | OwnState | "linked" | "cancelled">();
expectTypeOf<Extract<LinkView, { state: "linked" }>["key"]>().toEqualTypeOf<Secret>();

// A verb is `undefined` at a step that has not got it, and each step has its own.
export function leave(view: LinkView, login: LoginView): void {
  view.cancel?.();
  view.changeProvider?.();
  view.cancelLink?.();
  login.cancel?.();
  const errors = login.submit?.(new FormData()) ?? view.answer?.("8888");
  expectTypeOf(errors).toEqualTypeOf<FieldErrors | undefined>();
  if (login.answer) expectTypeOf(login.state).toEqualTypeOf<"awaitingInteraction">();
}

export function fault(error: unknown): FaultCode | undefined {
  if (error instanceof BankError && error.code === "missing_field")
    expectTypeOf(error.code).toEqualTypeOf<"missing_field">();
  return error instanceof BankError ? error.code : undefined;
}
expectTypeOf<FailureCode>().toEqualTypeOf<OutcomeCode | FaultCode>();

// A language is any tag, as a browser has it.
export const text = describeFailure("expired", navigator.language).text;

// A screen passes its props on: one that is `undefined` counts as left out.
const props: { locale: undefined; settings: undefined } = { locale: undefined, settings: undefined };
export const screen = { provider: "test", ...props } satisfies LoginScreenOptions;
