/**
 * Lifecycle events of logins, for logs and metrics.
 *
 * @packageDocumentation
 */

export type { Inspect } from "../trace/traced-actors.ts";
export { type LifecycleOptions, onLifecycle } from "./lifecycle.ts";
export type { LifecycleEvent } from "./lifecycle-event.ts";
export { inspectAll, type TelemetryOptions } from "./listeners.ts";
