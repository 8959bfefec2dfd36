/**
 * Watching, recording and drawing logins, without a secret in what is shown. Peer in browsers: `@statelyai/inspect`.
 *
 * @packageDocumentation
 */

export { type DiagramRows, diagramOf, type Flow } from "./diagram.ts";
export { inspectLogin } from "./inspect-login.ts";
export type { InspectionAddress, InspectOptions, LoginInspection } from "./inspection.ts";
export { mermaidOf } from "./mermaid.ts";
export type { Fact } from "./moment.ts";
export { type LoginRecorder, type RecordOptions, recordLogin } from "./record.ts";
export { type RecordedMoment, type Recording, readRecording } from "./recording.ts";
export { type ServedViewer, type ServeViewerOptions, serveViewer } from "./serve-viewer.ts";
export { type StateRow, statesOf, type TransitionRow, transitionsOf } from "./transitions.ts";
