/**
 * The server half of a login in a browser: it holds the API key and gives out sealed session keys.
 *
 * @packageDocumentation
 */

export type { ClaimStore } from "../tokens/claim-store.ts";
export { callerByAddress } from "./caller.ts";
export type { RelayEvent, RelayRoute } from "./events.ts";
export { createNodeHandler, type NodeRequest, type NodeResponse } from "./node.ts";
export type { RelayLogin, RelayOptions } from "./options.ts";
export { createRateLimit, type RateLimit, type RateLimitOptions, type RelayAttempt } from "./rate.ts";
export { createRelay, type Relay } from "./relay.ts";
