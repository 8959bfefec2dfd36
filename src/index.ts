/**
 * The client of the service, the headless login, the two statecharts wired to a client, their views, pause and resume.
 *
 * @packageDocumentation
 */

export type { LinkSettings } from "../machines/link.types.ts";
export type { Credentials, Interaction, LoginSettings } from "../machines/login.types.ts";
export { type BankClient, createBankClient, type LoginFields } from "./api/client.ts";
export type {
  BankClientOptions,
  CallOptions,
  RequestEvent,
  ResponseEvent,
  RetryOptions,
} from "./api/client-options.ts";
export {
  BankError,
  type FaultDetails,
} from "./api/errors.ts";
export type {
  Failure,
  FailureCode,
  FaultCode,
  OutcomeCode,
  Recovery,
} from "./api/failures.ts";
export type { StringOrSecret } from "./api/input-checks.ts";
export type { Picture } from "./api/picture.ts";
export type { Refusal, RefusalStatus, WireRefusal } from "./api/refusals.ts";
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
} from "./api/responses.ts";
export { reveal } from "./api/reveal.ts";
export type {
  AccountType,
  AuthField,
  FieldChoice,
  ProviderDetail,
  ProviderEntry,
  TransferDestination,
} from "./api/schemas.ts";
export { type Secret, secret } from "./api/secret.ts";
export { createLinkMachine } from "./link/create-link-machine.ts";
export { createLoginMachine } from "./login/create-login-machine.ts";
export { type CredentialTexts, createCredentials } from "./login/credentials.ts";
export type { FormChoice, FormField, FormValues } from "./login/form-fields.ts";
export type { HandlerContext, LoginHandlers } from "./login/handlers.ts";
export {
  type AskedInteraction,
  type InteractionKind,
  type InteractionKindOptions,
  interactionKind,
} from "./login/interaction-kind.ts";
export { type LoginOptions, login } from "./login/login.ts";
export { type LoginSnapshot, type LoginState, readState } from "./login/login-state.ts";
export type {
  EndedOutcome,
  InteractionRequiredOutcome,
  LoginOutcome,
  OpenOutcome,
  SelectClientOutcome,
} from "./login/outcome.ts";
export { type LoginActor, type PauseOptions, pause } from "./login/pause.ts";
export { type ResumeOptions, resume } from "./login/resume.ts";
export { describeFailure, type FailureDescription } from "./texts/describe-failure.ts";
export type { Locale } from "./texts/languages.ts";
export { type ClaimStore, createMemoryClaimStore } from "./tokens/claim-store.ts";
export type { SealKeys } from "./tokens/sealed-token.ts";
export type { FormSchema } from "./view/form-schema.ts";
export {
  type ChosenProvider,
  type LinkSnapshot,
  type LinkView,
  type LinkViewOptions,
  linkView,
} from "./view/link-view.ts";
export {
  type FailureView,
  type LoginForm,
  type LoginView,
  type LoginViewOptions,
  loginView,
  type SentForm,
} from "./view/login-view.ts";
export type { ProviderSearch } from "./view/provider-search.ts";
export type { PictureView, QuestionView } from "./view/question-view.ts";
