import { createActor } from "xstate";
import type { LoginEvent, loginMachine } from "../../machines/login.ts";
import type { Credentials, LoginSettings } from "../../machines/login.types.ts";
import { BankError } from "../api/errors.ts";
import { collectFingerprints, createHandlerError } from "../api/handler-error.ts";
import type { StringOrSecret } from "../api/input-checks.ts";
import { findClient } from "./create-login-machine.ts";
import { hasText, toSecret } from "./credentials.ts";
import { guardInspection } from "./guarded-inspection.ts";
import { type HandlerAnswer, HandlerCall, type HandlerContext, type LoginHandlers } from "./handlers.ts";
import { interactionKind } from "./interaction-kind.ts";
import { isOpen, type LoginSnapshot, type LoginState, readState } from "./login-state.ts";
import {
  type EndedLogin,
  InteractionRequiredOutcome,
  type LoginOutcome,
  type OpenOutcome,
  type OutcomeRunner,
  SelectClientOutcome,
  toOutcome,
} from "./outcome.ts";
import type { LoginActor } from "./pause.ts";

type NextOutcome = LoginOutcome | Promise<LoginOutcome>;

const CANCEL: LoginEvent = { type: "login.cancel" };

/**
 * Runs one login: waits until the statechart has no request under way, calls the handler, if there is one, and returns the outcome.
 * `login()`, `resume()`, the command line and durable logins all use it.
 */
export class Conversation implements OutcomeRunner {
  readonly actor: LoginActor;
  readonly #handlers: LoginHandlers;
  readonly #cancel = () => this.actor.send(CANCEL);
  readonly #cancelElsewhere: (() => Promise<unknown>) | undefined;
  #provider = "";
  #state: LoginState | undefined;
  /** The promise of the next outcome, if a caller awaits it. */
  #waiting: { readonly outcome: Promise<LoginOutcome>; resolve(outcome: NextOutcome): void } | undefined;
  /** The call of the handler that runs. */
  #handlerCall: HandlerCall<OpenOutcome> | undefined;
  /** Rejects with what a handler threw. The login has ended then. */
  #fault: Promise<never> | undefined;
  /** No error may show these. Kept as long as the login runs. */
  #credentials: Credentials | undefined;

