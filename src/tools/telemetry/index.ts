/**
 * Lifecycle events of logins, for logs and metrics.
 *
 * @packageDocumentation
 */

export type { LifecycleEvent } from "./lifecycle-event.ts";
export { lifecycleTelemetry } from "./lifecycle-telemetry.ts";
export { inspectAll, type TelemetryOptions } from "./listeners.ts";
