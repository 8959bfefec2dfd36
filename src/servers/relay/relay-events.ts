import type { Endpoint } from "../../core/api/bank-request.ts";
import { callCallback } from "../../core/api/callbacks.ts";
import type { BankError } from "../../core/api/errors.ts";
import { isRelayFault, relayFaults } from "../../core/api/relay-faults.ts";
import { isOrigin } from "./origins.ts";

/** The route of a request, as the contract writes it; `unknown` for everything that the relay does not serve. */
export type RelayRoute = Endpoint | "unknown";

/** One request and its response, for a log. No member can contain a secret: the browser's texts are not repeated. */
export interface RelayEvent {
  /**
   * The login's id: the same for each request of one login, at every instance, in `onLogin` and `onError`, and in the page's outcome and
   * lifecycle events. A request without a login has its own id.
   */
  readonly id: string;
  readonly route: RelayRoute;
  readonly method: "GET" | "POST" | "OPTIONS" | "other";
  /** Whether a `POST /login/` brings the answer to an interaction. Absent for any other request. */
  readonly isAnswer?: true;
  /** The HTTP code of the relay's response. */
  readonly httpStatus: number;
  /** The status in the response's body; absent if the body has none: a preflight, a fault. */
  readonly status?: string;
  /** Why there was no outcome: the code of a fault, or the reason for which the relay refused the request. */
  readonly reason?: string;
  /** With `origin_refused`: the received `Origin` and `Sec-Fetch-Site`. */
  readonly detail?: string;
  /** The bank's code, if the service knows it. */
  readonly provider?: string;
  /** What `readCaller` returned, or `unknown`. Absent if the request was refused before that. */
  readonly caller?: string;
  /** What `readUser` returned. */
  readonly user?: string;
  /** The header `X-Request-Id` of the request, as a proxy sets it: up to 100 letters, digits and `_.:-`. */
  readonly requestId?: string;
  /** Milliseconds from the request to the response. */
  readonly duration: number;
}

/** The callbacks of the options. What they throw changes no response. */
interface Callbacks {
  readonly onEvent?: ((event: RelayEvent) => unknown) | undefined;
  readonly onError?: ((error: BankError, subject: FaultSubject) => unknown) | undefined;
}

/** The subject of a fault, for a log. */
export interface FaultSubject extends Pick<RelayEvent, "id"> {
  /** The id of a hosted login's session. */
  readonly session?: string;
}

export function reportEvent(callbacks: Callbacks, event: RelayEvent): void {
  callCallback("onEvent", () => callbacks.onEvent?.(event)).catch((error: BankError) =>
    reportError(callbacks, error, event),
  );
}

export function reportError(
  { onError }: Pick<Callbacks, "onError">,
  error: BankError,
  { id, session }: FaultSubject,
): void {
  // A broken log must not break a login, and no other callback could report it.
  (async () => onError?.(error, { id, ...(session !== undefined && { session }) }))().catch(() => undefined);
}

/** The origin of a request. Nothing else that the browser wrote is repeated. */
function readOrigin(headers: Headers): string | undefined {
  const origin = headers.get("origin") ?? "";
  return origin.length < 300 && isOrigin(origin) ? origin : undefined;
}

/** Explains, for a log, why the origin of a request is not allowed: see `isFromAllowedOrigin`. */
export function describeOrigin(headers: Headers): string {
  const [origin, site] = [headers.get("origin"), headers.get("sec-fetch-site")];
  const shownOrigin =
    origin === null
      ? "no Origin"
      : origin === "null"
        ? "an opaque Origin"
        : `Origin ${readOrigin(headers) ?? "that is none"}`;
  const shownSite = /^(same-origin|same-site|cross-site|none)$/.test(site ?? "") ? site : "unknown";
  return `${shownOrigin}, ${site === null ? "no Sec-Fetch-Site" : `Sec-Fetch-Site ${shownSite}`}`;
}

/** Warns of the relay's own settings on the console. */
export function warn(text: string): void {
  // biome-ignore lint/suspicious/noConsole: a wrong setting must be seen without a callback.
  console.warn(`ventanilla/relay: ${text}`);
}

export function createWarning(text: string): () => void {
  let hasWarned = false;
  return () => {
    if (!hasWarned) warn(text);
    hasWarned = true;
  };
}

/**
 * Warns, once for each kind, of a refusal that a wrong set-up of the relay causes.
 *
 * @param servesApps whether the relay checks apps. Then a refused app is not a mistake of the set-up.
 */
export function createSetupWarner(servesApps: boolean): (reason: string | undefined, request: Request) => void {
  const seen = new Set<string | undefined>(["not_signed_in", ...(servesApps ? ["app_refused"] : [])]);
  return (reason, { headers }) => {
    if (!isRelayFault(reason) || seen.has(reason)) return;
    seen.add(reason);
    const origin = readOrigin(headers);
    const page = origin === undefined ? "" : ` of a page of ${origin}`;
    const received = reason === "origin_refused" ? ` (${describeOrigin(headers)})` : "";
    warn(
      `a request${page} was refused as ${reason}${received}: ${relayFaults[reason].advice}. See docs/relay.md, When a request is refused.`,
    );
  };
}
