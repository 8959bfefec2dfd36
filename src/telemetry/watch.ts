import type { SnapshotFrom } from "xstate";
import type { loginMachine } from "../../machines/login.ts";
import type { Failure } from "../api/failures.ts";
import { type LoginState, readState } from "../login/state.ts";
import type { LifecycleEvent } from "./event.ts";
import { toldFailure } from "./failure.ts";
import { afterCrash, type Inspect, type Inspected, isLogin } from "./statechart.ts";
import { shownStep } from "./step.ts";

type Snapshot = SnapshotFrom<typeof loginMachine>;

/** One login, from its start to its end. */
interface Attempt {
  readonly id: string;
  readonly startedAt: number;
  readonly provider: string;
  /** The state that was told last. */
  state: LoginState;
  interactions: number;
  /** It has failed, but can go on by closing the session in its way. */
  hasFailed: boolean;
}

/** What is told of the logins. */
export interface Watcher {
  tell(event: LifecycleEvent, actor: Inspected): void;
  /** The login is over for good, or another one takes its place in the actor. Follows its ending. */
  leave?(actor: Inspected): void;
  /** Milliseconds from any origin. */
  now(): number;
}

/** Recognises the logins in what an actor system tells of itself. Holds on to none of them. */
export function watchLogins({ tell, leave, now }: Watcher): Inspect {
  const attempts = new WeakMap<Inspected, Attempt>();

  const told = ({ id, provider, startedAt }: Attempt, state: LoginState) => ({
    id,
    provider,
    step: shownStep[state],
    duration: now() - startedAt,
  });
  const over = (actor: Inspected) => {
    attempts.delete(actor);
    leave?.(actor);
  };

  const begin = (actor: Inspected, state: LoginState, provider: string, isRestored: boolean): Attempt => {
    const left = attempts.get(actor);
    const code = state === "replacingSession" ? "replacing_session" : "resumed";
    if (left && code !== "replacing_session") over(actor);
    const attempt = attempts.get(actor) ?? {
      id: newId(),
      startedAt: now(),
      provider,
      state,
      interactions: 0,
      hasFailed: false,
    };
    attempt.hasFailed = false;
    attempts.set(actor, attempt);
    const isNew = state === "submitting" && !isRestored;
    tell({ type: "login.started", code: isNew ? "started" : code, ...told(attempt, state) }, actor);
    return attempt;
  };

  const cancelled = (actor: Inspected, attempt: Attempt, code: "cancelled" | "stopped") => {
    const { interactions, hasFailed } = attempt;
    // The last state, not the one that a cancel leads to: that is always the same.
    if (!hasFailed) tell({ type: "login.cancelled", code, ...told(attempt, attempt.state), interactions }, actor);
    over(actor);
  };

  const fail = (actor: Inspected, attempt: Attempt, failure: Failure, replaceable: boolean) => {
    attempt.hasFailed = true;
    const { interactions } = attempt;
    const happened = { ...told(attempt, "failed"), ...toldFailure(failure), interactions, replaceable };
    tell({ type: "login.failed", ...happened }, actor);
    if (!replaceable) over(actor);
  };

  const reach = (actor: Inspected, snapshot: Snapshot, isRestored = false) => {
    const { provider, interaction, clients, expiresAt, failure } = snapshot.context;
    const known = attempts.get(actor);
    if (snapshot.status === "stopped") return known && cancelled(actor, known, "stopped");
    const state = readState(snapshot);
    if (state === "idle") return known && cancelled(actor, known, "cancelled");
    if (state === known?.state) return;
    const isEnd = state === "failed" || state === "loggedIn" || state === "selectClient.resting";
    // What was over before anybody watched has no events.
    if (isEnd && !known) return;
    const attempt = !known || known.hasFailed ? begin(actor, state, provider, isRestored) : known;
    attempt.state = state;
    const expiry = expiresAt === undefined ? {} : { expiresAt };
    if (state === "awaitingInteraction" && interaction) {
      // A snapshot that an earlier version has stored does not say how many.
      const { number, answersSent = 0 } = interaction;
      // A sentence of the bank's in its place could name anything.
      const field = /^[\w.-]{1,64}$/.test(interaction.field) ? interaction.field : "";
      attempt.interactions = number;
      const code = "interaction_required";
      tell(
        { type: "interaction.required", code, ...told(attempt, state), field, number, answersSent, ...expiry },
        actor,
      );
    } else if (state === "selectClient.choosing") {
      const code = "select_client";
      tell({ type: "client.required", code, ...told(attempt, state), clients: clients.length, ...expiry }, actor);
    } else if (state === "failed" && failure) {
      fail(actor, attempt, failure, snapshot.can({ type: "session.replace" }));
    } else if (isEnd) {
      const code = state === "loggedIn" ? "logged_in" : "select_client";
      const { interactions } = attempt;
      tell({ type: "login.finished", code, ...told(attempt, state), interactions }, actor);
      over(actor);
    }
  };

  return (inspected) => {
    const actor = inspected.actorRef;
    if (!isLogin(actor)) return;
    if (inspected.type === "@xstate.microstep") reach(actor, inspected.snapshot as Snapshot);
    else if (inspected.type !== "@xstate.event") return;
    else if (inspected.event.type === "xstate.init") reach(actor, actor.getSnapshot(), true);
    else
      afterCrash(actor, () => {
        const attempt = attempts.get(actor);
        if (!attempt) return;
        if (attempt.hasFailed) over(actor);
        else fail(actor, attempt, { kind: "fault", code: "unexpected_fault" }, false);
      });
  };
}

// Not `randomUUID`: browsers have it on secure origins only.
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
