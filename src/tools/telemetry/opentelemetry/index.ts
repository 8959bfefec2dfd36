/**
 * Logins as OpenTelemetry spans and metrics. Peer: `@opentelemetry/api`.
 *
 * @packageDocumentation
 */

export { type MetricTelemetryOptions, metricTelemetry } from "./metric-telemetry.ts";
export { type RelayTelemetryOptions, relayTelemetry } from "./relay-telemetry.ts";
export { type TraceTelemetryOptions, traceTelemetry } from "./trace-telemetry.ts";
