import { type AnyActorRef, createActor } from "xstate";
import type { LoginEvent, loginMachine } from "../../../machines/login.ts";
import type { LoginSettings } from "../../../machines/login.types.ts";
import type { BankClient } from "../api/client.ts";
import { BankError, createHandlerError } from "../api/errors.ts";
import { LONGEST_TIMER } from "../api/input-checks.ts";
import { type AnswerTexts, hasAnswer, toAnswer } from "./credentials.ts";
import { guardInspection } from "./guarded-inspection.ts";
import type { LoginHandlers } from "./handlers.ts";
import { interactionKind } from "./interaction-kind.ts";
import { type LoginSnapshot, type LoginState, readState } from "./login-state.ts";
import {
  InteractionRequiredOutcome,
  type LoginOutcome,
  type OpenOutcome,
  type OutcomeRunner,
  SelectClientOutcome,
  toOutcome,
} from "./outcome.ts";
import type { LoginActor } from "./pause.ts";

const CANCEL: LoginEvent = { type: "login.cancel" };
const REPLACE: LoginEvent = { type: "session.replace" };

/** No answer, or an empty one, cancels. */
function toEvent(outcome: OpenOutcome, answer: AnswerTexts | undefined | null): LoginEvent {
  if (!hasAnswer(answer)) return CANCEL;
  if (outcome.status === "select_client") return { type: "client.choose", client: answer as string };
  return { type: "interaction.answer", answer: toAnswer(outcome.interaction, answer) };
}

/** Resolves once a signal is aborted. */
const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));

/**
 * The statechart's own timer keeps no process alive. An awaited login must: its outcome comes when the time has run out. The longest
 * timer: one of the same length could end a millisecond before the statechart's.
 */
