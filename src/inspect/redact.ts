import { type AnyActorRef, type InspectionEvent, StateMachine, type StateValue } from "xstate";
import { linkMachine } from "../../machines/link.ts";
import { loginMachine } from "../../machines/login.ts";
import { definitionOf } from "./definition.ts";
import { contextFacts, eventFacts, resultFacts } from "./facts.ts";
import type { Moment, SeenEvent, SeenSnapshot } from "./moment.ts";

/** A statechart, or the actor of anything else. */
interface Inspected extends AnyActorRef {
  readonly logic?: unknown;
}

/** What snapshots have, of which some have only a part. */
interface StoodAt {
  readonly status: string;
  readonly value?: StateValue;
  readonly context?: unknown;
}

// `.provide()` makes another machine of the same definition.
const ours = new Map<unknown, string>([
  [loginMachine.config, "login"],
  [linkMachine.config, "link"],
]);

/**
 * Makes of each inspection event a new plain object that holds nothing but what may be told; an event that tells nothing
 * gives `undefined`. Of statecharts that are not ours only names and states are told.
 */
export function redactor(now: () => number = Date.now): (event: InspectionEvent) => Moment | undefined {
  return (event) => {
    const actor = event.actorRef as Inspected;
    const seen = () => ({ at: now(), actor: actor.sessionId, root: rootOf(actor).sessionId });
    switch (event.type) {
      case "@xstate.actor":
        return {
          type: "actor",
          ...seen(),
          parent: actor._parent?.sessionId,
          name: nameOf(actor),
          definition: actor.logic instanceof StateMachine ? definitionOf(actor.logic) : undefined,
          // It stands nowhere yet, and must not be asked.
          snapshot: { status: "active", context: {} },
        };
      case "@xstate.event":
        return {
          type: "event",
          ...seen(),
          source: event.sourceRef?.sessionId,
          event: eventOf(actor, event.event),
        };
      case "@xstate.snapshot":
        return {
          type: "snapshot",
          ...seen(),
          event: eventOf(actor, event.event),
          snapshot: snapshotOf(actor, event.snapshot),
        };
      default:
        return undefined;
    }
  };
}

function rootOf(actor: Inspected): Inspected {
  return actor._parent ? rootOf(actor._parent as Inspected) : actor;
}

function machineOf(actor: Inspected): string | undefined {
  return actor.logic instanceof StateMachine ? ours.get(actor.logic.config) : undefined;
}

const isOurs = (actor: Inspected): boolean =>
  machineOf(actor) !== undefined ||
  (actor._parent !== undefined && machineOf(actor._parent as Inspected) !== undefined);

function nameOf({ id, sessionId, logic }: Inspected): string {
  const isNamed = id !== sessionId;
  return wordOf(!isNamed && logic instanceof StateMachine ? logic.id : id);
}

// The same event comes once as sent and once with where it led.
const seenEvents = new WeakMap<object, SeenEvent>();

function eventOf(actor: Inspected, event: { readonly type: string }): SeenEvent {
  if (!isOurs(actor)) return { type: wordOf(event.type) };
  const seen = seenEvents.get(event) ?? { type: wordOf(event.type), ...eventFacts(event) };
  seenEvents.set(event, seen);
  return seen;
}

function snapshotOf(actor: Inspected, snapshot: StoodAt): SeenSnapshot {
  const { status, value, context } = snapshot;
  const machine = machineOf(actor);
  return {
    status: wordOf(status),
    // The states that a statechart names itself.
    ...(actor.logic instanceof StateMachine && { value: copied(value) }),
    context: machine ? contextFacts(machine, context) : isOurs(actor) ? resultFacts(snapshot) : {},
  };
}

// What was seen stays as it was, and no statechart's own object is handed on.
function copied(value: StateValue | undefined): StateValue {
  if (typeof value !== "object") return value ?? "";
  const entries = Object.entries(value).map(([name, inner]): [string, StateValue] => [name, copied(inner)]);
  return Object.fromEntries(entries);
}

// Whoever sends an event chooses its name: what reads like no name is not repeated.
function wordOf(text: unknown): string {
  return typeof text === "string" && /^[\w.*:()#/-]{1,100}$/.test(text) ? text : "[unnamed]";
}
