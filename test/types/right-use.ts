// What must compile, and to which types. The screens of docs/examples have a branch for each step of a view: a new step breaks them.
import {
  type BankClient,
  BankError,
  type ChosenProvider,
  type ClientEntry,
  ContractError,
  createLinkMachine,
  createLoginMachine,
  type FailureCode,
  type FailureView,
  type FaultCode,
  failureRecovery,
  InputError,
  type LinkView,
  type LoginForm,
  type LoginHandlers,
  type LoginOutcome,
  type LoginResponse,
  type LoginState,
  type LoginView,
  NetworkError,
  type OutcomeCode,
  type ProviderEntry,
  type QuestionView,
  type Recovery,
  type RefusalStatus,
  type Secret,
  type TransferDestination,
} from "ventanilla";
import type { LoginScreenOptions } from "ventanilla/react";
import { expectTypeOf } from "vitest";
import { createActor } from "xstate";

declare const client: BankClient;

type Outcome<Status extends LoginOutcome["status"]> = LoginOutcome & { status: Status };
type Response<Status extends LoginResponse["status"]> = LoginResponse & { status: Status };
type Screen<Step extends LoginView["step"]> = Extract<LoginView, { step: Step }>;
type LinkScreen<Step extends LinkView["step"]> = Extract<LinkView, { step: Step }>;

// The codes of outcomes: test/api/failures.test.ts.
expectTypeOf<LoginOutcome["status"]>().toEqualTypeOf<
  OutcomeCode | "logged_in" | "select_client" | "interaction_required"
>();
expectTypeOf<Outcome<"logged_in">["key"]>().toEqualTypeOf<Secret>();
expectTypeOf<Outcome<"select_client" | "max_sessions_reached">["key"]>().toEqualTypeOf<Secret | undefined>();
expectTypeOf<Outcome<"unexpected_status">["wireStatus"]>().toEqualTypeOf<string | undefined>();
expectTypeOf<Outcome<Exclude<OutcomeCode, "max_sessions_reached">>["httpStatus"]>().toEqualTypeOf<number | undefined>();
expectTypeOf<Outcome<"interaction_required">["provider"]>().toEqualTypeOf<string>();
expectTypeOf<Outcome<"interaction_required">["interaction"]["field"]>().toEqualTypeOf<string>();
expectTypeOf<Outcome<"interaction_required">["answer"]>().toBeCallableWith("8888");
expectTypeOf<Outcome<"interaction_required">["answer"]>().returns.toEqualTypeOf<Promise<LoginOutcome>>();

// Every response.
expectTypeOf<Response<"logged_in" | "select_client">["key"]>().toEqualTypeOf<Secret | undefined>();
expectTypeOf<Response<"interaction_required">["field" | "context"]>().toEqualTypeOf<string>();
type Refusal = Exclude<LoginResponse, { status: "logged_in" | "select_client" | "interaction_required" }>;
expectTypeOf<Refusal["status"]>().toEqualTypeOf<RefusalStatus>();
expectTypeOf<Refusal["httpStatus"]>().toEqualTypeOf<number>();
expectTypeOf<Refusal["wire"]["status"]>().toExtend<string | undefined>();

// Every state: adding one breaks this.
type Selecting = "selectClient.resting" | "selectClient.listing" | "selectClient.choosing" | "selectClient.selecting";
type Sending = "submitting" | "replacingSession";
expectTypeOf<LoginState>().toEqualTypeOf<
  "idle" | Sending | "awaitingInteraction" | Selecting | "loggedIn" | "failed"
>();