async function keepingAlive<Value>(wait: Promise<Value>): Promise<Value> {
  const timer = setTimeout(() => {}, LONGEST_TIMER);
  try {
    return await wait;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Runs one login: waits until the statechart has no request running, calls the handler, if there is one, and returns the outcome.
 * `login()`, `resume()`, the command line and durable logins all use it.
 */
export class LoginRun implements OutcomeRunner {
  readonly service: Pick<BankClient, "baseUrl">;
  readonly actor: LoginActor;
  readonly #handlers: LoginHandlers;
  readonly #cancel = () => this.actor.send(CANCEL);
  readonly #cancelElsewhere: (() => Promise<unknown>) | undefined;
  #login = { id: "", provider: "" };
  #state: LoginState | undefined;
  /** Aborted as soon as the login leaves its state, or a handler throws. */
  #step = new AbortController();
  /** The outcome that callers await. */
  #next: Promise<LoginOutcome> | undefined;
  /** The actor of the state: a request, or the wait for an answer. */
  #invoked: AnyActorRef | undefined;
  /** What the last request threw: the statechart has it as plain data, without its cause. */
  #thrown: unknown;
  /** What a handler threw. The login has ended then. */
  #fault: BankError | undefined;

  /** @param cancelElsewhere cancels a login that runs in another process. Awaited before the outcome is `cancelled`, or rejects. */
  constructor(
    service: Pick<BankClient, "baseUrl">,
    machine: typeof loginMachine,
    settings: LoginSettings,
    handlers: LoginHandlers,
    cancelElsewhere?: () => Promise<unknown>,
  ) {
    this.service = service;
    this.#handlers = handlers;
    this.#cancelElsewhere = cancelElsewhere;
    const inspect = handlers.inspect && guardInspection(handlers.inspect, (error) => this.#breakOff("inspect", error));
    this.actor = createActor(machine, { input: settings, ...(inspect && { inspect }) });
    this.actor.subscribe({
      next: this.#enter,
      // The statechart itself broke, such as by an actor of the user's own: nothing may hang.
      error: () => this.#breakOff("", new BankError("unexpected_fault")),
      complete: () => handlers.signal?.removeEventListener("abort", this.#cancel),
    });
  }

  begin(event: Extract<LoginEvent, { type: "credentials.submit" | "login.resume" }>): Promise<LoginOutcome> {
    const { id, provider } = event.type === "login.resume" ? event.paused : event.credentials;
    this.#login = { id, provider };
    const { signal } = this.#handlers;
    if (signal?.aborted) return Promise.resolve({ status: "cancelled", ...this.#login });
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
    // The statechart finishes its step first: an inspector can throw in the middle of it.
    await undefined;
    try {
      for (;;) {
        const { signal } = this.#step;
        const snapshot = this.actor.getSnapshot();
        const { expiresAt = Number.POSITIVE_INFINITY } = snapshot.context;
        if (this.#fault) return await this.#fail(this.#fault);
        if (snapshot.hasTag("busy")) await aborted(signal);
        else if (snapshot.can(REPLACE)) this.actor.send(REPLACE);
        else if (!snapshot.hasTag("open")) return await this.#end(snapshot);
        else if (snapshot.status === "stopped") return { status: "cancelled", ...this.#login };
        // A login that is resumed after its time, or whose timer is late, expires next.
        else if (expiresAt <= Date.now()) await keepingAlive(aborted(signal));
        else {
          const outcome = await this.#ask(this.#createOutcome(snapshot), signal);
          // The login can have been cancelled while the handler returned.
          if (!outcome || signal.aborted) continue;
          // It can go on, or end by itself, while no caller awaits it.
          signal.addEventListener("abort", () => this.next().catch(() => undefined));
          return outcome;
        }
      }
    } finally {
      this.#next = undefined;
    }
  }

  /** The outcome of an open step. */
  #createOutcome(snapshot: LoginSnapshot): OpenOutcome {
    const { key, interaction, clients, provider, settings } = snapshot.context;
    if (!interaction || readState(snapshot) !== "awaitingInteraction") {
      return new SelectClientOutcome(this, { key, clients });
    }
    const { detail } = this.#handlers;
    const kind = interactionKind(interaction, { detail, provider, interactionKinds: settings.interactionKinds });
    return new InteractionRequiredOutcome(this, { ...interaction, ...kind });
  }

  /**
   * Calls the handler of an open step and sends its answer, unless the login has left the step by then. Resolves to the outcome if the
   * step is left open.
   */
  async #ask(outcome: OpenOutcome, left: AbortSignal): Promise<OpenOutcome | undefined> {
    const { onInteraction, onSelectClient } = this.#handlers;
    const handler =
      outcome.status === "select_client"
        ? onSelectClient && ((signal: AbortSignal) => onSelectClient(outcome.clients, { outcome, signal }))
        : onInteraction && ((signal: AbortSignal) => onInteraction(outcome.interaction, { outcome, signal }));
    if (!handler) return outcome;
    const controller = new AbortController();
    const abort = () => controller.abort();
    left.addEventListener("abort", abort);
    const expires = this.actor.getSnapshot().context.expiresAt !== undefined;
    try {
      const answering = Promise.race([aborted(left), handler(controller.signal)]);
      const answer = await (expires ? keepingAlive(answering) : answering);
      if (left.aborted) return undefined;
      if (answer === outcome) return outcome;
      // A handler can have paused it, and not returned its outcome.
      if (this.actor.getSnapshot().status === "stopped") return undefined;
      const event = toEvent(outcome, answer as AnswerTexts | undefined | null);
      // Its answer is used.
      left.removeEventListener("abort", abort);
      this.actor.send(event);
    } catch (error) {
      if (!left.aborted) this.#breakOff(outcome.status === "select_client" ? "onSelectClient" : "onInteraction", error);
    }
    return undefined;
  }

  async #end(snapshot: LoginSnapshot): Promise<LoginOutcome> {
    const { key, failure } = snapshot.context;
    const state = readState(snapshot);
    this.actor.stop();
    if (state === "idle") await this.#cancelElsewhere?.();
    return toOutcome(this.#login, { state, key, failure }, this.#thrown);
  }

  async #fail(fault: BankError): Promise<never> {
    this.actor.stop();
    // The thrown error counts even if the other process can't be reached: there the login expires.
    await this.#cancelElsewhere?.().catch(() => undefined);
    throw fault;
  }

  readonly #enter = (snapshot: LoginSnapshot): void => {
    const state = readState(snapshot);
    // An event without effect emits the same state again.
    if (state === this.#state || this.#fault) return;
    this.#state = state;
    this.#thrown = this.#invoked?.getSnapshot().error;
    this.#invoked = Object.values(snapshot.children)[0];
    const left = this.#step;
    this.#step = new AbortController();
    try {
      this.#handlers.onTransition?.(state);
    } catch (error) {
      this.#breakOff("onTransition", error);
    }
    left.abort();
  };

  #breakOff(field: string, error: unknown): void {
    this.#fault ??= error instanceof BankError ? error : createHandlerError(field, error);
    this.#step.abort();
  }
}
