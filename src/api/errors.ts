import type { Failure, FaultCode } from "./failures.ts";
import { cut, DETAIL_LIMIT } from "./limits.ts";
import type { RelayFaultCode } from "./relay-faults.ts";

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
}

/**
 * A fault: network, time-out, contract, input. Every error that ventanilla throws is one (the test kit's
 * `PathError` aside), with a literal `code` of the table in `docs/errors.md`. `cause` is empty, except in a `HandlerError`:
 * the errors of the platform contain URLs, bodies and keys.
 *
 * `message` is for the developer: the code, the HTTP status, the method and address of the request, with the path as the contract
 * writes it and no query. `failureText(code, locale)` is the text for people.
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
  // Not a type parameter of the class: after `instanceof` it would be `any`.
  /** A fault code of the table. */
  readonly code: FaultCode;
  declare readonly field?: string;
  declare readonly request?: string;
  declare readonly httpStatus?: number;
  declare readonly retryAfter?: number;
  declare readonly detail?: string;

  constructor(code: FaultCode, details: FaultMaterial = {}) {
    const { httpStatus, retryAfter } = details;
    const [field, request, detail] = [details.field, details.request, details.detail].map(shorten);
    super([code, formatExchange(details), field, detail].filter((part) => part !== undefined).join(": "));
    this.code = code;
    const known = Object.entries({ field, request, httpStatus, retryAfter, detail });
    Object.assign(this, Object.fromEntries(known.filter(([, value]) => value !== undefined)));
    // Reading the stack frees the frames that the error came through, and the credentials in them.
    String(this.stack);
  }
}

/** The service could not be reached, or the connection broke. */
export class NetworkError extends BankError {
  declare readonly code: "network_failed";

  override get name() {
    return "NetworkError" as const;
  }
}

/** No complete response within the time-out. */
export class TimeoutError extends BankError {
  declare readonly code: "request_timed_out";

  override get name() {
    return "TimeoutError" as const;
  }
}

/** The caller's signal stopped the request. */
export class AbortedError extends BankError {
  declare readonly code: "request_aborted";

  override get name() {
    return "AbortedError" as const;
  }
}

/** The response was a redirect. To follow it would send the API key and the password to another address. */
export class RedirectError extends BankError {
  declare readonly code: "redirect_refused";

  override get name() {
    return "RedirectError" as const;
  }
}

/** The response is not what the contract says: `field` names the member. */
export class ContractError extends BankError {
  declare readonly code: "response_unreadable" | "response_against_contract" | "response_too_large";

  override get name() {
    return "ContractError" as const;
  }
}

/** An HTTP error without a readable status in its body. */
export class HttpError extends BankError {
  declare readonly code: "access_refused" | "rate_limited" | "service_unavailable" | "http_failed";

  override get name() {
    return "HttpError" as const;
  }
}

/** A relay refused the request for how it, or the app, is set up: `detail` says what to change. Nothing was sent to the service. */
export class RelayError extends BankError {
  declare readonly code: RelayFaultCode;

  override get name() {
    return "RelayError" as const;
  }
}

/** A value given by the caller can't be used: `field` names it. Nothing was sent. */
export class InputError extends BankError {
  declare readonly code: "invalid_input" | "missing_field" | "unknown_field";

  override get name() {
    return "InputError" as const;
  }
}

/** A secret has lost its value, because it went through JSON, a clone or another process. */
export class SecretError extends BankError {
  declare readonly code: "secret_unavailable";

  override get name() {
    return "SecretError" as const;
  }
}

/** A login can't be paused in the state it is in: `detail` names the state. */
export class PauseError extends BankError {
  declare readonly code: "login_not_waiting";

  override get name() {
    return "PauseError" as const;
  }
}

/** A token of a paused login can't be used. Nothing was sent. */
export class TokenError extends BankError {
  declare readonly code:
    | "token_incomplete"
    | "token_altered"
    | "token_expired"
    | "token_of_another_version"
    | "token_of_another_key"
    | "token_of_another_address"
    | "token_used";

  override get name() {
    return "TokenError" as const;
  }
}

/**
 * A function given by the caller threw: `field` names it. `cause` is what it threw. It is absent if what it threw contains
 * a value of the login, its session key or the API key, or could contain one: in a function, a getter, a `Map`, a `toJSON`.
 */
export class HandlerError extends BankError {
  declare readonly code: "handler_failed";

  constructor(code: "handler_failed", details?: FaultMaterial, cause?: unknown) {
    super(code, details);
    // Not enumerable, as in the platform's own errors: JSON does not show it.
    if (cause !== undefined) Object.defineProperty(this, "cause", { value: cause, configurable: true, writable: true });
  }

  override get name() {
    return "HandlerError" as const;
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

// A second list beside `failures`, on purpose: a bundle of the client alone has none of the table's texts. A missing code does not compile.
const classes: { readonly [Code in FaultCode]: new (code: Code, details: FaultMaterial) => BankError } = {
  network_failed: NetworkError,
  request_timed_out: TimeoutError,
  request_aborted: AbortedError,
  redirect_refused: RedirectError,
  response_unreadable: ContractError,
  response_against_contract: ContractError,
  response_too_large: ContractError,
  access_refused: HttpError,
  rate_limited: HttpError,
  service_unavailable: HttpError,
  http_failed: HttpError,
  origin_refused: RelayError,
  app_refused: RelayError,
  body_already_read: RelayError,
  slash_changed: RelayError,
  invalid_input: InputError,
  missing_field: InputError,
  unknown_field: InputError,
  secret_unavailable: SecretError,
  handler_failed: HandlerError,
  login_not_waiting: PauseError,
  token_incomplete: TokenError,
  token_altered: TokenError,
  token_expired: TokenError,
  token_of_another_version: TokenError,
  token_of_another_key: TokenError,
  token_of_another_address: TokenError,
  token_used: TokenError,
  outcome_unknown: BankError,
  outcome_used: BankError,
  secret_in_argument: BankError,
  insecure_address: BankError,
  file_unusable: BankError,
  part_missing: BankError,
  unexpected_fault: BankError,
};

/** Creates the error of a fault that the statechart kept as plain data. Its message has the service's address, if that is given. */
export function toBankError(failure: Failure, baseUrl?: string): BankError {
  const code: FaultCode = Object.hasOwn(classes, failure.code) ? (failure.code as FaultCode) : "unexpected_fault";
  const FaultClass = classes[code] as new (code: FaultCode, details: FaultMaterial) => BankError;
  return new FaultClass(code, { ...failure, baseUrl });
}

/** Describes an error that a function of the caller threw by its class name alone, if that is an identifier. */
export function describeThrown(error: unknown): string {
  const name = error instanceof Error ? error.constructor.name : "";
  return `threw ${/^\w{1,64}$/.test(name) ? name : typeof error}`;
}

/** Returns a `BankError` as it is, and wraps any other error in one that has only its class name. */
export function wrapThrown(error: unknown): BankError {
  return error instanceof BankError ? error : new BankError("unexpected_fault", { detail: describeThrown(error) });
}
