import type { TraceDetails, TraceEvent, TraceValue } from "../../trace/trace-event.ts";
import { formatEvent } from "../../trace/transitions.ts";
import { type ActorAtStep, listPaths } from "./actors-at-step.ts";

type SentEvent = Extract<TraceEvent, { type: "@xstate.event" }>["event"];

/** A line of the log. */
export function formatSentence(event: TraceEvent, findName: (actor: string) => string): string {
  const name = findName(event.sessionId);
  switch (event.type) {
    case "@xstate.actor":
      return `${name} starts`;
    case "@xstate.event":
      return `${name} receives ${formatSent(event.event)}`;
    case "@xstate.snapshot": {
      const { value, status, context } = event.snapshot;
      if (value !== undefined) return `${name} is ${formatState(value)}${status === "done" ? ", over" : ""}`;
      return [`${name} is ${status}`, ...listDetails(context).map(([label, text]) => `${label}: ${text}`)].join(", ");
    }
  }
}

/** The innermost states of a value. */
export function formatState(value: ActorAtStep["value"]): string {
  const paths = listPaths(value);
  return paths.filter((path) => !paths.some((other) => other.startsWith(`${path}.`))).join(", ");
}

/** Details as lines: `failure.code`, `wrong_credentials`. */
export function listDetails(details: TraceDetails, beginning = ""): [string, string][] {
  return Object.entries(details).flatMap(([name, detail]): [string, string][] => {
    const label = `${beginning}${name}`;
    if (typeof detail !== "object" || detail === null) return [[label, formatDetail(label, detail)]];
    return Array.isArray(detail) ? [[label, detail.join(", ")]] : listDetails(detail as TraceDetails, `${label}.`);
  });
}

/** Milliseconds as seconds. */
export function formatTime(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(3)} s`;
}

function formatSent({ type, ...details }: SentEvent): string {
  const lines = listDetails(details).map(([label, text]) => `${label}: ${text}`);
  return lines.length > 0 ? `${formatEvent(type)} (${lines.join(", ")})` : formatEvent(type);
}

function formatDetail(label: string, detail: TraceValue): string {
  // A time since the epoch is easier to read as a time of day.
  if (typeof detail === "number" && /expiresAt$|deadline$/.test(label)) return new Date(detail).toLocaleTimeString();
  // A redacted key is `true`.
  return detail === true && label.endsWith("key") ? "at hand" : String(detail);
}
