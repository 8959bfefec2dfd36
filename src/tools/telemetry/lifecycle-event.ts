import type { FailureCode, KnownFailure, OutcomeCode } from "../../core/api/failures.ts";
import type { LoginState } from "../../core/login/login-state.ts";

/** The members of every lifecycle event. */
interface EventBase<Code extends string> {
  /** The login's id, as in its outcome and in a relay's events; random, and not the session key. */
  readonly id: string;
  /** The bank's code. */
  readonly provider: string;
  /** The state that the login is in now; with `login.cancelled`, the state before. */
  readonly state: LoginState["state"];
  /** What happened, in one word; a code of `docs/errors.md` if something failed. */
  readonly code: Code;
  /** Milliseconds since the login's first `login.started`, including the time that the person took. */
  readonly duration: number;
}

/** The further members of an ending. */
interface EndBase {
  /** How many interactions the bank asked for. */
  readonly interactions: number;
}

/** The further members of an answer. */
interface WaitBase {
  /** Milliseconds since the question was asked, or resumed here. The worker of a durable login does not know them. */
  readonly wait?: number;
}

/**
 * What happens to a login. Stable: within a major version members are added, none is renamed, removed or given another
 * meaning. No event contains a secret or a text of the bank. Each `login.started` is followed by exactly one of
 * `login.finished`, `login.failed` and `login.cancelled` with the same `id`, once the login or its actor ends.
 */
export type LifecycleEvent =
  | ({
      readonly type: "login.started";
      /**
       * `started`: credentials were submitted. `resumed`: a paused or stored login continues. `replacing_session`: the
       * login that failed with this `id` continues by closing the session in its way.
       */
    } & EventBase<"started" | "resumed" | "replacing_session">)
  | ({
      readonly type: "interaction.required";
      /** The name of the requested field, of several the first one; empty if the bank sends a sentence instead. */
      readonly field: string;
      /** The names of all requested fields: usually one, `field`. */
      readonly fields: readonly string[];
      /** 1 for the login's first interaction. */
      readonly number: number;
      /** How many answers to this field were sent in a row before the bank asked again: they may not have been accepted. */
      readonly answersSent: number;
      /** When the time to answer ends, in milliseconds since the epoch. */
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
      /** The person has to choose a client. Without `clientSelection` the login fails with `client_selection_off` instead. */
      readonly type: "client.required";
      /** How many clients there are to choose from. */
      readonly clients: number;
      /** When the time to choose ends, in milliseconds since the epoch. */
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
      /** Whether this login can continue by closing the session in its way: `login.started` with `replacing_session`. */
      readonly replaceable: boolean;
    } & Pick<KnownFailure, "kind" | "httpStatus" | "request" | "wireStatus"> &
      EventBase<FailureCode> &
      EndBase)
  | ({
      /**
       * `cancelled`: it was cancelled. `stopped`: the login's actor was stopped before its end, because its screen was
       * closed, another bank was chosen, the login was paused to continue elsewhere, or a handler threw.
       */
      readonly type: "login.cancelled";
    } & EventBase<Extract<OutcomeCode, "cancelled"> | "stopped"> &
      EndBase);
