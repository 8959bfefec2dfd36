/**
 * The client of the service, the headless login, the two statecharts wired to a client, their views, pause and resume.
 *
 * @packageDocumentation
 */

export type { LinkSettings } from "../machines/link.types.ts";
export type { LoginSettings } from "../machines/login.types.ts";
export type { AuthField, ProviderDetail, ProviderEntry, TransferDestination } from "../machines/provider.types.ts";
export { type BankClient, createBankClient, type RelayClient } from "./core/api/client.ts";
export type {
  BankClientOptions,
  CallOptions,
  RelayClientOptions,
  RequestEvent,
  ResponseEvent,
} from "./core/api/client-options.ts";
export { BankError } from "./core/api/errors.ts";
export type {
  Failure,
  FailureCode,
  FaultCode,
  OutcomeCode,
  Recovery,
  RefusalStatus,
} from "./core/api/failures.ts";
export type { StringOrSecret } from "./core/api/input-checks.ts";
export type { Refusal } from "./core/api/refusals.ts";
export { createRelayClient } from "./core/api/relay-client.ts";
export type { RelayHeaders } from "./core/api/relay-headers.ts";
export type { ClientEntry, LoginResponse } from "./core/api/responses.ts";
export { reveal } from "./core/api/reveal.ts";
export { type Secret, secret } from "./core/api/secret.ts";
export { createLinkMachine } from "./core/link/create-link-machine.ts";
export { createLoginMachine } from "./core/login/create-login-machine.ts";
export { type AnswerTexts, type CredentialTexts, createCredentials } from "./core/login/credentials.ts";
export type { FormField, FormValues } from "./core/login/form-fields.ts";
export type { HandlerContext } from "./core/login/handlers.ts";
export { type InteractionPrompt, interactionKind } from "./core/login/interaction-kind.ts";
export { type RefusalMemory, rememberRefusals } from "./core/login/known-refusals.ts";
export { type LoginOptions, login } from "./core/login/login.ts";
export { type LoginState, readState } from "./core/login/login-state.ts";
export type {
  AwaitingInteractionOutcome,
  EndedOutcome,
  LoginOutcome,
  SelectClientOutcome,
} from "./core/login/outcome.ts";
export { type LoginActor, type PauseOptions, pause } from "./core/login/pause.ts";
export { type ResumeOptions, resume } from "./core/login/resume.ts";
export { describeFailure } from "./core/texts/describe-failure.ts";
export type { Locale, Texts } from "./core/texts/languages.ts";
export type { FieldErrors } from "./core/view/form-schema.ts";
export { forgetKeptLogins } from "./core/view/kept-login.ts";
export { type LinkView, type LinkViewOptions, linkView } from "./core/view/link-view.ts";
export {
  type LoginForm,
  type LoginView,
  type LoginViewOptions,
  loginView,
  type SentForm,
} from "./core/view/login-view.ts";
export type { PictureView, QuestionView } from "./core/view/question-view.ts";
export type { LinkScreenOptions, LoginScreenOptions } from "./core/view/screen-actor.ts";
