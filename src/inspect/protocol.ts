import type { Facts, Moment, SeenEvent, SeenSnapshot } from "./moment.ts";

interface MessageBase {
  readonly sessionId: string;
  readonly rootId: string;
  /** Milliseconds since the epoch, as text. */
  readonly createdAt: string;
  readonly id: string;
  readonly _version: string;
}

/** What is sent for each moment: the messages of the Stately inspector, as `@statelyai/inspect` has them. */
export type InspectionMessage =
  | (MessageBase & {
      readonly type: "@xstate.actor";
      readonly name: string;
      readonly parentId: string | undefined;
      /** The statechart's definition as JSON. */
      readonly definition: string | undefined;
      readonly snapshot: SeenSnapshot;
    })
  | (MessageBase & {
      readonly type: "@xstate.event";
      readonly sourceId: string | undefined;
      readonly event: SeenEvent;
    })
  | (MessageBase & { readonly type: "@xstate.snapshot"; readonly event: SeenEvent; readonly snapshot: SeenSnapshot });

/** The version of `@statelyai/inspect` whose messages these are. */
const PROTOCOL_VERSION = "0.7.2";

/** A page that is ready to watch says so to the window that opened it, or that it is framed in. */
export const CONNECTED = "@statelyai.connected";

const definitions = new WeakMap<object, string>();

/** A moment as a message. */
export function messageOf(moment: Moment): InspectionMessage {
  const { at, actor, root } = moment;
  const base = {
    sessionId: actor,
    rootId: root,
    createdAt: String(at),
    id: null as unknown as string,
    _version: PROTOCOL_VERSION,
  };
  switch (moment.type) {
    case "actor": {
      const { name, parent, definition, snapshot } = moment;
      return {
        type: "@xstate.actor",
        ...base,
        name,
        parentId: parent,
        definition: definitionText(name, definition),
        snapshot,
      };
    }
    case "event":
      return { type: "@xstate.event", ...base, sourceId: moment.source, event: moment.event };
    case "snapshot":
      return { type: "@xstate.snapshot", ...base, event: moment.event, snapshot: moment.snapshot };
  }
}

/** What a message tells; `undefined` for anything that is no message. */
export function momentOf(message: unknown): Moment | undefined {
  const { type, sessionId, rootId, createdAt, ...rest } = recordIn(message);
  if (typeof sessionId !== "string") return undefined;
  const seen = { at: Number(createdAt) || 0, actor: sessionId, root: textIn(rootId) ?? sessionId };
  if (type === "@xstate.actor") {
    return {
      type: "actor",
      ...seen,
      name: textIn(rest["name"]) ?? sessionId,
      parent: textIn(rest["parentId"]),
      definition: undefined,
      snapshot: snapshotIn(rest["snapshot"]),
    };
  }
  if (type === "@xstate.event") {
    return { type: "event", ...seen, source: textIn(rest["sourceId"]), event: eventIn(rest["event"]) };
  }
  if (type === "@xstate.snapshot") {
    return { type: "snapshot", ...seen, event: eventIn(rest["event"]), snapshot: snapshotIn(rest["snapshot"]) };
  }
  return undefined;
}

// A definition is long and the same for every login, so it is written once.
function definitionText(name: string, definition: object | undefined): string {
  if (!definition) return JSON.stringify({ id: name });
  const text = definitions.get(definition) ?? JSON.stringify(definition);
  definitions.set(definition, text);
  return text;
}

const recordIn = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};

const textIn = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

function eventIn(value: unknown): SeenEvent {
  const event = recordIn(value);
  return { ...(event as Facts), type: textIn(event["type"]) ?? "" };
}

function snapshotIn(value: unknown): SeenSnapshot {
  const { status, value: state, context } = recordIn(value);
  return {
    status: textIn(status) ?? "active",
    ...((typeof state === "string" || typeof state === "object") && state !== null && { value: state as string }),
    context: recordIn(context) as Facts,
  };
}
