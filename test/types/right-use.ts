// What must compile, and to which types.
import {
  type BankClient,
  BankError,
  type ChosenProvider,
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
  type QuestionView,
  type Recovery,
  type RefusalStatus,
  reveal,
  type Secret,
  secret,
} from "ventanilla";
import { expectTypeOf } from "vitest";
import { createActor } from "xstate";

declare const client: BankClient;

/** One branch per ending: adding a status breaks this. */
export function tell(outcome: LoginOutcome): string {
  switch (outcome.status) {
    case "logged_in":
      expectTypeOf(outcome.key).toEqualTypeOf<Secret>();
      return reveal(outcome.key);
    case "select_client":
      expectTypeOf(outcome.key).toEqualTypeOf<Secret | undefined>();
      return "select";
    case "max_sessions_reached":
      expectTypeOf(outcome.key).toEqualTypeOf<Secret | undefined>();
      return "sessions";
    case "unexpected_status":
      expectTypeOf(outcome.wireStatus).toEqualTypeOf<string | undefined>();
      return "unexpected";
    case "wrong_credentials":
    case "missing_credentials":
    case "provider_doesnt_exist":
    case "user_blocked":
    case "provider_unavailable":
    case "missing_params":
    case "not_implemented":
    case "wrong_answer":
    case "missing_answer":
    case "provider_session_expired":
    case "provider_login_failed":
    case "password_change_required":
    case "logout_failed":
    case "wrong_client":
    case "invalid_key":
    case "unauthorized_provider":
    case "missing_api_key":
    case "unknown_api_key":
    case "no_clients":
    case "too_many_interactions":
    case "expired":
    case "cancelled":
      expectTypeOf(outcome.httpStatus).toEqualTypeOf<number | undefined>();
      return outcome.status;
    case "interaction_required":
      expectTypeOf(outcome.interaction.field).toEqualTypeOf<string>();
      expectTypeOf(outcome.answer("8888")).toEqualTypeOf<Promise<LoginOutcome>>();
      return outcome.provider;
    default:
      return outcome satisfies never;
  }
}

/** One branch per kind of response. */
export function read(response: LoginResponse): string {
  switch (response.status) {
    case "logged_in":
    case "select_client":
      expectTypeOf(response.key).toEqualTypeOf<Secret | undefined>();
      return response.status;
    case "interaction_required":
      expectTypeOf(response.field).toEqualTypeOf<string>();
      expectTypeOf(response.context).toEqualTypeOf<string>();
      return response.field;
    default:
      expectTypeOf(response.status).toEqualTypeOf<RefusalStatus>();
      expectTypeOf(response.httpStatus).toEqualTypeOf<number>();
      return response.wire.status;
  }
}

/** Every state: adding one breaks this. */
type Selecting = "selectClient.resting" | "selectClient.listing" | "selectClient.choosing" | "selectClient.selecting";
type Sending = "submitting" | "replacingSession";
expectTypeOf<LoginState>().toEqualTypeOf<
  "idle" | Sending | "awaitingInteraction" | Selecting | "loggedIn" | "failed"
>();

export async function answers(key: Secret) {
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
  const left = await client.logout(key);
  expectTypeOf(left.status).toEqualTypeOf<"logged_out" | RefusalStatus>();
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
    onInteraction: async ({ field, context, number, expiresAt }, { signal: over }) => {
      expectTypeOf(expiresAt).toEqualTypeOf<number | undefined>();
      return over.aborted ? undefined : secret(`${field} ${context} ${number}`);
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

/** One branch per screen of a login: adding a step breaks this. */
export function screen(view: LoginView): string {
  switch (view.step) {
    case "enteringCredentials":
      expectTypeOf(view.form).toEqualTypeOf<LoginForm>();
      view.submit({ username: "ana", password: "hunter two" });
      return view.form.fields.map(({ label }) => label).join();
    case "submitting":
    case "listingClients":
    case "selectingClient":
    case "replacingSession":
      expectTypeOf(view.busy).toEqualTypeOf<true>();
      view.cancel();
      return "busy";
    case "answering":
      view.answer("8888");
      expectTypeOf(view.question).toEqualTypeOf<QuestionView>();
      return view.question.text;
    case "choosingClient":
      view.choose(view.clients[0]?.id ?? "");
      expectTypeOf(view.expiresAt).toEqualTypeOf<number | undefined>();
      return "clients";
    case "clientRequired":
      expectTypeOf(view.key).toEqualTypeOf<Secret | undefined>();
      return "client";
    case "failed":
      expectTypeOf(view.failure).toEqualTypeOf<FailureView>();
      expectTypeOf(view.failure.recovery).toEqualTypeOf<Recovery>();
      view.replaceSession?.();
      return view.failure.text;
    case "loggedIn":
      expectTypeOf(view.key).toEqualTypeOf<Secret>();
      return view.provider;
    default:
      return view satisfies never;
  }
}

/** One branch per screen of a link: adding a step breaks this. */
export function linkScreen(view: LinkView): string {
  switch (view.step) {
    case "loadingProviders":
    case "loadingDestinations":
      view.cancelLink();
      return "busy";
    case "choosingProvider":
      view.choose(view.search({ text: "itau", country: "BR", first: ["test"] })[0]?.code ?? "");
      return view.countries.join();
    case "loadingFields":
      view.changeProvider?.();
      return "busy";
    case "enteringCredentials":
    case "failed":
      expectTypeOf(view.bank).toEqualTypeOf<ChosenProvider>();
      expectTypeOf(view.narrowingFailure).toEqualTypeOf<FailureView | undefined>();
      view.narrow?.("country_code", "CO");
      return String(view.narrowing);
    case "submitting":
    case "listingClients":
    case "selectingClient":
    case "replacingSession":
      view.cancel();
      return view.bank.name;
    case "answering":
      view.answer("8888");
      return view.bank.name;
    case "choosingClient":
      view.choose("0");
      return view.bank.name;
    case "clientRequired":
      return view.bank.logo ?? "";
    case "linkFailed":
      view.retry();
      view.changeProvider?.();
      return view.failure.text;
    case "linked":
      expectTypeOf(view.key).toEqualTypeOf<Secret>();
      return view.destinations.map(({ name }) => name).join();
    case "cancelled":
      return "cancelled";
    default:
      return view satisfies never;
  }
}

export function views() {
  const actor = createActor(createLoginMachine(client), { input: {} });
  screen(loginView(actor.getSnapshot(), actor.send, { provider: "test", locale: "pt" }));
  const link = createActor(createLinkMachine(client), { input: { dependentChoices: true, clientSelection: true } });
  linkScreen(linkView(link.getSnapshot(), link.send));
  link.send({ type: "choices.narrow", field: "country_code", value: "CO" });
  expectTypeOf(failureRecovery("expired")).toEqualTypeOf<Recovery>();
}
