/**
 * Hosted logins: a back end creates one, and a person opens its address.
 *
 * @packageDocumentation
 */

export { createHostedLogin, type HostedLogin } from "./hosted-login.ts";
export type {
  HostedEnd,
  HostedEvent,
  HostedLoginOptions,
  HostedProgress,
  HostedSession,
  HostedStatus,
  NewHostedSession,
  TakeKeyOptions,
} from "./hosted-options.ts";
