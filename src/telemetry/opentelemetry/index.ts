export { type TraceOptions, traceLogins } from "./trace.ts";
