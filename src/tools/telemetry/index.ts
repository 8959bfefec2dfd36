/**
 * Lifecycle events of logins, for logs and metrics.
 *
 * @packageDocumentation
 */

export type { LifecycleEvent } from "./lifecycle-event.ts";
export { type LifecycleTelemetryOptions, lifecycleTelemetry } from "./lifecycle-telemetry.ts";
export { inspectAll } from "./listeners.ts";
