import type { Moment } from "../moment.ts";
import { CONNECTED, momentOf } from "../protocol.ts";
import { type Recording, readRecording } from "../recording.ts";

/** Who takes what a source brings. */
export interface Taker {
  take(moment: Moment): void;
  /** Where it comes from, or what went wrong. */
  say(text: string, isWrong?: boolean): void;
}

/** Follows the page that opened this one, or frames it, as the Stately inspector does. */
export function watchOpener({ take, say }: Taker): boolean {
  const other: Window | null = window.opener ?? (window.parent === window ? null : window.parent);
  if (!other) return false;
  let origin: string | undefined;
  window.addEventListener("message", ({ source, origin: from, data }) => {
    // Nobody but that page, and nobody who takes its place later.
    if (source !== other || from !== (origin ?? from)) return;
    const moment = momentOf(data);
    if (!moment) return;
    if (origin === undefined) say(`Watching ${from}`);
    origin = from;
    take(moment);
  });
  say("Waiting for the page that opened this one.");
  // Its origin is not known yet, and there is nothing in this to hide.
  other.postMessage({ type: CONNECTED }, "*");
  return true;
}

/**
 * Follows a run in Node: `#watch` where this page came from, `#watch=ws://127.0.0.1:<port>/<token>` elsewhere on this
 * machine. The page's policy lets it connect nowhere else.
 */
export function watchServer({ take, say }: Taker): boolean {
  const asked = /^#watch(?:=(.+))?$/.exec(location.hash);
  if (!asked) return false;
  const address = asked[1] ?? `ws://${location.host}${location.pathname}`;
  let socket: WebSocket;
  try {
    socket = new WebSocket(address);
  } catch {
    say("This address can't be watched.", true);
    return true;
  }
  say("Connecting…");
  socket.addEventListener("open", () => say("Watching a run."));
  // What the page's policy forbids ends with an error alone.
  socket.addEventListener("error", () => say("There is no connection to the run.", true));
  socket.addEventListener("close", ({ wasClean }) => {
    if (wasClean) say("The run is over.");
    else say("There is no connection to the run.", true);
  });
  socket.addEventListener("message", ({ data }) => {
    const moment = momentIn(data);
    if (moment) take(moment);
  });
  return true;
}

/** Takes the recorded run that was served with the page. */
export function takeServed(taker: Taker): boolean {
  const served = document.getElementById("recording")?.textContent;
  if (!served) return false;
  takeText(served, taker);
  return true;
}

/** Takes the text of a recorded run. */
export function takeText(text: string, { take, say }: Taker): boolean {
  let recording: Recording;
  try {
    recording = readRecording(text);
  } catch (error) {
    say(`This is no recorded run. ${error instanceof Error ? error.message : ""}`, true);
    return false;
  }
  const start = Date.parse(recording.startedAt);
  for (const moment of recording.moments) {
    take({ ...moment, at: start + moment.at, root: moment.actor, definition: undefined } as unknown as Moment);
  }
  say(`Recorded ${new Date(start).toLocaleString()}${recording.isTruncated ? ", the beginning only" : ""}`);
  return true;
}

function momentIn(data: unknown): Moment | undefined {
  try {
    return momentOf(JSON.parse(String(data)));
  } catch {
    return undefined;
  }
}
