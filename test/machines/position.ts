import type { loginMachine } from "ventanilla/machines/login";
import type { SnapshotFrom } from "xstate";

type Value = SnapshotFrom<typeof loginMachine>["value"];

type ToName<State> = State extends string
  ? State
  : State extends { readonly selectClient: infer Child extends string }
    ? `selectClient.${Child}`
    : keyof State & string;

/** A state of the statechart, `submitting` without the one of its request. */
export type Position = ToName<Value>;

/** Where a login is in the statechart itself. */
export function readPosition({ value }: { readonly value: Value }): Position {
  if (typeof value === "string") return value;
  return "submitting" in value ? "submitting" : `selectClient.${value.selectClient}`;
}
