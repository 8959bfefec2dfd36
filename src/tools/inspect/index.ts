/**
 * Watching, recording and drawing logins, without showing a secret. Peer: `@statelyai/inspect`, in browsers.
 *
 * @packageDocumentation
 */

export type { TraceEvent } from "../trace/trace-event.ts";
export { createDiagram } from "./diagram/diagram.ts";
export { inspectRecording, type LoginRecording, type RecordingOptions, type Trace } from "./inspect-recording.ts";
export type { InspectOptions, LoginInspection } from "./inspection.ts";
export { inspectLogin } from "./server/inspect-login.ts";
