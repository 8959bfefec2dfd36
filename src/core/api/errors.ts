import type { Secret } from "../../../machines/login.types.ts";
import { type Failure, type FaultCode, findFailure } from "./failures.ts";
import { cut, DETAIL_LIMIT } from "./limits.ts";

/** The members of an error beside its code. None can hold a secret. */
export interface FaultDetails {
  /** The name of the wrong input, handler or response member. */
  readonly field?: string | undefined;
  /** The request, as method and path template: `POST /login/`. */
  readonly request?: string | undefined;
  /** The response's HTTP code. */
  readonly httpStatus?: number | undefined;
  /** Milliseconds to wait, from the header `Retry-After`. */
  readonly retryAfter?: number | undefined;
  /** Further text for the developer, in English. */
  readonly detail?: string | undefined;
}

/** What an error is created from. The message shows the service's address, but the error has no member for it. */
export interface FaultMaterial extends FaultDetails {
  readonly baseUrl?: string | undefined;
  readonly key?: Secret | undefined;
}

/**
 * A fault: network, time-out, contract, input. Every error that ventanilla throws is one (the test kit's
 * `PathError` aside), and its `code` of the table in `docs/errors.md` says what went wrong. `cause` is what a function of the
 * caller threw, with `handler_failed`, and else empty: the errors of the platform contain URLs, bodies and keys.
 *
 * `message` is for the developer: the code, the HTTP status, the method and address of the request, with the path as the contract
 * writes it and no query. `describeFailure(error, locale)` has the text for people.
 *
 * @example
 * try { … } catch (error) {
 *   if (error instanceof BankError && error.code === "request_timed_out") …
 * }
 */
export class BankError extends Error implements FaultDetails {
  override get name(): string {
    return "BankError";
  }
  /** A fault code of the table. */
  readonly code: FaultCode;
  declare readonly field?: string;
  declare readonly request?: string;
  declare readonly httpStatus?: number;
  declare readonly retryAfter?: number;
  declare readonly detail?: string;
  /** The session's key, if only the error has it: log out with it, or continue. A secret, which no text of the error repeats. */
  declare readonly key?: Secret;

  constructor(code: FaultCode, details: FaultMaterial = {}, cause?: unknown) {
    const { httpStatus, retryAfter } = details;
    const [field, request, detail] = [details.field, details.request, details.detail].map(shorten);
    super([code, formatExchange(details), field, detail].filter((part) => part !== undefined).join(": "));
    this.code = code;
    const known = Object.entries({ field, request, httpStatus, retryAfter, detail });
    Object.assign(this, Object.fromEntries(known.filter(([, value]) => value !== undefined)));
    // Not enumerable, as in the platform's own errors: JSON does not show it.
    // A key that is a plain text would reach whatever watches a login.
    const key = typeof details.key === "object" ? details.key : undefined;
    for (const [name, value] of Object.entries({ cause, key })) {
      if (value !== undefined) Object.defineProperty(this, name, { value, configurable: true, writable: true });
    }
    // Reading the stack frees the frames that the error came through, and the credentials in them.
    String(this.stack);
  }
}

/** The request and its HTTP status for the message: the path template at the service's address. */
function formatExchange({ request, baseUrl = "", httpStatus }: FaultMaterial): string | undefined {
  const sent = shorten(request?.replace(" ", () => ` ${baseUrl}`));
  // A browser hides the status of a redirect and reports 0.
  if (!httpStatus) return sent;
  return `the service responded with HTTP ${httpStatus}${sent === undefined ? "" : ` (${sent})`}`;
}

/** Cuts names of members and files: they come from outside and can have any length. */
function shorten(text: string | undefined): string | undefined {
  return text === undefined ? undefined : cut(String(text), DETAIL_LIMIT);
}

/** Creates the error of a fault that the statechart kept as plain data. Its message has the service's address, if that is given. */
export function toBankError(failure: Failure, baseUrl?: string): BankError {
  const { code, kind } = findFailure(failure.code);
  return new BankError(kind === "fault" ? (code as FaultCode) : "unexpected_fault", { ...failure, baseUrl });
}

/** A fault as plain data, for a statechart or a journal. */
export function toFailure({ code, field, request, httpStatus, retryAfter, detail }: BankError): Failure {
  return { kind: "fault", code, field, request, httpStatus, retryAfter, detail };
}

/** The error for a function of the caller that threw: what it threw is the `cause`, untouched. @param field names the function. */
export function createHandlerError(field: string, thrown: unknown): BankError {
  // Reading the stack frees the frames that the error came through, and the credentials in them.
  if (thrown instanceof Error) String(thrown.stack);
  return new BankError("handler_failed", { field, detail: describeThrown(thrown) }, thrown);
}

/** Describes an error that a function of the caller threw by its class name only, if that is an identifier. */
export function describeThrown(error: unknown): string {
  const name = error instanceof Error ? error.constructor.name : "";
  return `threw ${/^\w{1,64}$/.test(name) ? name : typeof error}`;
}

/** Returns a `BankError` as it is, and wraps any other error in a `BankError` that has only its class name. */
export function wrapThrown(error: unknown): BankError {
  return error instanceof BankError ? error : new BankError("unexpected_fault", { detail: describeThrown(error) });
}
