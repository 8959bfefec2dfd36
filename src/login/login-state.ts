import type { SnapshotFrom } from "xstate";
import type { loginMachine } from "../../machines/login.ts";

/** A snapshot of a login. */
export type LoginSnapshot = SnapshotFrom<typeof loginMachine>;

/** The states of a login (contract, section 3). */
export type LoginState =
  | "idle"
  | "submitting"
  | "awaitingInteraction"
  | "selectClient.resting"
  | "selectClient.listing"
  | "selectClient.choosing"
  | "selectClient.selecting"
  | "replacingSession"
  | "loggedIn"
  | "failed";

/** The name of the state that a snapshot is in. */
export function readState({ value }: Pick<LoginSnapshot, "value">): LoginState {
  return typeof value === "string" ? value : `selectClient.${value.selectClient}`;
}

/** Whether the login waits for an answer or a choice of client. */
export function isOpen(state: LoginState): boolean {
  return state === "awaitingInteraction" || state === "selectClient.choosing";
}
