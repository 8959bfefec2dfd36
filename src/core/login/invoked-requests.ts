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

/** The observers of requests, by their actors. An `inspect` function sets them: XState hands nothing from there to what an actor runs. */
export const requestObservers = new WeakMap<object, RequestObserver>();

/**
 * The logic of an invoked request. It ends at the login's deadline with `request_timed_out`, even if its client ignores the deadline and the
 * signal. An unexpected error is reported by its class name alone: its text may quote what was sent.
 *
 * @param name names the request in that fault. `undefined`: another process watches the deadline.
 */
export function request<Reply, Input extends { readonly settings: LoginSettings }>(
  name: RequestName | undefined,
  send: (scope: RequestScope<Input>) => Promise<Reply>,
) {
  return fromPromise<Reply, Input>(async ({ input, signal, self }) => {
    const { deadline } = input.settings;
    const { run = (send) => send(), onResponse }: Partial<RequestObserver> = requestObservers.get(self) ?? {};
    const begin = (signal: AbortSignal) => run(() => send({ input, call: { signal, deadline, onResponse }, self }));
    try {
      if (!name) return await begin(signal);
      const timeout = parseTime("deadline", deadline) - Date.now();
      return await withinTimeOut({ name, timeout, signals: [signal] }, begin);
    } catch (error) {
      throw wrapThrown(error);
    }
  });
}

const BEGIN = "request.begin";

/**
 * The same for a request that must not be sent again by itself. XState starts an actor again if its statechart is started again, as by
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
