/**
 * The client of the service, the headless login, the two statecharts wired to a client, their views, pause and resume.
 *
 * @packageDocumentation
 */

export type { LinkSettings } from "../machines/link.types.ts";
export type { Credentials, Interaction as InteractionData, LoginSettings } from "../machines/login.types.ts";
export type { PendingInteraction, PendingStep } from "./core/api/asked.ts";
export {
  type ApprovalResponse,
  type BankClient,
  createBankClient,
  type LoginFields,
  type RelayClient,
} from "./core/api/client.ts";
export type {
  BankClientOptions,
  CallOptions,
  ClientKind,
  ClientOptions,
  DirectoryOptions,
  RelayClientOptions,
  RequestEvent,
  ResponseEvent,
  RetryOptions,
} from "./core/api/client-options.ts";
export {
  BankError,
  type FaultDetails,
} from "./core/api/errors.ts";
export type {
  Failure,
  FailureCode,
  FaultCode,
  OutcomeCode,
  Recovery,
  RefusalStatus,
} from "./core/api/failures.ts";
export type { StringOrSecret } from "./core/api/input-checks.ts";
export type { Picture } from "./core/api/picture.ts";
export type { Refusal, WireRefusal } from "./core/api/refusals.ts";
export { createRelayClient } from "./core/api/relay-client.ts";
export type { RelayHeaders } from "./core/api/relay-headers.ts";
export type {
  ClientEntry,
  ClientsResponse,
  DestinationsResponse,
  InteractionRequired,
  LoggedIn,
  LoginResponse,
  LogoutResponse,
  ProviderResponse,
  ProvidersResponse,
  SelectClient,
  SelectClientResponse,
  UnknownSubmit,
} from "./core/api/responses.ts";
export { reveal } from "./core/api/reveal.ts";
export type {
  AccountType,
  AuthField,
  FieldChoice,
  ProviderDetail,
  ProviderEntry,
  TransferDestination,
} from "./core/api/schemas.ts";
export { type Secret, secret } from "./core/api/secret.ts";
export { createLinkMachine } from "./core/link/create-link-machine.ts";
export { createLoginMachine } from "./core/login/create-login-machine.ts";
export { type AnswerTexts, type CredentialTexts, createCredentials } from "./core/login/credentials.ts";
export type { AccountTypeView, FormChoice, FormField, FormValues } from "./core/login/form-fields.ts";
export type { AnsweringHandlers, HandlerContext, LoginHandlers } from "./core/login/handlers.ts";
export {
  type Interaction,
  type InteractionKind,
  type InteractionKindOptions,
  interactionKind,
} from "./core/login/interaction-kind.ts";
export { type RefusalEvent, type RefusalMemory, rememberRefusals } from "./core/login/known-refusals.ts";
export { type LoginOptions, login } from "./core/login/login.ts";
export { type LoginRequest, type LoginSnapshot, type LoginState, readState } from "./core/login/login-state.ts";
export type {
  AwaitingInteractionOutcome,
  EndedOutcome,
  LoginOutcome,
  LoginOutcomeWithoutClients,
  OpenOutcome,
  SelectClientOutcome,
} from "./core/login/outcome.ts";
export { type LoginActor, type PauseOptions, pause } from "./core/login/pause.ts";
export { type ResumeOptions, resume } from "./core/login/resume.ts";
export { describeFailure, type FailureDescription } from "./core/texts/describe-failure.ts";
export type { LanguageOptions, Locale, Texts } from "./core/texts/languages.ts";
export type { FieldErrors, FormSchema } from "./core/view/form-schema.ts";
export { forgetKeptLogins } from "./core/view/kept-login.ts";
export {
  type ChosenProvider,
  type LinkSnapshot,
  type LinkView,
  type LinkViewOptions,
  linkView,
} from "./core/view/link-view.ts";
export {
  type FailureView,
  type LoginForm,
  type LoginView,
  type LoginViewOptions,
  loginView,
  type SentForm,
} from "./core/view/login-view.ts";
export type { ProviderSearch } from "./core/view/provider-search.ts";
export type { PictureView, QuestionView } from "./core/view/question-view.ts";
