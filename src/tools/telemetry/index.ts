/**
 * Lifecycle events of logins, for logs and metrics.
 *
 * @packageDocumentation
 */

export { type LifecycleOptions, onLifecycle } from "./lifecycle.ts";
export type { LifecycleEvent } from "./lifecycle-event.ts";
export { inspectAll } from "./listeners.ts";
