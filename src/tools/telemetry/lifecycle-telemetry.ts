import type { SnapshotFrom } from "xstate";
import type { loginMachine } from "../../../machines/login.ts";
import { parseOptions } from "../../core/api/input-checks.ts";
import { type LoginRequest, type LoginState, readState } from "../../core/login/login-state.ts";
import { redactFailure, redactName } from "../trace/allowlist.ts";
import { afterCrash, type Inspect, type InspectedActor, isLogin } from "../trace/traced-actors.ts";
import type { LifecycleEvent } from "./lifecycle-event.ts";
import { catchErrors, type TelemetryOptions, telemetryOptions } from "./listeners.ts";
import { readStored } from "./stored-login.ts";

type Snapshot = SnapshotFrom<typeof loginMachine>;

interface Place {
  readonly state: LoginState["state"];
  readonly request?: LoginRequest | undefined;
}

/** One login, from its start to its end. */
interface Attempt {
  readonly id: string;
  readonly startedAt: number;
  readonly provider: string;
  /** Its state at the last event. */
  place: Place;
  interactions: number;
  /** When the person was asked last. Another process may have asked. */
  askedAt?: number;
  /** It has failed, but can continue by closing the session in its way. */
  hasFailed: boolean;
}

export interface LifecycleListener {
  emit(event: LifecycleEvent, actor: InspectedActor): void;
  /** Follows the last event of a login: it is over, or another one begins in its actor. */
  close?(actor: InspectedActor): void;
}

/**
 * Reports what happens to logins, wherever they run: the returned function is the `inspect` of `login()`, `resume()`,
 * `createActor`, the adapters and the command line. One function can watch any number of logins at once, and those within
 * link flows. Not part of the contract.
 *
 * @param listener called synchronously, in the order of the events. What it throws does not reach the login: see `onError`.
 * @example
 * await login(client, credentials, { inspect: lifecycleTelemetry(({ type, provider, code }) => count(type, provider, code)) });
 */
export function lifecycleTelemetry(listener: (event: LifecycleEvent) => void, options: TelemetryOptions = {}): Inspect {
  const { onError } = parseOptions(options, telemetryOptions);
  const name = "lifecycleTelemetry";
  return catchErrors(name, watchLogins({ emit: catchErrors(name, listener, onError) }), onError);
}

/**
 * Finds the logins in the inspection events of an actor system. An event refers to earlier ones only by its actor, so the actor is the key of what is known of a login.
 * The maps of this folder are weak: a login that is never finished can be garbage-collected.
 */
