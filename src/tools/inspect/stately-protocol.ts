import * as v from "valibot";
import { type TraceEvent, traceEvent } from "../trace/trace-event.ts";

/** The version of `@statelyai/inspect` that has these messages. */
const PROTOCOL_VERSION = "0.7.2";

/** A page that is ready to watch sends this to the window that opened it or contains its frame. */
export const CONNECTED = "@statelyai.connected";

/** A trace event as a message of the Stately inspector. */
export function toStatelyMessage({ at, ...event }: TraceEvent): object {
  const message = { ...event, createdAt: String(at), id: null, _version: PROTOCOL_VERSION };
  if (event.type !== "@xstate.actor") return message;
  return { ...message, definition: JSON.stringify(event.definition ?? { id: event.name }) };
}

const statelyMessage = v.pipe(
  v.looseObject({ createdAt: v.string() }),
  v.transform(({ createdAt, definition: _, ...message }) => ({ ...message, at: Number(createdAt) })),
  traceEvent,
);

const anyMessage = v.union([statelyMessage, v.pipe(v.string(), v.parseJson(), statelyMessage)]);

/** The trace event in a message, or in its JSON; `undefined` for any other value. */
export function readStatelyMessage(message: unknown): TraceEvent | undefined {
  const { success, output } = v.safeParse(anyMessage, message);
  return success ? output : undefined;
}
