import { gzipSync } from "node:zlib";
import type { FailureCode } from "ventanilla";
import { expect } from "vitest";
import type { Fault, Scene, Stage } from "./faulty-bank.ts";
import { formatResponse } from "./wire.ts";

/** A fault, and the failure that it causes at any request. */
export interface Row {
  readonly fault: string;
  readonly play: Fault;
  readonly code: FailureCode | "success";
  /** Whether a read is tried again. `POST /login/`, the choice of a client and the logout never are. */
  readonly reads: "again" | "once";
  /** Other members of the failure. */
  readonly details: Readonly<Record<string, unknown>>;
  /** If only a time-out ends it: how far a try gets. */
  readonly stuckAt?: Stage;
}

/** Whether it is plainly not the service that responds: it gets no password, even if the read was a courtesy. */
export const isFromElsewhere = ({ code, fault }: Row): boolean =>
  code === "redirect_refused" ||
  ["a captive portal that echoes the request", "a 403 page of a firewall"].includes(fault);

/**
 * The failure of a row at a request that is sent once. If no response can be read, the bank may have received the request; only a
 * 429 and a 503 say more.
 */
export function toFailureOnce(row: Row): Row {
  const isOpen =
    ["response_unreadable", "response_against_contract", "http_failed", "http_failed"].includes(row.code) ||
    ["a 502 page", "a 504 page"].includes(row.fault);
  return isOpen
    ? { ...row, code: "outcome_unknown", details: { ...row.details, detail: expect.stringContaining(row.code) } }
    : row;
}

// What stands on the wire.

const head = (...lines: string[]) =>
  `${["HTTP/1.1 200 OK", "content-type: application/json", ...lines].join("\r\n")}\r\n\r\n`;
const length = (bytes: number | string) => head(`content-length: ${bytes}`);
const chunked = head("transfer-encoding: chunked");
const half = '{"status":"succ';
const whole = '{"status":"error","message":"Invalid key"}';

// What happens to the connection afterwards.

const stay = () => {};
const reset = ({ socket }: Scene) => socket.resetAndDestroy();
const hangUp = ({ socket }: Scene) => socket.end();
const drip = ({ socket }: Scene) => {
  const timer = setInterval(() => socket.write("x"), 20);
  socket.once("close", () => clearInterval(timer));
};
const written =
  (text: string, then: (scene: Scene) => unknown = stay) =>
  (scene: Scene) =>
    scene.socket.write(text, () => then(scene));

/** Writes the same piece again and again, as fast as the other side reads. */
const poured =
  (start: string, piece: string, times = Number.POSITIVE_INFINITY) =>
  ({ socket }: Scene) => {
    const bytes = Buffer.from(piece);
    let left = times;
    const flow = () => {
      while (!socket.destroyed && left-- > 0 && socket.write(bytes));
    };
    socket.on("drain", flow);
    socket.write(start);
    flow();
  };

// Whole responses.

const says =
  (body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}, http = "200 OK") =>
  ({ socket }: Scene) =>
    socket.write(formatResponse(http, body, { "content-type": "application/json", ...headers }));
const page = (http: string, headers: Readonly<Record<string, string>> = {}) =>
  says(`<html><h1>${http}</h1></html>`, { "content-type": "text/html", ...headers }, http);
const gzipped = (body: Uint8Array | string, encoding = "gzip") => says(body, { "content-encoding": encoding });
const padded = (size: number) => `{"status":"error","message":"Invalid key","padding":"${"x".repeat(size)}"}`;
const bomb = gzipSync(padded(16 * 1024 * 1024));
const nested = "[".repeat(100_000) + "]".repeat(100_000);
const redirect =
  (http: string) =>
  ({ socket, request, elsewhere }: Scene) =>
    socket.write(formatResponse(http, "", { location: `${elsewhere}${request.target}` }));
const later = (http: string, retryAfter: () => string) => (scene: Scene) =>
  page(http, { "retry-after": retryAfter() })(scene);
