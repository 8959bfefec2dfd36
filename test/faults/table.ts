import { ContractError, type FailureCode, HttpError, NetworkError, RedirectError, TimeoutError } from "ventanilla";
import { expect } from "vitest";
import type { Fault, Stage } from "./bank.ts";
import * as body from "./bodies.ts";
import * as connection from "./connections.ts";

/** How a faulty request ends, whatever the request is. */
export interface Row {
  readonly fault: string;
  readonly play: Fault;
  readonly code: FailureCode | "success";
  /** Whether a read is tried again. `POST /login/`, the choice of a client and the logout never are. */
  readonly reads: "again" | "once";
  /** What else the failure tells. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Where only a time-out ends it: how far a try gets. */
  readonly stuckAt?: Stage;
}

/** What the faults of the table are thrown as. */
export const classes: Partial<Record<FailureCode, { new (code: never): Error }>> = {
  network_failed: NetworkError,
  request_timed_out: TimeoutError,
  redirect_refused: RedirectError,
  response_unreadable: ContractError,
  response_too_large: ContractError,
  access_refused: HttpError,
  rate_limited: HttpError,
  service_unavailable: HttpError,
  http_failed: HttpError,
};

const row = (
  fault: string,
  play: Fault,
  code: Row["code"],
  reads: Row["reads"],
  details: Row["details"] = {},
): Row => ({
  fault,
  play,
  code,
  reads,
  details,
});

const inThePast = () => "Wed, 21 Oct 2015 07:28:00 GMT";
const inAnHour = () => new Date(Date.now() + 3_600_000).toUTCString();
const anHour = expect.toSatisfy((wait) => wait > 3_590_000 && wait <= 3_600_000, "is about an hour");

