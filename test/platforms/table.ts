import type { Socket } from "node:net";
import { formatResponse } from "../faults/wire.ts";

/** What the client must never send twice. The line is what the bank sees: `POST /login/?key`. */
export const requests = {
  login: "POST /login/",
  answer: "POST /login/?key",
  selectClient: "GET /client/7/?key",
  logout: "GET /logout/?key",
} as const;

export type RequestName = keyof typeof requests;

/** What a bank does with a request. */
export interface Fault {
  readonly name: string;
  /** The HTTP code that it responds with, if it responds. */
  readonly httpStatus?: number;
  /** When: with the first byte of the request, or once it is whole. Default: whole. */
  readonly at?: "first byte" | "whole";
  /** The codes of the failure that the client may end with. */
  readonly codes: readonly string[];
  /** Milliseconds that the client waits. Default 30 000. */
  readonly timeout?: number;
  play(socket: Socket): unknown;
}

/** One row: a fault, a request, and whether the connection was used before. */
export interface Row {
  readonly name: string;
  readonly fault: Fault;
  readonly request: RequestName;
  readonly isKept: boolean;
}

const half = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 40\r\n\r\n".concat(
  '{"status":"logged_in"',
);
const headers = half.slice(0, 30);
const broken = ["network_failed"];

/** Every HTTP code that says that something is wrong. */
export const codeFaults: readonly Fault[] = Array.from({ length: 200 }, (_, index) => {
  const httpStatus = 400 + index;
  return {
    name: `HTTP ${httpStatus}`,
    httpStatus,
    codes: [{ 401: "http_failed", 429: "rate_limited", 503: "service_unavailable" }[httpStatus] ?? "outcome_unknown"],
    play: (socket) => socket.write(formatResponse(`${httpStatus} As It Is`, "<h1>No</h1>")),
  };
});

/** What a platform or the client handles in a way of its own, and neighbours that nothing handles. The other codes are in `runtimes.full.ts`. */
const KINDS = [400, 401, 403, 404, 407, 408, 418, 421, 425, 426, 429, 500, 502, 503, 504, 511, 599];
export const kindsOfCodes = codeFaults.filter(({ httpStatus }) => KINDS.includes(httpStatus ?? 0));

/** How a connection can break. */
export const connectionFaults: readonly Fault[] = [
  { name: "closed with the first byte", at: "first byte", codes: broken, play: (socket) => socket.destroy() },
  { name: "closed without a response", codes: broken, play: (socket) => socket.end() },
  { name: "reset without a response", codes: broken, play: (socket) => socket.resetAndDestroy() },
  { name: "closed within the headers", codes: broken, play: (socket) => socket.end(headers) },
  {
    name: "reset within the headers",
    codes: broken,
    play: (socket) => socket.write(headers, () => socket.resetAndDestroy()),
  },
  // Bun takes half a body for the whole of it.
  { name: "closed within the body", codes: [...broken, "outcome_unknown"], play: (socket) => socket.end(half) },
  {
    name: "reset within the body",
    codes: [...broken, "outcome_unknown"],
    play: (socket) => socket.write(half, () => socket.resetAndDestroy()),
  },
  // All requests begin at once, and on a busy machine the bank has this one seconds later.
  { name: "never a response", codes: ["request_timed_out"], timeout: 15_000, play: () => {} },
];

/** Codes come on a connection that is used again and again; connection faults on a new one and on a kept one. */
export const createRows = (codes: readonly Fault[]): Row[] =>
  (Object.keys(requests) as RequestName[]).flatMap((request) => [
    ...codes.map((fault) => createRow(fault, request, true)),
    ...connectionFaults.flatMap((fault) => [createRow(fault, request, false), createRow(fault, request, true)]),
  ]);

function createRow(fault: Fault, request: RequestName, isKept: boolean): Row {
  const connection = isKept ? "a kept connection" : "a new connection";
  return { name: `${requests[request]}, ${fault.name}, on ${connection}`, fault, request, isKept };
}
