import { type AnyActorRef, createActor, waitFor } from "xstate";
import type { LoginEvent, loginMachine } from "../../../machines/login.ts";
import type { LoginSettings } from "../../../machines/login.types.ts";
import type { BankClient } from "../api/client.ts";
import { BankError, createHandlerError } from "../api/errors.ts";
import { LONGEST_TIMER } from "../api/input-checks.ts";
import { guardInspection } from "./guarded-inspection.ts";
import { findHandler, handlerNames, type LoginHandlers, toEvent } from "./handlers.ts";
import { type LoginSnapshot, type LoginStateOf, readState, readStep } from "./login-state.ts";
import { createOpenOutcome, type LoginOutcome, type OpenOutcome, type OutcomeRunner, toOutcome } from "./outcome.ts";
import type { LoginActor } from "./pause.ts";

const CANCEL: LoginEvent = { type: "login.cancel" };
const REPLACE: LoginEvent = { type: "session.replace" };

/** Milliseconds before a confirmation that came too early can be repeated: a program that confirms at once must not flood the bank. */
export const CONFIRMATION_PAUSE = 3_000;

/** Whether no request runs. A step whose time has run out is about to expire: its timer can be late. */
function isSettled(snapshot: LoginSnapshot): boolean {
  const { expiresAt = Number.POSITIVE_INFINITY } = snapshot.context;
  if (snapshot.status !== "active") return true;
  return snapshot.hasTag("open") ? Date.now() < expiresAt : !snapshot.hasTag("busy");
}

/**
 * Runs one login: waits until the statechart has no request running, calls the handler, if there is one, and returns the outcome.
 * `login()`, `resume()` and the command line all use it.
 */
export class LoginRun implements OutcomeRunner {
  readonly service: Pick<BankClient, "baseUrl">;
  readonly actor: LoginActor;
  readonly #handlers: LoginHandlers;
  readonly #cancel = () => this.actor.send(CANCEL);
  /** Why the login rejects: a handler threw, or the statechart broke. */
  #fault: BankError | undefined;
  /** Ends the wait for the statechart at a fault. React Native's signals have no `reason`. */
  readonly #broken = new AbortController();
  #login = { id: "", provider: "" };
  #reached = "";
  /** Aborts the handler that is called, as soon as its answer is of no use. */
  #asking: AbortController | undefined;
  /** The outcome that callers await. */
  #next: Promise<LoginOutcome> | undefined;
  /** The request or the wait of the state. */
  #invoked: AnyActorRef | undefined;
  /** What the last one threw: the statechart has it as plain data, without its cause. */
  #thrown: unknown;

