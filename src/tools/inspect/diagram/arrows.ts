import type { AnyStateMachine } from "xstate";
import { listTransitions } from "../../trace/transitions.ts";

/** All transitions from one state to another, as one arrow. */
export interface Arrow {
  readonly source: string;
  /** The source itself if the state stays. */
  readonly target: string;
  /** Whether it leads to another state. */
  readonly isMove: boolean;
  /** Events, each with its guards; `else` is the transition without a guard after those with one. */
  readonly events: ReadonlyMap<string, readonly string[]>;
}

/** The arrows of a statechart, in the order of its definition. */
export function listArrows(machine: AnyStateMachine): Arrow[] {
  const arrows = new Map<string, Arrow & { readonly events: Map<string, string[]> }>();
  const guarded = new Set<string>();
  for (const { source, event, guard, target = source } of listTransitions(machine)) {
    if (guard) guarded.add(`${source} ${event}`);
    const place = `${source} ${target}`;
    const arrow = arrows.get(place) ?? { source, target, isMove: target !== source, events: new Map() };
    const otherwise = guarded.has(`${source} ${event}`) ? ["else"] : [];
    arrow.events.set(event, [...(arrow.events.get(event) ?? []), ...(guard ? [guard] : otherwise)]);
    arrows.set(place, arrow);
  }
  return [...arrows.values()];
}

/** An arrow's labels, one for each event: `submitCredentials done [hasSession]`. */
export function formatLabels({ events }: Arrow): string[] {
  return [...events].map(([event, guards]) => (guards.length > 0 ? `${event} [${guards.join(", ")}]` : event));
}

/** The id of an arrow in a drawing. */
export const formatArrowId = (flow: string, source: string, target: string): string => `${flow}:${source}>${target}`;

/** The class that an arrow's element has for one of its events. */
export const formatEventClass = (event: string): string => event.replaceAll(" ", "-");