export function watchLogins({ emit, close }: LifecycleListener): Inspect {
  const attempts = new WeakMap<InspectedActor, Attempt>();

  const describe = ({ id, provider, startedAt, place: { state } }: Attempt) => ({
    id,
    provider,
    state,
    duration: performance.now() - startedAt,
  });
  const find = (actor: InspectedActor): Attempt | undefined => {
    const { id, past } = readStored(actor).storedLogin ?? {};
    if (attempts.has(actor) || !id || !past) return attempts.get(actor);
    const { duration, state, ...rest } = past;
    const attempt = { id, startedAt: performance.now() - duration, ...rest, place: { state }, hasFailed: false };
    attempts.set(actor, attempt);
    return attempt;
  };
  const forget = (actor: InspectedActor) => {
    attempts.delete(actor);
    close?.(actor);
  };

  const start = (actor: InspectedActor, snapshot: Snapshot, isRestored: boolean): Attempt => {
    const place = readPlace(snapshot);
    const { id, provider } = snapshot.context;
    const code = place.request === "closeSession" ? "replacing_session" : "resumed";
    if (attempts.has(actor) && code !== "replacing_session") forget(actor);
    const attempt = attempts.get(actor) ?? {
      id,
      startedAt: performance.now(),
      provider,
      place,
      interactions: 0,
      hasFailed: false,
    };
    Object.assign(attempt, { hasFailed: false, place });
    attempts.set(actor, attempt);
    const isNew = place.state === "submitting" && code !== "replacing_session" && !isRestored;
    emit({ type: "login.started", code: isNew ? "started" : code, ...describe(attempt) }, actor);
    return attempt;
  };

  const cancel = (actor: InspectedActor, attempt: Attempt, code: "cancelled" | "stopped") => {
    const { interactions, hasFailed } = attempt;
    // With the state before the cancel.
    if (!hasFailed) emit({ type: "login.cancelled", code, ...describe(attempt), interactions }, actor);
    forget(actor);
  };

  const fail = (actor: InspectedActor, attempt: Attempt, failure: unknown, replaceable: boolean) => {
    attempt.hasFailed = true;
    const { interactions } = attempt;
    const { field, retryAfter, refusedAt, ...reported } = redactFailure(failure);
    emit({ type: "login.failed", ...describe(attempt), ...reported, interactions, replaceable }, actor);
    if (!replaceable) forget(actor);
  };

  const reach = (actor: InspectedActor, snapshot: Snapshot, isRestored = false) => {
    const { interaction, clients, expiresAt } = snapshot.context;
    const known = find(actor);
    if (snapshot.status === "stopped") return known && cancel(actor, known, "stopped");
    const place = readPlace(snapshot);
    if (place.state === "idle") return known && cancel(actor, known, "cancelled");
    if (place.state === known?.place.state && place.request === known.place.request) return;
    const isEnd = snapshot.hasTag("over");
    // A login that ended before it was inspected has no events.
    if (isEnd && !known) return;
    const attempt = !known || known.hasFailed ? start(actor, snapshot, isRestored) : known;
    const { place: before } = attempt;
    attempt.place = place;
    const expiry = expiresAt === undefined ? {} : { expiresAt };
    const wait = () => (attempt.askedAt === undefined ? {} : { wait: performance.now() - attempt.askedAt });
    switch (place.state) {
      case "awaitingInteraction": {
        if (!interaction) return;
        // A snapshot of an earlier version has no number of answers, and one field.
        const { number, answersSent = 0, fields: names = [interaction.field] } = interaction;
        // A bank may send a sentence instead of the name, which could contain anything.
        const fields = names.map((name) => redactName(name) ?? "");
        const [field = ""] = fields;
        attempt.interactions = number;
        attempt.askedAt = performance.now();
        const code = "interaction_required";
        const required = { ...describe(attempt), field, fields, number, answersSent, ...expiry };
        emit({ type: "interaction.required", code, ...required }, actor);
        return;
      }
      case "selectClient": {
        const code = "select_client";
        attempt.askedAt = performance.now();
        emit({ type: "client.required", code, ...describe(attempt), clients: clients.length, ...expiry }, actor);
        return;
      }
      case "failed": {
        const state = readState(snapshot);
        const failure = state.state === "failed" ? state.failure : undefined;
        fail(actor, attempt, failure, snapshot.can({ type: "session.replace" }));
        return;
      }
      case "loggedIn": {
        const { interactions } = attempt;
        emit({ type: "login.finished", code: "logged_in", ...describe(attempt), interactions }, actor);
        forget(actor);
        return;
      }
      case "submitting": {
        if (place.request === "selectClient")
          return emit({ type: "client.chosen", code: "chosen", ...describe(attempt), ...wait() }, actor);
        if (before.state !== "awaitingInteraction") return;
        const { interactions: number } = attempt;
        emit({ type: "interaction.answered", code: "answered", ...describe(attempt), number, ...wait() }, actor);
        return;
      }
      default:
        place.state satisfies never;
    }
  };

  const crash = (actor: InspectedActor) => {
    const attempt = attempts.get(actor);
    if (!attempt) return;
    if (attempt.hasFailed) return forget(actor);
    attempt.place = { state: "failed" };
    fail(actor, attempt, undefined, false);
  };

  return (inspected) => {
    const actor = inspected.actorRef;
    if (!isLogin(actor)) return;
    if (inspected.type === "@xstate.microstep") reach(actor, inspected.snapshot as Snapshot);
    else if (inspected.type !== "@xstate.event") return;
    else if (inspected.event.type === "xstate.init") reach(actor, actor.getSnapshot(), true);
    else afterCrash(actor, () => crash(actor));
  };
}

/** Where a snapshot is, without its data. */
function readPlace(snapshot: Snapshot): Place {
  const state = readState(snapshot);
  return { state: state.state, request: state.state === "submitting" ? state.request : undefined };
}
