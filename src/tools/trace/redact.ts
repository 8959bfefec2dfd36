import type { StateValue } from "xstate";
import { redactContext, redactEvent, redactResult } from "./allowlist.ts";
import { toDefinition } from "./definition.ts";
import type { TraceEvent } from "./trace-event.ts";
import { type Inspect, type InspectedActor, readFlow, readMachine } from "./traced-actors.ts";
import { findParent } from "./xstate-private.ts";

type Inspected = Parameters<Inspect>[0];
type ActorEvent = Extract<TraceEvent, { type: "@xstate.actor" }>;
type SentEvent = Extract<TraceEvent, { type: "@xstate.event" }>;

/**
 * Creates a plain trace event from each inspection event, with only what may be shown. Of other statecharts than ours only names and
 * states are shown. Its errors do not reach the login.
 */
export function redactEvents(show: (event: TraceEvent) => void): Inspect {
  return (inspected) => {
    try {
      const event = redact(inspected);
      if (event) show(event);
    } catch {
      // An error here must not break the login.
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
    // It has no snapshot yet, and getSnapshot() would fail.
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
    // A copy: XState's own object is not handed out.
    ...(readMachine(actor) && { value: structuredClone(value ?? "") }),
    context: flow ? redactContext(flow, context) : isOurs(actor) ? redactResult(snapshot) : {},
  };
}

const isOurs = (actor: InspectedActor): boolean =>
  readFlow(actor) !== undefined || readFlow(findParent(actor)) !== undefined;

// The sender of an event chooses its type, so a type that does not look like a name is left out.
function redactWord(text: unknown): string {
  return typeof text === "string" && /^[\w.*:()#/-]{1,100}$/.test(text) ? text : "[unnamed]";
}
