/**
 * The server part of a login in a browser: it holds the API key, and keeps each login in a store.
 *
 * @packageDocumentation
 */

export { readCallerAddress } from "./caller-address.ts";
export { createRateLimit, type RateLimitOptions } from "./rate-limit.ts";
export { createRelay, type Relay } from "./relay.ts";
export type { RelayEvent } from "./relay-events.ts";
export type { RelayApp, RelayLogin, RelayOptions } from "./relay-options.ts";
