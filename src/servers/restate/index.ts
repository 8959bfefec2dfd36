/**
 * Logins that outlive the processes that run them. Peers: `@restatedev/restate-sdk`, `@restatedev/restate-sdk-clients`, `@restatedev/xstate`.
 *
 * @packageDocumentation
 */

export {
  createDurableLoginClient,
  type DurableCallOptions,
  type DurableLoginClient,
  type DurableLoginStart,
  type DurableLoginState,
} from "./durable-client.ts";
export { type DurableLogin, type DurableLoginOptions, durableLogin } from "./durable-login.ts";
export { openSessionKey, type SealOptions, sealAnswer, sealCredentials } from "./durable-seals.ts";
export type { DurableLoginClientOptions } from "./ingress-call.ts";
export { DURABLE_LOGIN_VERSION, durableLoginName } from "./login-id.ts";