/** Written by hand from what the codes mean (docs/errors.md), not from what the client does. */
export const quickFaults: readonly Row[] = [
  row("nobody at the port", "nobody listens", "network_failed", "again", { detail: "ECONNREFUSED" }),
  row("a plain port that is asked for TLS", "a plain port, asked for TLS", "network_failed", "again"),
  row("a reset of the bare connection", "a reset as soon as the connection stands", "network_failed", "again"),
  row("a reset before the headers", connection.resetBeforeTheHeaders, "network_failed", "again"),
  row("a reset within the headers", connection.resetWithinTheHeaders, "network_failed", "again"),
  row("a reset after the headers", connection.resetAfterTheHeaders, "network_failed", "again"),
  row("a reset within the body", connection.resetWithinTheBody, "network_failed", "again"),
  row("a hang-up before the headers", connection.hangUpBeforeTheHeaders, "network_failed", "again"),
  row("a hang-up within the headers", connection.hangUpWithinTheHeaders, "network_failed", "again"),
  row("half a body", connection.halfABody, "network_failed", "again"),
  row("half a chunk", connection.halfAChunk, "network_failed", "again"),
  row("chunks without the last one", connection.noLastChunk, "network_failed", "again"),
  row("half a body of no stated length", connection.halfABodyOfNoStatedLength, "response_unreadable", "once"),
  row("no body of no stated length", connection.nothingOfNoStatedLength, "response_unreadable", "once"),
  row("a stated length that is too short", connection.lengthTooShort, "response_unreadable", "once"),
  row("a stated length that is no number", connection.lengthNoNumber, "network_failed", "again"),
  row("a negative length", connection.lengthNegative, "network_failed", "again"),
  row("two lengths that disagree", connection.twoLengths, "network_failed", "again"),
  row("a length and chunks at once", connection.lengthAndChunks, "network_failed", "again"),
  row("a protocol that is not HTTP", connection.anotherProtocol, "network_failed", "again"),
  row("a switch to another protocol", connection.anotherProtocolFromHereOn, "network_failed", "again"),
  row("a 100 that nobody asked for", connection.unaskedContinue, "network_failed", "again"),
  row("headers without an end", connection.endlessHeaders, "network_failed", "again"),

  row("a 302 to another origin", connection.redirect("302 Found"), "redirect_refused", "once", { httpStatus: 302 }),
  row("a 307 to another origin", connection.redirect("307 Temporary Redirect"), "redirect_refused", "once"),
  row("a 308 to another origin", connection.redirect("308 Permanent Redirect"), "redirect_refused", "once"),

  row("a 502 page of nginx", body.badGateway, "service_unavailable", "again", { httpStatus: 502 }),
  row("a 504 page of nginx", body.gatewayTimeout, "service_unavailable", "again", { httpStatus: 504 }),
  row("a 408 page of nginx", body.requestTimeout, "http_failed", "again", { httpStatus: 408 }),
  row("a 500 page of nginx", body.internalError, "http_failed", "once", { httpStatus: 500 }),
  row("a 403 page of a firewall", body.firewall, "access_refused", "once", { httpStatus: 403 }),
  row("a captive portal that echoes the request", body.captivePortal, "response_unreadable", "once", {
    httpStatus: 200,
  }),
  row("a 204", body.noContent, "response_unreadable", "once", { httpStatus: 204 }),

  row(
    "429, in 0 s",
    connection.hasty("429 Slow Down", () => "0"),
    "rate_limited",
    "again",
    { retryAfter: 0 },
  ),
  row(
    "429, in an hour",
    connection.hasty("429 Slow Down", () => "3600"),
    "rate_limited",
    "once",
    {
      retryAfter: 3_600_000,
    },
  ),
  row("429, at a time in an hour", connection.hasty("429 Slow Down", inAnHour), "rate_limited", "once", {
    retryAfter: anHour,
  }),
  row(
    "503, in an hour",
    connection.hasty("503 Later", () => "3600"),
    "service_unavailable",
    "once",
    {
      retryAfter: 3_600_000,
    },
  ),
  row("503, at a time in an hour", connection.hasty("503 Later", inAnHour), "service_unavailable", "once", {
    retryAfter: anHour,
  }),
  row("503, at a time in the past", connection.hasty("503 Later", inThePast), "service_unavailable", "again", {
    retryAfter: 0,
  }),
  row(
    "503, at no time at all",
    connection.hasty("503 Later", () => "soon"),
    "service_unavailable",
    "again",
  ),

  row("a gzip bomb", body.gzipBomb, "response_too_large", "once", { httpStatus: 200 }),
  row("a gzip bomb in a gzip", body.gzipBombInAGzip, "response_too_large", "once"),
  row("50 MB", body.fiftyMegabytes, "response_too_large", "once"),
  row("chunks without an end", body.endlessChunks, "response_too_large", "once"),
  row("a gzip that is none", body.noGzipAtAll, "response_unreadable", "once"),
  row("half a gzip", body.halfAGzip, "response_unreadable", "once"),
  row("bytes that are not UTF-8", body.invalidUtf8, "response_unreadable", "once"),
  row("nothing but nesting", body.nothingButNesting, "response_unreadable", "once"),
  row("a nested description", body.nestedDescription, "invalid_key", "once"),
  row("nested prototypes", body.nestedPrototypes, "invalid_key", "once"),
  row("the same member twice", body.twiceTheSameMember, "invalid_key", "once"),
  row("a status behind a prototype", body.statusBehindAPrototype, "response_unreadable", "once"),
  row("a message behind a prototype", body.messageBehindAPrototype, "unexpected_status", "once"),
  row("a status that every object has", body.statusOfEveryObject, "unexpected_status", "once"),
  row("a code that every object has", body.codeOfEveryObject, "unexpected_status", "once"),

  row("a slow first byte", connection.slowFirstByte, "success", "once"),
];

/** Only a time-out ends these; it runs out as soon as a try has got this far. */
export const slowFaults: readonly (Row & { readonly stuckAt: Stage })[] = [
  { ...row("no response", connection.noResponse, "request_timed_out", "again"), stuckAt: "arrived" },
  { ...row("an endless drip of headers", connection.dripOfHeaders, "request_timed_out", "again"), stuckAt: "arrived" },
  {
    ...row("an endless drip of a body", connection.dripOfABody, "request_timed_out", "again"),
    stuckAt: "headers came",
  },
  {
    ...row("a stated length that is too long", connection.lengthTooLong, "request_timed_out", "again"),
    stuckAt: "headers came",
  },
];
