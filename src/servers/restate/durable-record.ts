import { initialTransition, type SnapshotFrom, transition } from "xstate";
import type { LoginContext, LoginEvent, loginMachine } from "../../../machines/login.ts";
import type { Interaction, LoginSettings } from "../../../machines/login.types.ts";
import { describeThrown } from "../../core/api/errors.ts";
import type { Failure } from "../../core/api/failures.ts";
import { isPicture, NO_PICTURE } from "../../core/api/picture.ts";
import { withoutPicture } from "../../core/login/interaction-kind.ts";
import { hasTag, type LoginSnapshot } from "../../core/login/login-state.ts";
import type { DurableActors, Sealed } from "./durable-actors.ts";
import type { NamedCredentials, SealedAnswer, SealedCredentials } from "./durable-seals.ts";

/** A login as Restate stores it: plain data, every secret in it sealed. */
export interface DurableRecord {
  /** The state's name, as the statechart writes it. */
  readonly value: SnapshotFrom<typeof loginMachine>["value"];
  /** Without the picture of an interaction: see `Step.picture`. */
  readonly context: Sealed<LoginContext>;
  readonly provider: string;
  /** When the credentials can't be opened any more: until then the login's id must stay known. */
  readonly expiresAt: number;
  /** When the first step was taken, in milliseconds since the epoch; `undefined` before it. */
  readonly startedAt: number | undefined;
  /** The number of steps so far. A late result has a lower one. */
  readonly step: number;
  /** The running actor; the statechart never has two at once. */
  readonly running: Running | undefined;
}

/** A running actor slot, in its own invocation. */
export interface Running {
  readonly step: number;
  readonly invocation: string;
}

/** An actor slot that the statechart begins. */
export interface InvokedActor {
  readonly id: string;
  readonly src: keyof DurableActors;
  readonly input: unknown;
}

/** An event of a login, with every secret sealed, or the result of an actor. */
export type DurableEvent =
  | { type: "credentials.submit"; credentials: NamedCredentials }
  | { type: "interaction.answer"; answer: SealedAnswer; isConfirmation?: boolean; isListed?: boolean }
  // The record itself replaces a session and continues what was paused.
  | Exclude<LoginEvent, { type: "credentials.submit" | "interaction.answer" | "session.replace" | "login.resume" }>
  | { type: `xstate.done.actor.${string}`; output: unknown; actorId: string }
  | { type: `xstate.error.actor.${string}`; error: unknown; actorId: string };

export interface Step extends Pick<DurableRecord, "value" | "context"> {
  /** Whether the event had any effect. */
  readonly changed: boolean;
  /** The states that it led to, one after another. */
  readonly snapshots: readonly LoginSnapshot[];
  /** Whether the running actor has to be stopped. */
  readonly stopped: boolean;
  readonly begun: InvokedActor | undefined;
  /** The picture of the open interaction. Stored beside the record, so that no later step reads or writes it. */
  readonly picture: string | undefined;
}

/** The statechart for sealed values, which are not secret texts: it treats them as secrets. */
export const toSealedMachine = (machine: typeof loginMachine): typeof loginMachine =>
  machine.provide({ guards: { isPlain: () => false } });

export function createRecord(
  machine: typeof loginMachine,
  settings: LoginSettings,
  { provider, expiresAt }: SealedCredentials,
): DurableRecord {
  const [{ value, context }] = initialTransition(machine, settings);
  return {
    value,
    context: context as unknown as Sealed<LoginContext>,
    provider,
    expiresAt,
    startedAt: undefined,
    step: 0,
    running: undefined,
  };
}

/**
 * Applies an event to the statechart, without running anything: Restate runs the effects. Sealed values are in place of the
 * secrets that the statechart expects; it reads neither.
 */
export function transitionRecord(machine: typeof loginMachine, record: DurableRecord, event: DurableEvent): Step {
  try {
    return takeStep(machine, record, event);
  } catch (error) {
    // Restate would repeat a thrown error without end. The statechart was changed without a new version: see login-id.ts.
    const failure: Failure = { kind: "fault", code: "unexpected_fault", detail: describeThrown(error) };
    const context = { ...record.context, credentials: undefined, answer: undefined, key: undefined, failure };
    const snapshot = machine.resolveState({ value: "failed", context: context as unknown as LoginContext });
    return { ...WITHOUT_EFFECT, value: "failed", context, changed: true, snapshots: [snapshot], stopped: true };
  }
}

const WITHOUT_EFFECT = { changed: false, snapshots: [], stopped: false, begun: undefined, picture: undefined };

function takeStep(machine: typeof loginMachine, { value, context }: DurableRecord, event: DurableEvent): Step {
  const snapshot = machine.resolveState({ value, context: context as unknown as LoginContext });
  const known = event as unknown as LoginEvent;
  if (!snapshot.can(known)) return { ...WITHOUT_EFFECT, value, context };
  const [next, actions] = transition(machine, snapshot, known);
  const replace: LoginEvent = { type: "session.replace" };
  const [last, more] = next.can(replace) ? transition(machine, next, replace) : [next, []];
  // The types omit the effects that the statechart adds itself: begin an actor, stop one.
  const effects: readonly { readonly type: string; readonly params?: unknown }[] = [...actions, ...more];
  // No worker waits for the bank's app: the person confirms.
  const isBegun = (params: unknown): params is InvokedActor =>
    (params as { readonly src: string }).src !== "awaitApproval";
  const spawned = effects
    .filter(({ type }) => type === "xstate.spawnChild")
    .map(({ params }) => params)
    .findLast(isBegun);
  const sealed = last.context as unknown as Sealed<LoginContext>;
  const shown = last.matches("awaitingInteraction") ? sealed.interaction?.context : undefined;
  return {
    value: last.value,
    // Typed values are kept only for their request.
    context: { ...omitPicture(sealed), answersInVain: undefined },
    changed: true,
    snapshots: last === next ? [next] : [next, last],
    stopped: effects.some(({ type }) => type === "xstate.stopChild"),
    begun: spawned && { id: spawned.id, src: spawned.src, input: omitPicture(spawned.input as object) },
    picture: shown !== undefined && isPicture(shown) ? shown : undefined,
  };
}

function omitPicture<Holder extends { readonly interaction?: Interaction | undefined }>(holder: Holder): Holder {
  return holder.interaction ? { ...holder, interaction: withoutPicture(holder.interaction) } : holder;
}

/** Whether the login shows a picture, which is kept beside the record. */
export function hasPicture(record: Pick<DurableRecord, "value" | "context">): boolean {
  return record.value === "awaitingInteraction" && record.context.interaction?.context === NO_PICTURE;
}

export function isOver(record: Pick<DurableRecord, "value">): boolean {
  // A cancelled login is idle again: a durable login begins with its credentials.
  return hasTag(record, "over") || record.value === "idle";
}

/** Whether no request runs: the login waits for a person, or has ended. */
export function isSettled(record: Pick<DurableRecord, "value">): boolean {
  return isOver(record) || hasTag(record, "open");
}