  constructor(
    service: Pick<BankClient, "baseUrl">,
    machine: typeof loginMachine,
    settings: LoginSettings,
    handlers: LoginHandlers,
  ) {
    this.service = service;
    this.#handlers = handlers;
    const inspect = handlers.inspect && guardInspection(handlers.inspect, (error) => this.#breakOff("inspect", error));
    this.actor = createActor(machine, { input: settings, ...(inspect && { inspect }) });
    this.actor.subscribe({
      next: this.#observe,
      // The statechart itself broke, such as by an actor of the user's own: nothing may hang.
      error: () => this.#breakOff("", new BankError("unexpected_fault")),
      complete: () => handlers.signal?.removeEventListener("abort", this.#cancel),
    });
  }

  begin(event: Extract<LoginEvent, { type: "credentials.submit" | "login.resume" }>): Promise<LoginOutcome> {
    const { id, provider } = event.type === "login.resume" ? event.paused : event.credentials;
    this.#login = { id, provider };
    const { signal } = this.#handlers;
    if (signal?.aborted) return Promise.resolve({ state: "cancelled", ...this.#login });
    signal?.addEventListener("abort", this.#cancel);
    this.actor.start();
    // A handler may have thrown, or aborted, at the first state.
    return this.next(this.#fault || signal?.aborted ? undefined : event);
  }

  next(event?: LoginEvent): Promise<LoginOutcome> {
    if (event) this.actor.send(event);
    this.#next ??= this.#run();
    return this.#next;
  }

  async #run(): Promise<LoginOutcome> {
    // The statechart's own timer keeps no process alive. A login that is awaited must.
    const timer = setTimeout(() => {}, LONGEST_TIMER);
    try {
      for (;;) {
        // It rejects if the login breaks, or is stopped.
        await waitFor(this.actor, isSettled, { signal: this.#broken.signal }).catch(() => undefined);
        if (this.#fault) throw this.#fault;
        const snapshot = this.actor.getSnapshot();
        if (!isSettled(snapshot)) continue;
        const state = readState(snapshot);
        if (snapshot.can(REPLACE)) this.actor.send(REPLACE);
        else if (state.state === "idle" || state.state === "failed" || state.state === "loggedIn")
          return this.#end(state, snapshot);
        // Stopped, by a pause or by whoever has the actor.
        else if (snapshot.status !== "active" || state.state === "submitting")
          return { state: "cancelled", ...this.#login };
        else {
          await this.#pauseConfirmation(snapshot);
          if (this.actor.getSnapshot() !== snapshot) continue;
          const outcome = createOpenOutcome(this, state, this.#handlers.detail);
          if (!(await this.#isLeftOpen(outcome))) continue;
          // It can go on, or end by itself, while no caller awaits it.
          waitFor(this.actor, (later) => !later.hasTag("open"))
            .then(() => this.next())
            .catch(() => undefined);
          return outcome;
        }
      }
    } catch (error) {
      this.actor.stop();
      throw error;
    } finally {
      clearTimeout(timer);
      this.#next = undefined;
    }
  }

  /** Waits while the person has not confirmed yet, unless the login leaves the step. */
  async #pauseConfirmation(snapshot: LoginSnapshot): Promise<void> {
    const { interaction, answerKind } = snapshot.context;
    const isConfirmed = answerKind === "confirmation" || answerKind === "approval";
    if (!interaction?.isRepeat || !isConfirmed || !snapshot.matches("awaitingInteraction")) return;
    const step = readStep(snapshot);
    const left = (later: LoginSnapshot) => later.status !== "active" || readStep(later) !== step;
    // It rejects when the time has passed.
    await waitFor(this.actor, left, { timeout: CONFIRMATION_PAUSE, signal: this.#broken.signal }).catch(
      () => undefined,
    );
  }

  /** Calls the handler of an open step and sends its answer, unless the login has left the step by then. */
  async #isLeftOpen(outcome: OpenOutcome): Promise<boolean> {
    const handler = findHandler(this.#handlers, outcome);
    if (!handler) return true;
    const asking = new AbortController();
    const { signal } = asking;
    this.#asking = asking;
    try {
      const left = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      const answer = await Promise.race([left, handler(signal)]);
      if (signal.aborted) return false;
      // The login goes on by this answer, or without one: the signal has no more to say.
      this.#asking = undefined;
      if (answer === outcome) return true;
      // A handler can have paused it, and not returned its outcome.
      if (this.actor.getSnapshot().status === "active")
        this.actor.send(toEvent(outcome, answer, this.actor.getSnapshot().context));
    } catch (error) {
      if (!signal.aborted) this.#breakOff(handlerNames[outcome.state], error);
    }
    return false;
  }

  #end(state: LoginStateOf<"idle" | "failed" | "loggedIn">, { context: { failure } }: LoginSnapshot): LoginOutcome {
    this.actor.stop();
    return toOutcome(this.#login, state, { failure, thrown: this.#thrown, baseUrl: this.service.baseUrl });
  }

  readonly #observe = (snapshot: LoginSnapshot): void => {
    const [invoked] = Object.values(snapshot.children);
    if (invoked !== this.#invoked) this.#thrown = this.#invoked?.getSnapshot().error;
    // The last one is not kept: it has its input, with the credentials.
    this.#invoked = invoked;
    // An event without effect emits the same state again.
    const reached = JSON.stringify(snapshot.value);
    if (reached === this.#reached || this.#fault) return;
    this.#reached = reached;
    try {
      this.#handlers.onTransition?.(readState(snapshot));
    } catch (error) {
      this.#breakOff("onTransition", error);
    }
    this.#asking?.abort();
  };

  #breakOff(field: string, error: unknown): void {
    this.#fault ??= error instanceof BankError ? error : createHandlerError(field, error);
    this.#broken.abort();
    this.#asking?.abort();
  }
}
