import type { LoginState } from "../../core/login/login-state.ts";
import type { InspectedActor } from "../trace/traced-actors.ts";

/** The headers of a W3C trace context: ids of spans, without a secret. */
export type TraceHeaders = Readonly<Partial<Record<"traceparent" | "tracestate", string>>>;

/** A login that is stored between its steps. Each step has its own actor, perhaps in another process. */
export interface StoredLogin {
  /** The same for all steps. */
  readonly id: string;
  /** The state after the previous steps; `undefined` with the first one. */
  readonly past: StoredPast | undefined;
}

export interface StoredPast {
  readonly provider: string;
  readonly state: LoginState["state"];
  /** Milliseconds since the login started. */
  readonly duration: number;
  readonly interactions: number;
}

/** The members of the object that replaces the actor of a step, because XState runs none there. */
export interface StoredActor {
  readonly storedLogin: StoredLogin;
  /** The trace context of the call that led to the step, from another process. */
  readonly traceHeaders?: TraceHeaders;
}

/** The members of such an object; none for an actor of XState. */
export const readStored = (actor: InspectedActor | undefined): Partial<StoredActor> =>
  (actor as Partial<StoredActor>) ?? {};
