import type { StateValue } from "xstate";
import { redactContext, redactEvent, redactResult } from "./allowlist.ts";
import { toDefinition } from "./definition.ts";
import type { TraceEvent } from "./trace-event.ts";
import { findParent, type Inspect, type InspectedActor, readFlow, readMachine } from "./traced-actors.ts";

type Inspected = Parameters<Inspect>[0];
type ActorEvent = Extract<TraceEvent, { type: "@xstate.actor" }>;
type SentEvent = Extract<TraceEvent, { type: "@xstate.event" }>;

/**
 * Makes of each inspection event a new plain object that holds nothing but what may be shown. Of statecharts that are not
 * ours only names and states are shown. Nothing that goes wrong in it reaches the login.
 */
export function redactEvents(show: (event: TraceEvent) => void): Inspect {
  return (inspected) => {
    try {
      const event = redact(inspected);
      if (event) show(event);
    } catch {
      // The login goes on, whatever goes wrong in watching it.
    }
  };
}

function redact(inspected: Inspected): TraceEvent | undefined {
  const { actorRef: actor, rootId } = inspected;
  const seen = { sessionId: actor.sessionId, rootId, at: Date.now() };
  switch (inspected.type) {
    case "@xstate.actor":
      return { type: inspected.type, ...seen, ...describeActor(actor) };
    case "@xstate.event": {
      const sourceId = inspected.sourceRef?.sessionId;
      return { type: inspected.type, ...seen, sourceId, event: redactSent(actor, inspected.event) };
    }
    case "@xstate.snapshot": {
      const event = redactSent(actor, inspected.event);
      return { type: inspected.type, ...seen, event, snapshot: redactSnapshot(actor, inspected.snapshot) };
    }
    default:
      return undefined;
  }
}

function describeActor(actor: InspectedActor): Pick<ActorEvent, "parentId" | "name" | "definition" | "snapshot"> {
  const { id, sessionId } = actor as InspectedActor & { readonly id: string };
  const machine = readMachine(actor);
  return {
    parentId: findParent(actor)?.sessionId,
    name: redactWord(machine && id === sessionId ? machine.id : id),
    definition: machine && toDefinition(machine),
    // It has no snapshot yet, and must not be asked for one.
    snapshot: { status: "active", context: {} },
  };
}

function redactSent(actor: InspectedActor, event: { readonly type: string }): SentEvent["event"] {
  return { type: redactWord(event.type), ...(isOurs(actor) && redactEvent(event)) };
}

function redactSnapshot(actor: InspectedActor, snapshot: object): ActorEvent["snapshot"] {
  const { status, value, context } = snapshot as { status: string; value?: StateValue; context?: unknown };
  const flow = readFlow(actor);
  return {
    status: redactWord(status),
    // The states that a statechart names itself, copied: its own object is not handed on.
    ...(readMachine(actor) && { value: structuredClone(value ?? "") }),
    context: flow ? redactContext(flow, context) : isOurs(actor) ? redactResult(snapshot) : {},
  };
}

const isOurs = (actor: InspectedActor): boolean =>
  readFlow(actor) !== undefined || readFlow(findParent(actor)) !== undefined;

// The sender of an event chooses its name: what does not look like a name is not repeated.
function redactWord(text: unknown): string {
  return typeof text === "string" && /^[\w.*:()#/-]{1,100}$/.test(text) ? text : "[unnamed]";
}
