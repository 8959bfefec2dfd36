import { randomUUID } from "node:crypto";
import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ProtocolEra,
  SdkError,
  SdkErrorCode,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as v from "valibot";
import { BankError } from "../../index.ts";
import type { HostCall, HostPage, PageAnswer } from "./tool.ts";

/** Milliseconds between two progress notifications. A host that receives them waits longer. */
const PROGRESS = 5_000;

/** Milliseconds after which a call ends. Many hosts time out after 30 seconds, and after a minute if they receive progress. */
const CALL_TIME = 25_000;
const CALL_TIME_WITH_PROGRESS = 50_000;

/** Milliseconds that are kept for the result at the end of a call. */
const MARGIN = 1_000;

/** Milliseconds in which a host says whether the person opens a page. */
const ANSWER_TIME = 30_000;

/** The name of the one input that a tool requests. */
const PAGE = "page";

export interface Connection {
  readonly server: Server;
  /** `modern`: from 2026-07-28 on, when servers send no requests, and a tool requests input in its result. */
  readonly era: ProtocolEra;
  /** Never asks the host to open a page. */
  readonly giveAddress: boolean;
  /** Aborted when the host has disconnected. */
  readonly gone: AbortSignal;
  /** Called with what could not be sent to the host. */
  readonly onError: (error: unknown) => void;
}

/**
 * Runs the call of a tool, with the requests that it can make of its host.
 * @throws {BankError} `request_timed_out` at the end of the call's time; what was begun continues.
 */
export async function withHost<Result>(
  connection: Connection,
  { mcpReq }: ServerContext,
  run: (call: HostCall) => Promise<Result>,
): Promise<Result> {
  const progressToken = mcpReq._meta?.progressToken;
  const time = progressToken === undefined ? CALL_TIME : CALL_TIME_WITH_PROGRESS;
  const until = Date.now() + time - MARGIN;
  let progress = 0;
  let message = "";
  const send = () => {
    if (progressToken === undefined) return;
    progress += 1;
    const params = { progressToken, progress, ...(message && { message }) };
    mcpReq.notify({ method: "notifications/progress", params }).catch(connection.onError);
  };
  const repeating = setInterval(send, PROGRESS);
  const report = (text: string) => {
    message = text;
    send();
  };
  const timedOut = new AbortController();
  const over = new Promise<never>((_, reject) =>
    timedOut.signal.addEventListener("abort", () => reject(timedOut.signal.reason)),
  );
  const deadline = setTimeout(() => timedOut.abort(new BankError("request_timed_out")), time);
  const signal = AbortSignal.any([mcpReq.signal, timedOut.signal]);
  // In the later versions the host asks the person after this call.
  const answerUntil = Date.now() + (connection.era === "modern" ? ANSWER_TIME : Math.min(ANSWER_TIME, time - MARGIN));
  const openPage = async (page: HostPage) => {
    // The host has cancelled the call.
    signal.throwIfAborted();
    if (connection.giveAddress || !canOpenPages(connection, mcpReq)) return "unavailable";
    if (connection.era === "modern") return askByResult(page);
    return elicit(connection, mcpReq, page, { signal, timeout: Math.max(1, answerUntil - Date.now()) });
  };
  const answered = readAnswer(mcpReq);
  try {
    return await Promise.race([
      run({ signal, until, answerUntil, report, openPage, ...(answered && { answered }) }),
      over,
    ]);
  } finally {
    clearTimeout(deadline);
    clearInterval(repeating);
  }
}

/** The capabilities of a host that supports elicitation in URL mode. */
const withPages = v.object({ elicitation: v.object({ url: v.object({}) }) });

/** Whether the host can open a page. From 2026-07-28 on each request contains it. */
function canOpenPages({ server, era }: Connection, mcpReq: ServerContext["mcpReq"]): boolean {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  return v.is(withPages, era === "modern" ? envelope[CLIENT_CAPABILITIES_META_KEY] : server.getClientCapabilities());
}

/** Makes the host open a page and repeat the call with the person's answer and the name of the page. */
const askByResult = ({ name, address, message }: HostPage): InputRequiredResult =>
  inputRequired({
    inputRequests: { [PAGE]: inputRequired.elicitUrl({ message, url: address }) },
    // A random name, which grants nothing: it needs no signature.
    requestState: name,
  });

/** Reads the host's answer about a page that a result has requested. */
function readAnswer({ requestState, inputResponses }: ServerContext["mcpReq"]): HostCall["answered"] {
  const name = requestState<string>();
  if (name === undefined) return undefined;
  const response = inputResponse(inputResponses, PAGE);
  return { name, answer: response.kind === "elicit" ? toPageAnswer(response.action) : "unavailable" };
}

const toPageAnswer = (action: "accept" | "decline" | "cancel"): PageAnswer =>
  action === "accept" ? "accepted" : "declined";

/** Elicitation in URL mode: the host shows the address to the person, and not to a model. */
async function elicit(
  { server, gone, onError }: Connection,
  mcpReq: ServerContext["mcpReq"],
  { address, message, waitForEnd }: HostPage,
  options: { readonly signal: AbortSignal; readonly timeout: number },
): Promise<PageAnswer> {
  const elicitationId = randomUUID();
  try {
    const { action } = await mcpReq.elicitInput({ mode: "url", message, url: address, elicitationId }, options);
    if (action !== "accept") return toPageAnswer(action);
  } catch (error) {
    options.signal.throwIfAborted();
    if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) return "unanswered";
    // The host declares the capability, and fails.
    onError(error);
    return "unavailable";
  }
  waitForEnd(gone)
    .then(server.createElicitationCompletionNotifier(elicitationId))
    .catch((error: unknown) => void (gone.aborted || onError(error)));
  return "accepted";
}
