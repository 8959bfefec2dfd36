import { randomUUID } from "node:crypto";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { ServerNotification, ServerRequest } from "@modelcontextprotocol/sdk/types.js";
import type { HostCall, HostPage } from "./tool.ts";

/** Milliseconds between two progress notifications. A host that sees them waits longer. */
const PROGRESS = 5_000;

/** What a host is asked through. */
export interface Connection {
  readonly server: Server;
  /** Aborted when the host has gone. */
  readonly gone: AbortSignal;
  /** Called with what the host could not be told. */
  readonly onError: (error: unknown) => void;
}

/** Runs the call of a tool with what it can ask of its host. */
export async function withHost<Result>(
  { server, gone, onError }: Connection,
  { signal, _meta, sendNotification }: RequestHandlerExtra<ServerRequest, ServerNotification>,
  run: (call: HostCall) => Promise<Result>,
): Promise<Result> {
  const progressToken = _meta?.progressToken;
  let progress = 0;
  let message = "";
  const send = () => {
    if (progressToken === undefined) return;
    progress += 1;
    const params = { progressToken, progress, ...(message && { message }) };
    sendNotification({ method: "notifications/progress", params }).catch(onError);
  };
  const repeating = setInterval(send, PROGRESS);
  const report = (text: string) => {
    message = text;
    send();
  };
  const openPage = (page: HostPage) => openOutside({ server, gone, onError }, page, signal);
  try {
    return await run({ signal, report, openPage });
  } finally {
    clearInterval(repeating);
  }
}

/** Elicitation in URL mode: the host shows the address to the person, and to no model. */
async function openOutside(
  { server, gone, onError }: Connection,
  { address, message, expiresAt, waitForEnd }: HostPage,
  signal: AbortSignal,
): ReturnType<HostCall["openPage"]> {
  // Nobody gets the result any more.
  signal.throwIfAborted();
  if (!server.getClientCapabilities()?.elicitation?.url) return "unavailable";
  const elicitationId = randomUUID();
  const timeout = Math.max(1, expiresAt.getTime() - Date.now());
  try {
    const params = { mode: "url", message, url: address, elicitationId } as const;
    const { action } = await server.elicitInput(params, { signal, timeout });
    if (action !== "accept") return "declined";
  } catch (error) {
    signal.throwIfAborted();
    // The host has said that it can, and could not.
    onError(error);
    return "unavailable";
  }
  const complete = server.createElicitationCompletionNotifier(elicitationId);
  waitForEnd(gone)
    .then(complete)
    .catch((error: unknown) => void (gone.aborted || onError(error)));
  return "accepted";
}
