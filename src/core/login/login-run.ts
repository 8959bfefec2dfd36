import { createActor, waitFor } from "xstate";
import type { LoginEvent, loginMachine } from "../../../machines/login.ts";
import type { LoginSettings } from "../../../machines/login.types.ts";
import type { BankClient } from "../api/client.ts";
import { BankError, createHandlerError } from "../api/errors.ts";
import { LONGEST_TIMER } from "../api/input-checks.ts";
import { guardInspection } from "./create-login-machine.ts";
import { findHandler, handlerNames, type LoginHandlers, toEvent } from "./handlers.ts";
import { type LoginSnapshot, readState, readStep } from "./login-state.ts";
import { createOpenOutcome, type LoginOutcome, type OpenOutcome, toOutcome } from "./outcome.ts";
import type { LoginActor } from "./pause.ts";

/** Milliseconds before a confirmation that came too early can be repeated: a program that confirms at once must not flood the bank. */
export const CONFIRMATION_PAUSE = 3_000;

const REPLACE: LoginEvent = { type: "session.replace" };

/** Whether no request runs. A step whose time has run out is about to expire: its timer can be late. */
function isSettled(snapshot: LoginSnapshot): boolean {
  const { expiresAt = Number.POSITIVE_INFINITY } = snapshot.context;
  if (snapshot.status !== "active") return true;
  return snapshot.hasTag("open") ? Date.now() < expiresAt : !snapshot.hasTag("busy");
}

/** The actor of a run, and what has broken it. */
interface WatchedActor {
  readonly actor: LoginActor;
  /** Rejects as soon as a handler has thrown, or the statechart itself has broken. The actor is stopped then. */
  readonly broken: Promise<never>;
  readonly isBroken: () => boolean;
  /** Breaks the run. Only the first error counts. @param field the handler that threw. */
  readonly breakOff: (field: string, error: unknown) => void;
  /** What the last request has thrown: the statechart has it as plain data, without its cause. */
  readonly findThrown: () => unknown;
}

/** Creates the actor of a run, which reports to the handlers that observe. */
function createWatchedActor(
  machine: typeof loginMachine,
  settings: LoginSettings,
  { inspect, onTransition }: LoginHandlers,
): WatchedActor {
  let isBroken = false;
  let reject = (_fault: BankError): void => {};
  const broken = new Promise<never>((_, rejectWith) => {
    reject = rejectWith;
  });
  const breakOff = (field: string, error: unknown): void => {
    isBroken = true;
    reject(error instanceof BankError ? error : createHandlerError(field, error));
  };
  const actor = createActor(machine, {
    input: settings,
    ...(inspect && { inspect: guardInspection(inspect, (error) => breakOff("inspect", error)) }),
  });
  broken.catch(() => actor.stop());

  let last: { readonly step: string; readonly children: LoginSnapshot["children"] } | undefined;
  let thrown: unknown;
  actor.subscribe({
    next: (snapshot) => {
      const before = last;
      last = { step: readStep(snapshot), children: snapshot.children };
      // An event without effect emits the same step again.
      if (isBroken || before?.step === last.step) return;
      thrown = Object.values(before?.children ?? {})[0]?.getSnapshot().error;
      try {
        onTransition?.(readState(snapshot));
      } catch (error) {
        breakOff("onTransition", error);
      }
    },
    // The statechart itself broke, such as by an actor of the user's own: nothing may hang.
    error: () => breakOff("", new BankError("unexpected_fault")),
  });
  return { actor, broken, isBroken: () => isBroken, breakOff, findThrown: () => thrown };
}

/** Resolves as soon as the login has left a step, is stopped, or a time has passed. */
const leave = (actor: LoginActor, step: string, options: { readonly timeout?: number } = {}): Promise<unknown> =>
  waitFor(actor, (later) => readStep(later) !== step, options).catch(() => undefined);

