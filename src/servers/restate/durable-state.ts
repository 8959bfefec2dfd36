import type { Interaction, LoginSettings } from "../../../machines/login.types.ts";
import type { ClientEntry } from "../../core/api/responses.ts";
import { type LoginState, readState } from "../../core/login/login-state.ts";
import type { Locale } from "../../core/texts/languages.ts";
import { type FailureView, failureView } from "../../core/view/login-view.ts";
import { type DurableRecord, isOver } from "./durable-record.ts";

/** The state of a durable login: plain data, every secret in it sealed. */
export interface DurableState {
  /** Where the login is, in the words of `readState`; `cancelled` if the login was cancelled. */
  readonly state: Exclude<LoginState["state"], "idle"> | "cancelled";
  /** Whether it has ended. */
  readonly over: boolean;
  /** The bank's code. */
  readonly provider: string;
  /** How the login behaves. */
  readonly settings: LoginSettings;
  /** With `awaitingInteraction`: what the bank asks (contract, section 2.3). */
  readonly interaction?: Interaction;
  /** With `selectClient`: the clients to choose from. */
  readonly clients?: readonly ClientEntry[];
  /** When the wait for a person ends, in milliseconds since the epoch. */
  readonly expiresAt?: number;
  /** With `failed`, and with `cancelled` if the bank may have received the login. */
  readonly failure?: FailureView;
  /** The session key, sealed, once the login is over: `openSessionKey` opens it. */
  readonly key?: string;
  /** With `loggedIn`: when the session began, in milliseconds since the epoch. */
  readonly loggedInAt?: number;
}

/** The part of a record that callers may see. @param picture that of the interaction, which the record does not contain. */
export function toDurableState(
  record: DurableRecord,
  { locale = "en", picture }: { readonly locale?: Locale | undefined; readonly picture?: string | undefined } = {},
): DurableState {
  const { provider, context } = record;
  const { interaction, clients, expiresAt, key, loggedInAt } = context;
  const known = readState(record);
  const state = known.state === "idle" ? "cancelled" : known.state;
  const failure = known.state === "failed" ? known.failure : context.failure;
  const over = isOver(record);
  return {
    state,
    over,
    provider,
    settings: context.settings,
    ...(state === "awaitingInteraction" && interaction && { interaction: toShown(interaction, picture) }),
    ...(state === "selectClient" && { clients }),
    ...(!over && expiresAt !== undefined && { expiresAt }),
    ...((state === "failed" || (over && failure)) && { failure: failureView(failure, { locale }) }),
    // Before the end only the worker needs the key.
    ...(over && key !== undefined && { key }),
    ...(loggedInAt !== undefined && { loggedInAt }),
  };
}

/** The interaction for callers. No worker waits for the bank's app, so no screen may say that the login continues automatically. */
function toShown({ awaitsApproval: _, ...interaction }: Interaction, picture: string | undefined): Interaction {
  return picture === undefined ? interaction : { ...interaction, context: picture };
}
