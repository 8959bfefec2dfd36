import type { FailureCode, KnownFailure, OutcomeCode } from "../../core/api/failures.ts";
import type { LoginState } from "../../core/login/login-state.ts";

/** The members of every lifecycle event. */
interface EventBase<Code extends string> {
  /** The login's id, as its outcome and a relay's events have it; random, and not the session key. */
  readonly id: string;
  /** The bank's code. */
  readonly provider: string;
  /** The state that the login is in now; with `login.cancelled`, the one where it was left. */
  readonly state: LoginState["state"];
  /** What happened, in one word; the codes of `docs/errors.md` where something failed. */
  readonly code: Code;
  /** Milliseconds since the login's first `login.started`, the time that the person took included. */
  readonly duration: number;
}

/** The further members of an ending. */
interface EndBase {
  /** How many interactions the bank asked for. */
  readonly interactions: number;
}

/** The further members of an answer. */
interface WaitBase {
  /** Milliseconds since it was asked for, or resumed here. The worker of a durable login does not know them. */
  readonly wait?: number;
}

/**
 * What happens to a login. Stable: within a major version members are added, none is renamed, removed or given another
 * meaning. No event holds a secret or a text of the bank. Each `login.started` is followed by exactly one of
 * `login.finished`, `login.failed` and `login.cancelled` with the same `id`, once the login or its actor ends.
 */
export type LifecycleEvent =
  | ({
      readonly type: "login.started";
      /**
       * `started`: credentials were submitted. `resumed`: a paused or stored login goes on. `replacing_session`: the
       * login that failed with this `id` goes on by closing the session in its way.
       */
    } & EventBase<"started" | "resumed" | "replacing_session">)
  | ({
      readonly type: "interaction.required";
      /** The name of the field that is asked for, of several the first one; empty where the bank gives a sentence in its place. */
      readonly field: string;
      /** The names of all fields that are asked for: mostly one, `field`. */
      readonly fields: readonly string[];
      /** 1 for the login's first interaction. */
      readonly number: number;
      /** How many answers to this field were sent in a row before it was asked for again: they may not have been accepted. */
      readonly answersSent: number;
      /** When the time to answer runs out, in milliseconds since the epoch. */
      readonly expiresAt?: number;
    } & EventBase<"interaction_required">)
  | ({
      /** The person, or the handler, has answered: the answer is sent now. */
      readonly type: "interaction.answered";
      /** 1 for the login's first interaction. */
      readonly number: number;
    } & EventBase<"answered"> &
      WaitBase)
  | ({
      /** A client is to be chosen here. Without `clientSelection` the login fails with `client_selection_off` instead. */
      readonly type: "client.required";
      /** How many clients there are to choose from. */
      readonly clients: number;
      /** When the time to choose runs out, in milliseconds since the epoch. */
      readonly expiresAt?: number;
    } & EventBase<"select_client">)
  | ({
      /** The person, or the handler, has chosen: the choice is sent now. */
      readonly type: "client.chosen";
    } & EventBase<"chosen"> &
      WaitBase)
  | ({
      readonly type: "login.finished";
    } & EventBase<"logged_in"> &
      EndBase)
  | ({
      readonly type: "login.failed";
      /** Whether this login can go on by closing the session in its way: `login.started` with `replacing_session`. */
      readonly replaceable: boolean;
    } & Pick<KnownFailure, "kind" | "httpStatus" | "request" | "wireStatus"> &
      EventBase<FailureCode> &
      EndBase)
  | ({
      /**
       * `cancelled`: somebody cancelled. `stopped`: the login's actor was stopped in the middle, because its screen was
       * closed, another bank was chosen, the login was paused to go on elsewhere, or a handler threw.
       */
      readonly type: "login.cancelled";
    } & EventBase<Extract<OutcomeCode, "cancelled"> | "stopped"> &
      EndBase);