/** Gives an open step to its handler, and sends what it answers. Resolves to whether the step is left open. */
async function ask(
  { actor, broken, breakOff }: WatchedActor,
  handlers: LoginHandlers,
  outcome: OpenOutcome,
  step: string,
): Promise<boolean> {
  const handler = findHandler(handlers, outcome);
  if (!handler) return true;
  const asking = new AbortController();
  const abort = (): void => asking.abort();
  broken.catch(abort);
  const left = new Promise<void>((resolve) => asking.signal.addEventListener("abort", () => resolve()));
  // Its answer is of no use any more.
  const subscription = actor.subscribe((later) => {
    if (readStep(later) !== step) abort();
  });
  try {
    const answer = await Promise.race([left, handler(asking.signal)]);
    subscription.unsubscribe();
    if (answer === outcome) return true;
    // A handler can have paused it, and not returned its outcome.
    const { status, context } = actor.getSnapshot();
    if (!asking.signal.aborted && status === "active") actor.send(toEvent(outcome, answer, context));
  } catch (error) {
    if (!asking.signal.aborted) breakOff(handlerNames[outcome.state], error);
  }
  return false;
}

/**
 * Runs one login: starts its statechart, waits with `waitFor` until no request runs, and gives what is open to its handler, or returns it. `login()` and
 * `resume()` use it.
 *
 * @throws {BankError} what broke; or what a handler threw.
 */
export async function runLogin(
  service: Pick<BankClient, "baseUrl">,
  machine: typeof loginMachine,
  settings: LoginSettings,
  handlers: LoginHandlers,
  event: Extract<LoginEvent, { type: "credentials.submit" | "login.resume" }>,
): Promise<LoginOutcome> {
  const { id, provider } = event.type === "login.resume" ? event.paused : event.credentials;
  const cancelled = { state: "cancelled", id, provider } as const;
  const { signal } = handlers;
  if (signal?.aborted) return cancelled;
  const run = createWatchedActor(machine, settings, handlers);
  const { actor, broken } = run;

  /** Resolves to the outcome as soon as no request runs, and no handler answers. */
  const settle = async (): Promise<LoginOutcome> => {
    const snapshot = await waitFor(actor, isSettled).catch(() => actor.getSnapshot());
    const state = readState(snapshot);
    const step = readStep(snapshot);
    if (snapshot.can(REPLACE)) {
      actor.send(REPLACE);
      return settle();
    }
    if (state.state === "idle" || state.state === "failed" || state.state === "loggedIn") {
      actor.stop();
      const { failure } = snapshot.context;
      return toOutcome(cancelled, state, { failure, thrown: run.findThrown(), baseUrl: service.baseUrl });
    }
    // Stopped, by a pause or by the program that has the actor.
    if (snapshot.status !== "active" || state.state === "submitting") return cancelled;
    if (isConfirmedTooEarly(snapshot)) await leave(actor, step, { timeout: CONFIRMATION_PAUSE });
    if (actor.getSnapshot() !== snapshot) return settle();
    // The login can continue, or end, while no caller awaits it.
    const following = leave(actor, step).then(settle);
    following.catch(() => {});
    const next = (event?: LoginEvent): Promise<LoginOutcome> => {
      if (event) actor.send(event);
      return keepAwake(Promise.race([broken, following]));
    };
    const outcome = createOpenOutcome({ service, actor, next }, state, handlers.detail);
    return (await ask(run, handlers, outcome, step)) ? outcome : following;
  };

  if (signal) {
    const cancel = (): void => actor.send({ type: "login.cancel" });
    signal.addEventListener("abort", cancel);
    actor.subscribe({ complete: () => signal.removeEventListener("abort", cancel) });
  }
  actor.start();
  // A handler may have thrown, or aborted, at the first state.
  if (!run.isBroken() && !signal?.aborted) actor.send(event);
  return keepAwake(Promise.race([broken, settle()]));
}

/** The statechart's own timer keeps no process alive. A login that is awaited must. */
async function keepAwake(outcome: Promise<LoginOutcome>): Promise<LoginOutcome> {
  const timer = setTimeout(() => {}, LONGEST_TIMER);
  try {
    return await outcome;
  } finally {
    clearTimeout(timer);
  }
}

/** Whether the person has confirmed, and the bank asks for the same again: it was too early. */
function isConfirmedTooEarly(snapshot: LoginSnapshot): boolean {
  const { interaction, answerKind } = snapshot.context;
  const isConfirmed = answerKind === "confirmation" || answerKind === "approval";
  return isConfirmed && interaction?.isRepeat === true && snapshot.matches("awaitingInteraction");
}
