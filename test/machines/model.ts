import { type AnyMachineSnapshot, type AnyStateMachine, initialTransition, transition } from "xstate";
import { type Case, toEvent } from "./cases.ts";
import type { Row } from "./table.ts";

/** A statechart and all that can happen to it. */
export interface Subject<Name extends string> {
  /** For pure transitions: nothing runs. */
  readonly machine: AnyStateMachine;
  readonly cases: Readonly<Record<Name, Case<unknown, string>>>;
}

/** The same with what must follow: a table of states, written by hand, and what must be seen after each step. */
export interface Model<Seen extends BaseSeen, Name extends string, Settings> extends Subject<Name> {
  /** The settings under which it is judged. */
  readonly variants: Readonly<Record<string, Settings>>;
  readonly rows: readonly Row<Seen["state"], Name>[];
  findRow(seen: Seen, name: Name, settings: Settings): Row<Seen["state"], Name> | undefined;
  /** What can be seen of it from outside. */
  observe(snapshot: AnyMachineSnapshot): Seen;
  /** What tells the situations apart. */
  tellApart(seen: Seen, settings: Settings): unknown;
  /** What must be seen at the start, and after a step. */
  start(settings: Settings): Seen;
  expectedAfter(before: Seen, name: Name, row: Row<Seen["state"], Name>, settings: Settings): Seen;
  /** The events that a step must emit. */
  announced(after: Seen, name: Name): readonly object[];
}

export interface BaseSeen {
  readonly state: string;
}

/** The next snapshot and the actions of a pure transition. */
export const applyEvent = <Name extends string>(
  { machine, cases }: Subject<Name>,
  snapshot: AnyMachineSnapshot,
  name: Name,
) => {
  const event = toEvent(cases[name], snapshot.children);
  if (!event) throw new Error(`Nothing runs that reports ${name}.`);
  return transition(machine, snapshot, event);
};

/** @param settings of a flow that does not check the fields by default. */
export function snapshotAfter<Name extends string>(
  subject: Subject<Name>,
  settings: object,
  path: readonly Name[],
): AnyMachineSnapshot {
  const [start]: [AnyMachineSnapshot, unknown] = initialTransition(subject.machine, { validate: false, ...settings });
  return path.reduce((snapshot, name) => applyEvent(subject, snapshot, name)[0], start);
}

type Actions = readonly { readonly type: string; readonly params?: unknown }[];

const findParams = (actions: Actions, type: string) =>
  actions
    .filter((action) => action.type === type)
    .map(({ params }): { event?: unknown; targetId?: unknown } => Object(params));

/** The effects of a pure transition: emitted events, and events for an actor within. */
export const readEffects = (actions: Actions) => ({
  announced: findParams(actions, "xstate.emit").map(({ event }) => event as object),
  forwarded: findParams(actions, "xstate.sendTo").map(({ targetId, event }) => ({ to: targetId, event })),
});

/** What must be seen after something that the table knows. */
export function follow<Seen extends BaseSeen, Name extends string, Settings>(
  model: Model<Seen, Name, Settings>,
  before: Seen,
  name: Name,
  settings: Settings,
): Seen {
  const row = model.findRow(before, name, settings);
  if (!row) throw new Error(`By the table, nothing follows when ${name} in ${before.state}.`);
  return model.expectedAfter(before, name, row, settings);
}