  /** @param cancelElsewhere cancels a login that runs in another process. Awaited before the outcome is `cancelled`, or rejects. */
  constructor(
    machine: typeof loginMachine,
    settings: LoginSettings,
    handlers: LoginHandlers,
    cancelElsewhere?: () => Promise<unknown>,
  ) {
    this.#handlers = handlers;
    this.#cancelElsewhere = cancelElsewhere;
    const inspect = handlers.inspect && guardInspection(handlers.inspect, (error) => this.#breakOff("inspect", error));
    this.actor = createActor(machine, { input: settings, ...(inspect && { inspect }) });
    this.actor.subscribe({
      next: (snapshot) => this.#reach(snapshot),
      error: () => this.#end(Promise.reject(new BankError("unexpected_fault"))),
    });
  }

  async begin(event: Extract<LoginEvent, { type: "credentials.submit" | "login.resume" }>): Promise<LoginOutcome> {
    const { provider, credentials } =
      event.type === "login.resume" ? event.paused : { provider: event.credentials.provider, ...event };
    this.#provider = provider;
    this.#credentials = credentials;
    const { signal } = this.#handlers;
    if (signal?.aborted) return { status: "cancelled", provider: this.#provider };
    signal?.addEventListener("abort", this.#cancel);
    this.actor.start();
    // A handler may have thrown, or aborted, at the first state.
    if (this.#fault || signal?.aborted) this.#end(this.#fault);
    else this.actor.send(event);
    // A paused login whose time has run out expires in a microtask.
    await undefined;
    return this.#next();
  }

  send(event: LoginEvent): Promise<LoginOutcome> {
    this.actor.send(event);
    return this.#next();
  }

  #next(): Promise<LoginOutcome> {
    // A handler has used a verb of its outcome: it awaits the same as the caller of the login.
    if (this.#waiting) return this.#waiting.outcome;
    let resolve: (outcome: NextOutcome) => void = () => {};
    const outcome = new Promise<LoginOutcome>((settle) => {
      resolve = settle;
    });
    this.#waiting = { outcome, resolve };
    const snapshot = this.actor.getSnapshot();
    if (this.#fault) this.#settle(this.#fault);
    else if (!snapshot.hasTag("busy")) this.#arrive(readState(snapshot), snapshot);
    return outcome;
  }

  #reach(snapshot: LoginSnapshot): void {
    const state = readState(snapshot);
    // An event without effect emits the same state again.
    if (state === this.#state || this.#fault) return;
    const isFirst = this.#state === undefined;
    this.#state = state;
    try {
      this.#handlers.onTransition?.(state);
    } catch (error) {
      this.#breakOff("onTransition", error);
      return;
    }
    this.#handlerCall?.close();
    this.#handlerCall = undefined;
    if (isFirst || snapshot.hasTag("busy")) return;
    // A login can end by itself while no caller awaits it.
    if (this.#waiting || !isOpen(state)) this.#arrive(state, snapshot);
  }

  /** Once no request is under way: calls the handler, or returns the outcome. */
  #arrive(state: LoginState, snapshot: LoginSnapshot): void {
    const { settings, key, interaction, clients, failure } = snapshot.context;
    const { onInteraction, onSelectClient } = this.#handlers;
    if (state === "awaitingInteraction" && interaction) {
      const withKind = { ...interaction, ...interactionKind(interaction, this.#handlers) };
      this.#callHandler(
        "onInteraction",
        new InteractionRequiredOutcome(this, withKind),
        onInteraction && ((context) => onInteraction(withKind, context)),
        (answer) => ({ type: "interaction.answer", answer: toSecret(interaction.field, answer) }),
      );
    } else if (state === "selectClient.choosing") {
      this.#callHandler(
        "onSelectClient",
        new SelectClientOutcome(this, { key, clients }),
        onSelectClient && ((context) => onSelectClient(clients, context)),
        (client) => ({ type: "client.choose", client }),
      );
    } else if (state === "failed" && snapshot.can({ type: "session.replace" })) {
      this.actor.send({ type: "session.replace" });
    } else {
      this.#end();
      if (this.#waiting) this.#settle(this.#ended({ state, provider: this.#provider, key, failure, settings }));
    }
  }

  async #ended(ended: EndedLogin): Promise<LoginOutcome> {
    if (ended.state === "idle") await this.#cancelElsewhere?.();
    return toOutcome(ended);
  }

  #settle(outcome: NextOutcome): void {
    this.#waiting?.resolve(outcome);
    this.#waiting = undefined;
  }

  /** Calls a handler and sends its answer, unless the login is at another step by then. No answer, or an empty one, cancels. */
  async #callHandler<Value extends StringOrSecret, Outcome extends OpenOutcome>(
    field: string,
    outcome: Outcome,
    handler:
      | ((context: HandlerContext<Outcome>) => HandlerAnswer<Value, Outcome> | Promise<HandlerAnswer<Value, Outcome>>)
      | undefined,
    toEvent: (answer: Value) => LoginEvent,
  ): Promise<void> {
    const call = new HandlerCall(outcome, handler && this.actor.getSnapshot().context.expiresAt);
    this.#handlerCall = call;
    try {
      const answer = handler ? await handler(call) : outcome;
      if (this.#handlerCall !== call) return;
      // A handler can have paused its outcome.
      if (answer === outcome || this.actor.getSnapshot().status === "stopped") {
        call.release();
        this.#settle(outcome);
        return;
      }
      const value = answer as Value | undefined | null;
      const event = hasText(value) ? toEvent(value) : CANCEL;
      this.#handlerCall = undefined;
      call.release();
      this.actor.send(event);
    } catch (error) {
      if (this.#handlerCall === call) this.#breakOff(field, error);
    }
  }

  #breakOff(field: string, error: unknown): void {
    const fields = Object.values(this.#credentials?.fields ?? {});
    const fault = async (): Promise<never> => {
      // The thrown error counts even if the other process can't be reached: there the login expires.
      await this.#cancelElsewhere?.().catch(() => undefined);
      if (error instanceof BankError) throw error;
      // After the statechart's step: until then its snapshot lacks the answer or the key of this step.
      const { answer, key } = this.actor.getSnapshot().context;
      const sent = collectFingerprints([findClient(this.actor.logic), ...fields, answer, key]);
      throw createHandlerError(field, error, sent);
    };
    this.#end(fault());
  }

  #end(fault?: Promise<never>): void {
    // If no caller awaits it, the next verb rejects with it.
    fault?.catch(() => undefined);
    this.#fault ??= fault;
    this.#handlerCall?.close();
    this.#credentials = undefined;
    this.#handlers.signal?.removeEventListener("abort", this.#cancel);
    // After the statechart's step: an inspector can throw even while the actor is created.
    queueMicrotask(() => this.actor.stop());
    if (this.#fault) this.#settle(this.#fault);
  }
}
