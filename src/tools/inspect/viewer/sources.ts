import type { TraceEvent } from "../../trace/trace-event.ts";
import { readTrace, type Trace } from "../inspect-recording.ts";
import { CONNECTED, readStatelyMessage } from "../stately-protocol.ts";

/** Takes the events of a source. */
export interface Listener {
  take(event: TraceEvent): void;
  /** Names the source, or says what went wrong. */
  say(text: string, isWrong?: boolean): void;
}

/** Follows the page that opened this one, or contains its frame, as the Stately inspector does. */
export function watchOpener({ take, say }: Listener): boolean {
  const other: Window | null = window.opener ?? (window.parent === window ? null : window.parent);
  if (!other) return false;
  let origin: string | undefined;
  window.addEventListener("message", ({ source, origin: from, data }) => {
    // From that page only, and not from another page in the same window later.
    if (source !== other || from !== (origin ?? from)) return;
    const event = readStatelyMessage(data);
    if (!event) return;
    if (origin === undefined) say(`Watching ${from}`);
    origin = from;
    take(event);
  });
  say("Waiting for the page that opened this one.");
  // To any origin: that of the page is not known yet, and the message contains nothing secret.
  other.postMessage({ type: CONNECTED }, "*");
  return true;
}

/** Follows the run in Node whose server has served this page. */
export function watchServer({ take, say }: Listener): boolean {
  if (location.hash !== "#watch") return false;
  const socket = new WebSocket(`ws://${location.host}${location.pathname}`);
  say("Connecting…");
  socket.addEventListener("open", () => say("Watching a run."));
  socket.addEventListener("close", ({ wasClean }) => {
    if (wasClean) say("The run is over.");
    else say("There is no connection to the run.", true);
  });
  socket.addEventListener("message", ({ data }) => {
    const event = readStatelyMessage(data);
    if (event) take(event);
  });
  return true;
}

/** Takes the trace that was served with the page. */
export function takeServedTrace(listener: Listener): boolean {
  const text = document.getElementById("trace")?.textContent;
  if (!text) return false;
  takeTrace(text, listener);
  return true;
}

/** Takes the text of a trace. */
export function takeTrace(text: string, { take, say }: Listener): boolean {
  let trace: Trace;
  try {
    trace = readTrace(text);
  } catch (error) {
    say(`This is not a trace. ${error instanceof Error ? error.message : ""}`, true);
    return false;
  }
  for (const event of trace.events) take(event);
  say(`Recorded ${new Date(trace.startedAt).toLocaleString()}${trace.isTruncated ? ", the beginning only" : ""}`);
  return true;
}
