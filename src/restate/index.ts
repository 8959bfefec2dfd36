/**
 * Logins that outlive the processes that run them. Peers: `@restatedev/restate-sdk`, `@restatedev/restate-sdk-clients`, `@restatedev/xstate`.
 *
 * @packageDocumentation
 */

export {
  createDurableLoginClient,
  type DurableCallOptions,
  type DurableLoginCall,
  type DurableLoginClient,
  type DurableLoginClientOptions,
  type DurableLoginStart,
  type DurableResumeOptions,
} from "./client.ts";
export type { ChooseMessage, StartMessage } from "./messages.ts";
export { DURABLE_LOGIN_VERSION, durableLoginName } from "./names.ts";
export { type DurableLogin, type DurableLoginOptions, durableLogin } from "./object.ts";
export { providePromiseWithResolvers } from "./promises.ts";
export {
  openSessionKey,
  type SealedAnswer,
  type SealedCredentials,
  type SealOptions,
  sealAnswer,
  sealCredentials,
} from "./sealed.ts";
export type { DurableFailure, DurableState } from "./view.ts";
