import type { Fact, Facts, Moment, SeenEvent } from "../moment.ts";
import { eventName } from "../transitions.ts";
import { type ActorAt, pathsOf } from "./actors-at-step.ts";

/** A line of the log. */
export function sentenceOf(moment: Moment, nameOf: (actor: string) => string): string {
  const name = nameOf(moment.actor);
  switch (moment.type) {
    case "actor":
      return `${name} starts`;
    case "event":
      return `${name} receives ${eventText(moment.event)}`;
    case "snapshot": {
      const { value, status, context } = moment.snapshot;
      if (value !== undefined) return `${name} is ${stateText(value)}${status === "done" ? ", over" : ""}`;
      return [`${name} is ${status}`, ...detailLines(context).map(([label, text]) => `${label}: ${text}`)].join(", ");
    }
  }
}

/** The innermost states of a value. */
export function stateText(value: ActorAt["value"]): string {
  const paths = pathsOf(value);
  return paths.filter((path) => !paths.some((other) => other.startsWith(`${path}.`))).join(", ");
}

/** Details as lines: `failure.code`, `wrong_credentials`. */
export function detailLines(details: Facts, beginning = ""): [string, string][] {
  return Object.entries(details).flatMap(([name, detail]): [string, string][] => {
    const label = `${beginning}${name}`;
    if (typeof detail !== "object" || detail === null) return [[label, textOf(label, detail)]];
    return Array.isArray(detail) ? [[label, detail.join(", ")]] : detailLines(detail as Facts, `${label}.`);
  });
}

/** Milliseconds as seconds. */
export function timeText(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(3)} s`;
}

function eventText({ type, ...details }: SeenEvent): string {
  const lines = detailLines(details).map(([label, text]) => `${label}: ${text}`);
  return lines.length > 0 ? `${eventName(type)} (${lines.join(", ")})` : eventName(type);
}

function textOf(label: string, detail: Fact): string {
  // Milliseconds since the epoch read better as a time of day.
  if (typeof detail === "number" && /expiresAt$|deadline$/.test(label)) return new Date(detail).toLocaleTimeString();
  // The inspection shows that there is a key, and nothing of it.
  return detail === true && label.endsWith("key") ? "at hand" : String(detail);
}
