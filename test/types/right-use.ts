// What must compile, and to which types. The screens of docs/examples have a branch for each step of a view: a new step breaks them.
import {
  type BankClient,
  BankError,
  type ChosenProvider,
  type ClientEntry,
  ContractError,
  createCredentials,
  createLinkMachine,
  createLoginMachine,
  type FailureCode,
  type FailureView,
  type FaultCode,
  failureRecovery,
  InputError,
  type LinkView,
  type LoginForm,
  type LoginOutcome,
  type LoginResponse,
  type LoginState,
  type LoginView,
  linkView,
  login,
  loginView,
  NetworkError,
  type OutcomeCode,
  type ProviderEntry,
  type QuestionView,
  type Recovery,
  type RefusalStatus,
  type Secret,
  secret,
  type TransferDestination,
} from "ventanilla";
import { expectTypeOf } from "vitest";
import { createActor } from "xstate";

declare const client: BankClient;

type Outcome<Status extends LoginOutcome["status"]> = LoginOutcome & { status: Status };
type Response<Status extends LoginResponse["status"]> = LoginResponse & { status: Status };
type Screen<Step extends LoginView["step"]> = Extract<LoginView, { step: Step }>;
type LinkScreen<Step extends LinkView["step"]> = Extract<LinkView, { step: Step }>;

// Every outcome: adding one breaks this.
type WithoutKey =
  | "wrong_credentials"
  | "missing_credentials"
  | "provider_doesnt_exist"
  | "user_blocked"
  | "provider_unavailable"
  | "missing_params"
  | "not_implemented"
  | "wrong_answer"
  | "missing_answer"
  | "provider_session_expired"
  | "provider_login_failed"
  | "password_change_required"
  | "logout_failed"
  | "wrong_client"
  | "invalid_key"
  | "unauthorized_provider"
  | "missing_api_key"
  | "unknown_api_key"
  | "no_clients"
  | "too_many_interactions"
  | "expired"
  | "cancelled";
type WithKey = "logged_in" | "select_client" | "max_sessions_reached";
expectTypeOf<LoginOutcome["status"]>().toEqualTypeOf<
  WithKey | WithoutKey | "interaction_required" | "unexpected_status"
>();
expectTypeOf<Outcome<"logged_in">["key"]>().toEqualTypeOf<Secret>();
expectTypeOf<Outcome<"select_client" | "max_sessions_reached">["key"]>().toEqualTypeOf<Secret | undefined>();
expectTypeOf<Outcome<"unexpected_status">["wireStatus"]>().toEqualTypeOf<string | undefined>();
expectTypeOf<Outcome<WithoutKey>["httpStatus"]>().toEqualTypeOf<number | undefined>();
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

export function views() {
  const actor = createActor(createLoginMachine(client), { input: {} });
  loginView(actor.getSnapshot(), actor.send, { provider: "test", locale: "pt" });
  const link = createActor(createLinkMachine(client), { input: { dependentChoices: true, clientSelection: true } });
  linkView(link.getSnapshot(), link.send);
  link.send({ type: "choices.narrow", field: "country_code", value: "CO" });
  expectTypeOf(failureRecovery("expired")).toEqualTypeOf<Recovery>();
}

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

export async function logins(signal: AbortSignal) {
  const outcome = await login(client, {
    provider: "test",
    username: secret("ana"),
    password: "hunter two",
    fields: { type: secret("pers"), company_code: "7701" },
    signal,
    deadline: Date.now(),
    sessionReplacement: true,
    onInteraction: async ({ field, context, number, expiresAt }, { signal: cancelled }) => {
      expectTypeOf(expiresAt).toEqualTypeOf<number | undefined>();
      return cancelled.aborted ? undefined : secret(`${field} ${context} ${number}`);
    },
    onSelectClient: ([first]) => first?.id,
    onTransition: (state) => expectTypeOf(state).toEqualTypeOf<LoginState>(),
  });
  if (outcome.status === "logged_in") await client.listTransferDestinations(outcome.key);
}

export function statecharts() {
  const actor = createActor(createLoginMachine(client), { input: { clientSelection: true } });
  actor.on("interaction.required", ({ interaction }) => expectTypeOf(interaction.field).toEqualTypeOf<string>());
  actor.on("client.required", ({ clients }) => expectTypeOf(clients[0]?.name).toEqualTypeOf<string | undefined>());
  actor.send({
    type: "credentials.submit",
    credentials: createCredentials({ provider: "test", username: "ana", password: "hunter two" }),
  });
  actor.send({ type: "interaction.answer", answer: secret("8888") });
  expectTypeOf(actor.getSnapshot().output?.key).toEqualTypeOf<Secret | undefined>();
  const link = createActor(createLinkMachine(client), { input: {} });
  link.on("link.succeeded", ({ provider }) => expectTypeOf(provider).toEqualTypeOf<string>());
  link.send({ type: "provider.choose", provider: "test" });
}
