import { type BankError, HandlerError, thrownBy } from "../api/errors.ts";
import { fingerprintsIn, handlerError } from "../api/handler-error.ts";
import type { RelayRouteTemplate } from "./routes.ts";

/**
 * What was asked for, as the contract writes it; `unknown` for everything that the relay does not serve.
 *
 * @useDeclaredType
 */
export type RelayRoute = RelayRouteTemplate | "unknown";

/** One request that was answered, for a log. No member can hold a secret: what the browser wrote is not repeated. */
export interface RelayEvent {
  /** What was asked for. */
  readonly route: RelayRoute;
  /** The HTTP method. */
  readonly method: "GET" | "POST" | "OPTIONS" | "other";
  /** The HTTP code of the relay's answer. */
  readonly httpStatus: number;
  /** The status in the answer's body; absent where the body has none: a preflight, a fault. */
  readonly status?: string;
  /** Why there was no outcome: the code of a fault, or the reason for which the relay refused the request. */
  readonly reason?: string;
  /** The bank's code, where the service knew it. */
  readonly provider?: string;
  /** Who asked, as `callerOf` tells; `unknown` where it can't tell. Absent where the request was refused before that. */
  readonly caller?: string;
  /** Milliseconds from the request to the answer. */
  readonly duration: number;
}

/** The hooks of the relay's owner. What they throw changes no response. */
export interface Hooks {
  readonly onEvent: ((event: RelayEvent) => unknown) | undefined;
  readonly onError: ((error: BankError) => unknown) | undefined;
}

export function tellEvent(hooks: Hooks, event: RelayEvent): void {
  // Nobody gave it a secret.
  askOwner("onEvent", () => hooks.onEvent?.(event), []).catch((error: BankError) => tellError(hooks, error));
}

export function tellError({ onError }: Hooks, error: BankError): void {
  // A log that is broken must not break a login, and there is nobody left to tell.
  (async () => onError?.(error))().catch(() => undefined);
}

/** Tells the relay's owner about its settings, where nobody can overlook it. */
export function warn(text: string): void {
  // biome-ignore lint/suspicious/noConsole: the one thing that must be heard without a hook.
  console.warn(text);
}

/**
 * Calls a function of the relay's owner.
 *
 * @param holders what it could read secrets of; `undefined` where that is not known.
 * @throws {HandlerError} `handler_failed` naming it, with what it threw where no secret stands in that.
 */
export async function askOwner<Answer>(
  field: string,
  ask: () => Answer | Promise<Answer>,
  holders: readonly object[] | undefined,
): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (holders) throw handlerError(field, error, fingerprintsIn(holders));
    throw new HandlerError("handler_failed", { field, detail: thrownBy(error) });
  }
}