// Every step of a login, and every one of a link.
type BusyStep = "submitting" | "listingClients" | "selectingClient" | "replacingSession";
type LoginStep = BusyStep | "enteringCredentials" | "answering" | "choosingClient" | "clientRequired" | "failed";
type LinkStep = "loadingProviders" | "choosingProvider" | "loadingFields" | "loadingDestinations" | "linkFailed";
expectTypeOf<LoginView["step"]>().toEqualTypeOf<LoginStep | "loggedIn">();
expectTypeOf<LinkView["step"]>().toEqualTypeOf<LoginStep | LinkStep | "linked" | "cancelled">();
expectTypeOf<Screen<BusyStep>["busy"]>().toEqualTypeOf<true>();
expectTypeOf<Screen<"enteringCredentials" | "failed">["form"]>().toEqualTypeOf<LoginForm>();
expectTypeOf<Screen<"enteringCredentials">["submit"]>().toBeCallableWith({ username: "ana", password: "hunter two" });
expectTypeOf<Screen<"answering">["question"]>().toEqualTypeOf<QuestionView>();
expectTypeOf<Screen<"choosingClient">["clients"]>().toEqualTypeOf<readonly ClientEntry[]>();
expectTypeOf<Screen<"choosingClient">["expiresAt"]>().toEqualTypeOf<number | undefined>();
expectTypeOf<Screen<"clientRequired">["key"]>().toEqualTypeOf<Secret | undefined>();
expectTypeOf<Screen<"failed">["failure"]>().toEqualTypeOf<FailureView>();
expectTypeOf<Screen<"failed">["replaceSession"]>().toEqualTypeOf<(() => void) | undefined>();
expectTypeOf<Screen<"loggedIn">["key"]>().toEqualTypeOf<Secret>();
expectTypeOf<LinkScreen<LoginStep>["bank"]>().toEqualTypeOf<ChosenProvider>();
expectTypeOf<LinkScreen<LoginStep | "linkFailed">["changeProvider"]>().toEqualTypeOf<(() => void) | undefined>();
expectTypeOf<LinkScreen<LinkStep>["cancelLink"]>().toBeCallableWith();
expectTypeOf<LinkScreen<"choosingProvider">["search"]>().returns.toEqualTypeOf<readonly ProviderEntry[]>();
expectTypeOf<LinkScreen<"failed">["narrowing"]>().toEqualTypeOf<boolean>();
expectTypeOf<LinkScreen<"failed">["narrowingFailure"]>().toEqualTypeOf<FailureView | undefined>();
expectTypeOf<LinkScreen<"linked">["key"]>().toEqualTypeOf<Secret>();
expectTypeOf<LinkScreen<"linked">["destinations"]>().toEqualTypeOf<readonly TransferDestination[]>();
expectTypeOf<FailureView["recovery"]>().toEqualTypeOf<Recovery>();

expectTypeOf(failureRecovery).returns.toEqualTypeOf<Recovery>();

export async function responses(key: Secret) {
  const providers = await client.listProviders();
  if (providers.status === "success") expectTypeOf(providers.providers[0]?.code).toEqualTypeOf<string | undefined>();
  else expectTypeOf(providers.status).toEqualTypeOf<RefusalStatus>();
  const destinations = await client.listTransferDestinations(key);
  if (destinations.status === "success")
    expectTypeOf(destinations.destinations[0]?.id).toEqualTypeOf<number | undefined>();
  const clients = await client.listClients(key);
  if (clients.status === "success") expectTypeOf(clients.clients[0]?.id).toEqualTypeOf<string | undefined>();
  const chosen = await client.selectClient(key, "0");
  if (chosen.status === "success") expectTypeOf(chosen.key).toEqualTypeOf<Secret | undefined>();
  const loggedOut = await client.logout(key);
  expectTypeOf(loggedOut.status).toEqualTypeOf<"logged_out" | RefusalStatus>();
}

export function fault(error: unknown): FaultCode | undefined {
  if (error instanceof NetworkError) expectTypeOf(error.code).toEqualTypeOf<"network_failed">();
  if (error instanceof InputError)
    expectTypeOf(error.code).toEqualTypeOf<"invalid_input" | "missing_field" | "unknown_field">();
  if (error instanceof ContractError) error.name satisfies "ContractError";
  if (!(error instanceof BankError)) return undefined;
  expectTypeOf(error.cause).toEqualTypeOf<unknown>();
  expectTypeOf(error.field).toEqualTypeOf<string | undefined>();
  return error.code;
}

expectTypeOf<FailureCode>().toEqualTypeOf<OutcomeCode | FaultCode>();

expectTypeOf<Parameters<NonNullable<LoginHandlers["onInteraction"]>>[0]["expiresAt"]>().toEqualTypeOf<
  number | undefined
>();
expectTypeOf<LoginHandlers["onTransition"]>().toEqualTypeOf<((state: LoginState) => void) | undefined>();

// A screen passes its props on: one that is `undefined` counts as left out.
const props: { locale: undefined; settings: undefined } = { locale: undefined, settings: undefined };
export const screen = { provider: "test", ...props } satisfies LoginScreenOptions;

export function statecharts() {
  const actor = createActor(createLoginMachine(client), { input: { clientSelection: true } });
  actor.on("interaction.required", ({ interaction }) => expectTypeOf(interaction.field).toEqualTypeOf<string>());
  actor.on("client.required", ({ clients }) => expectTypeOf(clients[0]?.name).toEqualTypeOf<string | undefined>());
  expectTypeOf(actor.getSnapshot().output?.key).toEqualTypeOf<Secret | undefined>();
  const link = createActor(createLinkMachine(client), { input: {} });
  link.on("link.succeeded", ({ provider }) => expectTypeOf(provider).toEqualTypeOf<string>());
}
