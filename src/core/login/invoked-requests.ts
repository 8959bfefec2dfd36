import { type AnyActorRef, fromPromise, type PromiseActorLogic } from "xstate";
import type { LoginSettings, Refused } from "../../../machines/login.types.ts";
import type { RequestName } from "../api/bank-request.ts";
import type { CallOptions } from "../api/client-options.ts";
import { BankError, wrapThrown } from "../api/errors.ts";
import { parseTime } from "../api/input-checks.ts";
import { isPicture } from "../api/picture.ts";
import type { Refusal } from "../api/refusals.ts";
import { withinTimeOut } from "../api/time-out.ts";

/** What an invoked request gets. */
export interface RequestScope<Input> {
  readonly input: Input;
  /** The options of its calls: a signal that ends with the actor and at the login's deadline, and this deadline. */
  readonly call: Pick<CallOptions, "deadline" | "onResponse"> & { readonly signal: AbortSignal };
  readonly self: AnyActorRef;
}

/** Watches one request while it runs. */
export interface RequestObserver {
  /** Runs it, such as in the context of its span. */
  run<Reply>(send: () => Promise<Reply>): Promise<Reply>;
  readonly onResponse: CallOptions["onResponse"];
}

/** What the actor of a request emits before it sends: an inspection listens by `actor.on("request.begun", …)`. */
export interface RequestBegun {
  readonly type: "request.begun";
  /** Adds an observer. The first one is the outermost. */
  observe(observer: Partial<RequestObserver>): void;
}

/** Sends a request through the observers that listen to its actor. If there is none, no event is made for them. */
export function sendObserved<Reply>(
  emit: (event: RequestBegun) => void,
  send: (onResponse: CallOptions["onResponse"]) => Promise<Reply>,
): Promise<Reply> {
  const observers: Partial<RequestObserver>[] = [];
  emit({ type: "request.begun", observe: (observer) => void observers.push(observer) });
  if (observers.length === 0) return send(undefined);
  const sendNow = () =>
    send((event) => {
      for (const { onResponse } of observers) onResponse?.(event);
    });
  return observers.reduceRight<() => Promise<Reply>>((inner, { run }) => (run ? () => run(inner) : inner), sendNow)();
}

/**
 * The logic of an invoked request. It ends at the login's deadline with `request_timed_out`, even if its client ignores the deadline and the
 * signal. An unexpected error is reported by its class name only: its text may quote what was sent.
 *
 * @param name names the request in that fault. `undefined`: another process watches the deadline.
 */
export function request<Reply, Input extends { readonly settings: LoginSettings }>(
  name: RequestName | undefined,
  send: (scope: RequestScope<Input>) => Promise<Reply>,
) {
  return fromPromise<Reply, Input>(async ({ input, signal, self, emit }) => {
    const { deadline } = input.settings;
    const begin = (signal: AbortSignal) =>
      sendObserved(emit, (onResponse) => send({ input, call: { signal, deadline, onResponse }, self }));
    try {
      if (!name || deadline === undefined) return await begin(signal);
      const timeout = parseTime("deadline", deadline) - Date.now();
      return await withinTimeOut({ name, timeout, signals: [signal] }, begin);
    } catch (error) {
      throw wrapThrown(error);
    }
  });
}

const BEGIN = "request.begin";

/**
 * The logic of a request that must not be repeated automatically. XState starts an actor again if its statechart is started again, as by
 * React's strict mode, or restored from a stored snapshot. The snapshot of such a request says that it has begun.
 *
 * @param again what it does in place of a second request. Default: it fails with `outcome_unknown`.
 */
export function requestOnce<Reply, Input extends { readonly settings: LoginSettings }>(
  name: RequestName,
  send: (scope: RequestScope<Input>) => Promise<Reply>,
  again: () => Promise<NoInfer<Reply>> = () => Promise.reject(new BankError("outcome_unknown", name)),
): PromiseActorLogic<Reply, Input> {
  const logic = request(name, send);
  const instead = fromPromise<Reply, Input>(again);
  return {
    ...logic,
    start(snapshot, scope) {
      if ("hasBegun" in snapshot) return instead.start?.(snapshot, scope);
      logic.start?.(snapshot, scope);
      scope.self.send({ type: BEGIN });
    },
    transition: (snapshot, event, scope) =>
      event.type === BEGIN ? { ...snapshot, hasBegun: true } : logic.transition(snapshot, event, scope),
  };
}

/** A refusal in the form of the statechart. */
export function toRefused(refusal: Refusal): Refused {
  const { status, httpStatus, wire, key, missingFields, refusedAt, asked, description = readQuestion(asked) } = refusal;
  // Only an identifier: any other status could be a page of text.
  const wireStatus = status === "unexpected_status" && /^[\w.:-]{1,64}$/.test(wire.status) ? wire.status : undefined;
  return {
    status: "refused",
    failure: {
      kind: "outcome",
      code: status,
      httpStatus,
      ...(wireStatus !== undefined && { wireStatus }),
      ...(missingFields && { missingFields }),
      ...(asked && "field" in asked && { field: asked.field }),
      ...(refusedAt !== undefined && { refusedAt }),
      ...(description !== undefined && { description }),
    },
    ...(key && { key }),
  };
}

/** The bank's own text of what a session still asks for. */
function readQuestion(asked: Refusal["asked"]): string | undefined {
  const context = asked && "context" in asked ? asked.context : "";
  return context === "" || isPicture(context) ? undefined : context;
}

/** Returns a value that the request requires. */
export function assertPresent<Value>(field: string, value: Value | undefined): Value {
  // A snapshot that was restored without its secrets fails here, before anything is sent.
  if (value === undefined) throw new BankError("secret_unavailable", { field });
  return value;
}
