/**
 * Logins as OpenTelemetry spans. Peer: `@opentelemetry/api`.
 *
 * @packageDocumentation
 */

export { type TraceOptions, traceLogins } from "./trace-logins.ts";
