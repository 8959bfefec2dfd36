import { randomUUID } from "node:crypto";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import {
  ClientCapabilitiesSchema,
  ElicitResultSchema,
  type RequestMeta,
  type ServerNotification,
  type ServerRequest,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/sdk/types.js";
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
  connection: Connection,
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
    sendNotification({ method: "notifications/progress", params }).catch(connection.onError);
  };
  const repeating = setInterval(send, PROGRESS);
  const report = (text: string) => {
    message = text;
    send();
  };
  const openPage = async (page: HostPage) => {
    // Nobody gets the result any more.
    signal.throwIfAborted();
    return canOpenPages(connection.server, _meta) ? openOutside(connection, page, signal) : "unavailable";
  };
  try {
    return await run({ signal, report, openPage });
  } finally {
    clearInterval(repeating);
  }
}

/**
 * Whether the host has elicitation in URL mode for this request. From its version 2026-07-28 on, the protocol has no `initialize`: each
 * request says its version and the client's capabilities in `_meta`, and a server relies on nothing that another request has said. That
 * version has no requests by servers either.
 */
function canOpenPages(server: Server, meta: RequestMeta = {}): boolean {
  const { "io.modelcontextprotocol/protocolVersion": version, "io.modelcontextprotocol/clientCapabilities": declared } =
    meta;
  if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.some((supported) => supported === version)) return false;
  const capabilities =
    declared === undefined ? server.getClientCapabilities() : ClientCapabilitiesSchema.safeParse(declared).data;
  return capabilities?.elicitation?.url !== undefined;
}

/** Elicitation in URL mode: the host shows the address to the person, and to no model. */
async function openOutside(
  { server, gone, onError }: Connection,
  { address, message, expiresAt, waitForEnd }: HostPage,
  signal: AbortSignal,
): ReturnType<HostCall["openPage"]> {
  const elicitationId = randomUUID();
  const timeout = Math.max(1, expiresAt.getTime() - Date.now());
  try {
    // The SDK's own functions for both messages know the capabilities of `initialize` alone.
    const params = { mode: "url", message, url: address, elicitationId } as const;
    const options = { signal, timeout };
    const { action } = await server.request({ method: "elicitation/create", params }, ElicitResultSchema, options);
    if (action !== "accept") return "declined";
  } catch (error) {
    signal.throwIfAborted();
    // The host has said that it can, and could not.
    onError(error);
    return "unavailable";
  }
  const method = "notifications/elicitation/complete";
  waitForEnd(gone)
    .then(() => server.transport?.send({ jsonrpc: "2.0", method, params: { elicitationId } }))
    .catch((error: unknown) => void (gone.aborted || onError(error)));
  return "accepted";
}
