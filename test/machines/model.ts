import type { FailureCode } from "ventanilla";
import { type AnyMachineSnapshot, type AnyStateMachine, type EventObject, initialTransition, transition } from "xstate";
import type { Case } from "./cases.ts";
import type { Oracle, Row } from "./oracle.ts";

/** A statechart and all that can happen to it. */
export interface Subject<Name extends string> {
  /** For pure transitions: nothing runs. */
  readonly machine: AnyStateMachine;
  readonly cases: Readonly<Record<Name, Case<unknown, string>>>;
}

/** The same with what should follow, written by hand. */
export interface Model<Facts extends BaseFacts, Name extends string, Settings> extends Subject<Name> {
  /** The settings under which the oracle judges it. */
  readonly variants: Readonly<Record<string, Settings>>;
  readonly rows: readonly Row<Facts["state"], Name, unknown>[];
  oracle(settings: Settings): Oracle<Facts, Name>;
  /** What can be seen of it from outside, and what should be seen. */
  observe(snapshot: AnyMachineSnapshot): object;
  expected(facts: Facts, settings: Settings): object;
  /** The events that it should emit. */
  announced(name: Name, facts: Facts): readonly object[];
  /** The invocations that should run in each state, by their ids. */
  readonly running: Readonly<Partial<Record<Facts["state"], readonly string[]>>>;
  /** The running invocations that a case starts again. */
  readonly restarted?: Readonly<Partial<Record<Name, string>>>;
}

export interface BaseFacts {
  readonly state: string;
  readonly failure: FailureCode | undefined;
}

/** The next snapshot and the actions of a pure transition. */
export const happen = <Name extends string>(
  { machine, cases }: Subject<Name>,
  snapshot: AnyMachineSnapshot,
  name: Name,
) => transition(machine, snapshot, cases[name].event as EventObject);

export function snapshotAfter<Name extends string>(
  subject: Subject<Name>,
  settings: unknown,
  path: readonly Name[],
): AnyMachineSnapshot {
  const [start]: [AnyMachineSnapshot, unknown] = initialTransition(subject.machine, settings);
  return path.reduce((snapshot, name) => happen(subject, snapshot, name)[0], start);
}

type Actions = readonly { readonly type: string; readonly params?: unknown }[];

const findParams = (actions: Actions, type: string) =>
  actions
    .filter((action) => action.type === type)
    .map(({ params }): { id?: unknown; event?: unknown; targetId?: unknown } => Object(params));

// What a relay keeps has its own tests.
const withoutRelay = (event: { readonly interaction?: object }) =>
  event.interaction ? { ...event, interaction: { ...event.interaction, isResumable: undefined } } : event;

/** The effects of a pure transition: emitted events, events for an actor within, and the ids of invocations that start. */
export const readEffects = (actions: Actions) => ({
  announced: findParams(actions, "xstate.emit").map(({ event }) => withoutRelay(event as object)),
  forwarded: findParams(actions, "xstate.sendTo").map(({ targetId, event }) => ({ to: targetId, event })),
  begun: findParams(actions, "xstate.spawnChild").map(({ id }) => id),
});
