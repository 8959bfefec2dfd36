import type { Fact, Facts, Moment, SeenEvent } from "../moment.ts";
import { eventName } from "../transitions.ts";
import { type ActorAt, pathsOf } from "./situation.ts";

/** What the log says of a moment. */
export function sentenceOf(moment: Moment, nameOf: (actor: string) => string): string {
  const name = nameOf(moment.actor);
  switch (moment.type) {
    case "actor":
      return `${name} begins`;
    case "event":
      return `${name} ← ${eventText(moment.event)}`;
    case "snapshot": {
      const { value, status, context } = moment.snapshot;
      if (value !== undefined) return `${name} is ${stateText(value)}${status === "done" ? ", over" : ""}`;
      return [`${name} is ${status}`, ...factLines(context).map(([fact, text]) => `${fact} ${text}`)].join(", ");
    }
  }
}

/** The innermost states of a value. */
export function stateText(value: ActorAt["value"]): string {
  const paths = pathsOf(value);
  return paths.filter((path) => !paths.some((other) => other.startsWith(`${path}.`))).join(", ");
}

/** Facts as lines: `failure.code`, `wrong_credentials`. */
export function factLines(facts: Facts, beginning = ""): [string, string][] {
  return Object.entries(facts).flatMap(([name, fact]): [string, string][] => {
    const label = `${beginning}${name}`;
    if (typeof fact !== "object" || fact === null) return [[label, textOf(label, fact)]];
    return Array.isArray(fact) ? [[label, fact.join(", ")]] : factLines(fact as Facts, `${label}.`);
  });
}

/** Milliseconds as seconds. */
export function timeText(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(3)} s`;
}

function eventText({ type, ...facts }: SeenEvent): string {
  const told = factLines(facts).map(([name, text]) => `${name} ${text}`);
  return told.length > 0 ? `${eventName(type)} (${told.join(", ")})` : eventName(type);
}

function textOf(label: string, fact: Fact): string {
  // A moment in time reads better as a time of day.
  if (typeof fact === "number" && /expiresAt$|deadline$/.test(label)) return new Date(fact).toLocaleTimeString();
  // That there is one is all that is told.
  return fact === true && label.endsWith("key") ? "at hand" : String(fact);
}
