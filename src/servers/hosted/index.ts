/**
 * Hosted logins: a back end makes one, and a person opens its address. The page, its relay, and the result.
 *
 * @packageDocumentation
 */

export {
  createNodeHandler,
  type NodeHandlerOptions,
  type NodeRequest,
  type NodeResponse,
} from "../../core/http/node-handler.ts";
export { createMemoryStore } from "../../core/tokens/memory-store.ts";
export type { Store } from "../../core/tokens/store.ts";
export { createHostedLogin, type HostedLogin } from "./hosted-login.ts";
export type {
  CreatedSession,
  HostedEnd,
  HostedEndStatus,
  HostedEvent,
  HostedLoginOptions,
  HostedProgress,
  HostedSession,
  HostedStatus,
  NewHostedSession,
  TakeKeyOptions,
} from "./hosted-options.ts";
