import type { AnyStateNode, SnapshotFrom } from "xstate";
import { loginMachine } from "../../../machines/login.ts";
import type { Failure, LoginTag } from "../../../machines/login.types.ts";

/** A snapshot of a login. */
export type LoginSnapshot = SnapshotFrom<typeof loginMachine>;

type ToName<Value> = Value extends string
  ? Value
  : Value extends { readonly selectClient: infer Child extends string }
    ? `selectClient.${Child}`
    : keyof Value & string;

/** The states of a login (contract, section 3): those of the statechart, `submitting` without the one of its request. */
export type LoginState = ToName<LoginSnapshot["value"]>;

/** Why a login is over in `selectClient.resting`: the contract ends there, so the statechart has no failure of its own. */
export const clientSelectionOff: Failure = { kind: "outcome", code: "client_selection_off" };

/** The name of the state that a snapshot is in. */
export function readState({ value }: Pick<LoginSnapshot, "value">): LoginState {
  if (typeof value === "string") return value;
  return "submitting" in value ? "submitting" : `selectClient.${value.selectClient}`;
}

/** Whether the state of a stored login has a tag. A state that only another version of the statechart has, has none. */
export function hasTag(snapshot: Pick<LoginSnapshot, "value">, tag: LoginTag): boolean {
  const path = readState(snapshot).split(".");
  const node = path.reduce<AnyStateNode | undefined>((parent, name) => parent?.states[name], loginMachine.root);
  return node?.tags.includes(tag) ?? false;
}

/** Names the step that a login is at: of this attempt, in this state, at this interaction. A screen's verbs belong to one step. */
export function readStep(snapshot: Pick<LoginSnapshot, "value" | "context">): string {
  const { attempts, interaction } = snapshot.context;
  return `${readState(snapshot)} ${attempts} ${interaction?.number ?? 0}`;
}
