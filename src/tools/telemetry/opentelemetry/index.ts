/**
 * Logins as OpenTelemetry spans and metrics. Peer: `@opentelemetry/api`.
 *
 * @packageDocumentation
 */

export { type MeasureOptions, measureLogins } from "./measure-logins.ts";
export { type ObserveRelayOptions, observeRelay } from "./observe-relay.ts";
export { type TraceOptions, traceLogins } from "./trace-logins.ts";