const inAnHour = () => new Date(Date.now() + 3_600_000).toUTCString();
const anHour = expect.toSatisfy((wait) => wait > 3_590_000 && wait <= 3_600_000, "is about an hour");

/** Faults that end in the same failure, by their names. */
const rows = (
  code: Row["code"],
  reads: Row["reads"],
  plays: Readonly<Record<string, Fault>>,
  details: Row["details"] = {},
): Row[] => Object.entries(plays).map(([fault, play]) => ({ fault, play, code, reads, details }));

/** Written by hand from what the codes mean (docs/errors.md), not from what the client does. */
export const quickFaults: readonly Row[] = [
  ...rows("network_failed", "again", { "no one at the port": "no one listens" }, { detail: "ECONNREFUSED" }),
  ...rows("network_failed", "again", {
    "a plain port that is asked for TLS": "a plain port, asked for TLS",
    "a reset of the bare connection": "a reset as soon as the connection stands",
    "a reset before the headers": reset,
    "a reset within the headers": written("HTTP/1.1 200 OK\r\ncontent-ty", reset),
    "a reset after the headers": written(length(60), reset),
    "a reset within the body": written(length(60) + half, reset),
    "a hang-up before the headers": hangUp,
    "a hang-up within the headers": written("HTTP/1.1 200 OK\r\ncontent-ty", hangUp),
    "half a body": written(length(60) + half, hangUp),
    "half a chunk": written(`${chunked}1e\r\n${half}`, hangUp),
    "chunks without the last one": written(`${chunked}f\r\n${half}\r\n`, hangUp),
    "a stated length that is not a number": written(length("many") + whole),
    "a negative length": written(length(-1) + whole),
    "two lengths that disagree": written(head("content-length: 42", "content-length: 17") + whole),
    "a length and chunks at once": written(head("content-length: 5", "transfer-encoding: chunked") + whole),
    "a protocol that is not HTTP": written("SSH-2.0-OpenSSH_9.6\r\n"),
    "a switch to another protocol": written(
      "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n",
    ),
    "a 100 that was not requested": written("HTTP/1.1 100 Continue\r\n\r\n"),
    "headers without an end": written(`HTTP/1.1 200 OK\r\n${`x-filler: ${"x".repeat(1000)}\r\n`.repeat(200)}`),
  }),

  ...rows("redirect_refused", "once", { "a 302 to another origin": redirect("302 Found") }, { httpStatus: 302 }),
  ...rows("redirect_refused", "once", {
    "a 307 to another origin": redirect("307 Temporary Redirect"),
    "a 308 to another origin": redirect("308 Permanent Redirect"),
  }),

  ...rows("service_unavailable", "again", { "a 502 page": page("502 Bad Gateway") }, { httpStatus: 502 }),
  ...rows("service_unavailable", "again", { "a 504 page": page("504 Gateway Time-out") }, { httpStatus: 504 }),
  ...rows("http_failed", "again", { "a 408 page": page("408 Request Timeout") }, { httpStatus: 408 }),
  ...rows("http_failed", "again", { "a 500 page": page("500 Internal Server Error") }, { httpStatus: 500 }),
  ...rows("http_failed", "once", { "a 403 page of a firewall": page("403 Forbidden") }, { httpStatus: 403 }),

  ...rows("rate_limited", "again", { "429, in 0 s": later("429 Slow Down", () => "0") }, { retryAfter: 0 }),
  ...rows("rate_limited", "once", { "429, in an hour": later("429 Busy", () => "3600") }, { retryAfter: 3_600_000 }),
  ...rows("rate_limited", "once", { "429, at a time in an hour": later("429 Busy", inAnHour) }, { retryAfter: anHour }),
  ...rows(
    "service_unavailable",
    "once",
    { "503, in an hour": later("503 Later", () => "3600") },
    { retryAfter: 3.6e6 },
  ),
  ...rows(
    "service_unavailable",
    "once",
    { "503, at a time in an hour": later("503 Later", inAnHour) },
    { retryAfter: anHour },
  ),
  ...rows(
    "service_unavailable",
    "again",
    { "503, at a time in the past": later("503 Later", () => "Wed, 21 Oct 2015 07:28:00 GMT") },
    { retryAfter: 0 },
  ),
  ...rows("service_unavailable", "again", { "503, at no time at all": later("503 Later", () => "soon") }),

  ...rows("response_against_contract", "once", { "a gzip bomb": gzipped(bomb) }, { httpStatus: 200 }),
  ...rows("response_against_contract", "once", {
    "a gzip bomb in a gzip": gzipped(gzipSync(bomb), "gzip, gzip"),
    "50 MB": poured(length(50_000_000), " ".repeat(50_000), 1_000),
    "chunks without an end": poured(chunked, `c350\r\n${" ".repeat(50_000)}\r\n`),
  }),

  // Such as the login page of a hotel, which repeats the request.
  ...rows(
    "response_unreadable",
    "once",
    {
      "a captive portal that echoes the request": (scene) =>
        says(`<html><a href="${scene.request.target}">Accept</a><!--${scene.request.bytes}--></html>`, {
          "content-type": "text/html",
        })(scene),
    },
    { httpStatus: 200 },
  ),
  ...rows("response_unreadable", "once", { "a 204": written("HTTP/1.1 204 No Content\r\n\r\n") }, { httpStatus: 204 }),
  ...rows("response_unreadable", "once", {
    "half a body of no stated length": written(head("connection: close") + half, hangUp),
    "no body of no stated length": written(head("connection: close"), hangUp),
    "a stated length that is too short": written(length(whole.length - 1) + whole),
    "a gzip that is none": gzipped(padded(10)),
    "half a gzip": gzipped(gzipSync(padded(10)).subarray(0, 30)),
    "a status behind a prototype": says(
      '{"__proto__":{"status":"success"},"constructor":{"prototype":{"status":"success"}}}',
    ),
  }),
  ...rows("unexpected_status", "once", {
    "bytes that are not UTF-8": says(Buffer.from('{"status":"error","message":"Invalid key \xff"}', "latin1")),
    "a message behind a prototype": says('{"status":"error","__proto__":{"message":"Invalid key","code":"B1001"}}'),
    "a status that every object has": says('{"status":"constructor","key":"k","__proto__":{"key":"other"}}'),
    "a code that every object has": says('{"status":"error","code":"__proto__","message":"hasOwnProperty"}'),
  }),
  ...rows("response_unreadable", "once", {
    "nothing but nesting": says(nested),
    "a nested description": says(`{"status":"error","message":"Invalid key","description":${nested}}`),
    "nested prototypes": says(
      `{"status":"error","message":"Invalid key","a":${'{"__proto__":'.repeat(50_000)}1${"}".repeat(50_000)}}`,
    ),
  }),
  ...rows("invalid_key", "once", {
    "the same member twice": says('{"status":"success","status":"error","message":"Fine","message":"Invalid key"}'),
  }),

  ...rows("success", "once", {
    "a slow first byte": ({ pass }) => new Promise((resolve) => setTimeout(resolve, 120)).then(pass),
  }),
];

const stuck = (stuckAt: Stage, plays: Readonly<Record<string, Fault>>) =>
  rows("request_timed_out", "again", plays).map((row) => ({ ...row, stuckAt }));

/** Only a time-out ends these. It runs out as soon as a try has reached this stage. */
export const slowFaults: readonly (Row & { readonly stuckAt: Stage })[] = [
  ...stuck("arrived", {
    "no response": stay,
    "an endless drip of headers": written("HTTP/1.1 200 OK\r\nx-drip: ", drip),
  }),
  ...stuck("headers came", {
    "an endless drip of a body": written(`${length(10_000)}{"status":"`, drip),
    "a stated length that is too long": written(length(whole.length + 1) + whole),
  }),
];

/** The first fault of each failure: a client has one way for all that end in it. */
export const representatives: ReadonlySet<Row> = new Set(
  new Map([...quickFaults, ...slowFaults].toReversed().map((row) => [row.code, row])).values(),
);
