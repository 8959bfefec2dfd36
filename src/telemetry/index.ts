/**
 * Lifecycle events of logins, for logs and metrics.
 *
 * @packageDocumentation
 */

export { inspectAll } from "./combine.ts";
export type { LifecycleEvent } from "./event.ts";
export type { TelemetryOptions } from "./guard.ts";
export { type LifecycleOptions, onLifecycle } from "./lifecycle.ts";
export type { Inspect } from "./statechart.ts";
