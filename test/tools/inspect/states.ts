import type { InspectionEvent } from "xstate";

/** One state of one statechart, as it was reached. */
export interface Reached {
  readonly actor: string;
  readonly value: string;
}

/** Collects the states that statecharts reach, from XState itself. */
export function stateRecorder() {
  const reached: Reached[] = [];
  return {
    reached,
    inspect: (event: InspectionEvent) => {
      if (event.type !== "@xstate.snapshot" || !("value" in event.snapshot)) return;
      reached.push({ actor: event.actorRef.sessionId, value: JSON.stringify(event.snapshot.value) });
    },
  };
}

/** The states in messages of the Stately protocol. */
export function statesIn(messages: readonly unknown[]): Reached[] {
  return messages.flatMap((message) => {
    const { type, sessionId, snapshot } = message as {
      type: string;
      sessionId: string;
      snapshot?: { value?: unknown };
    };
    if (type !== "@xstate.snapshot" || snapshot?.value === undefined) return [];
    return [{ actor: sessionId, value: JSON.stringify(snapshot.value) }];
  });
}
