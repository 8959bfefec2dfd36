import type { IncomingMessage, Server } from "node:http";
import { BankError } from "../api/errors.ts";

const LOOPBACK = "127.0.0.1";
const LAST_PORT = 65_535;

/** Whether a host, with or without a port, is a name of the loopback. */
export const isLoopback = (host: string): boolean => /^(127(\.\d+){3}|localhost|\[?::1\]?)(:\d+)?$/i.test(host);

/** Whether a request names the loopback as its host. Another name belongs to a page elsewhere (DNS rebinding). */
export const isForLoopback = ({ headers }: IncomingMessage): boolean => isLoopback(headers.host ?? "");

/**
 * Listens on a port, 0 for a free one.
 *
 * @param host the address to listen on. Default: the loopback, which no other machine reaches.
 * @returns the origin. Rejects with `invalid_input` for a port that can't be used.
 */
export function listen(server: Server, port = 0, host = LOOPBACK): Promise<string> {
  return new Promise((resolve, reject) => {
    const refuse = (detail: string) => reject(new BankError("invalid_input", { field: "port", detail }));
    if (port > LAST_PORT) return refuse(`must be at most ${LAST_PORT}`);
    server.once("error", (error: NodeJS.ErrnoException) => refuse(error.code ?? "can't be listened on"));
    server.listen({ port, host }, () => {
      const address = server.address();
      resolve(`http://${host}:${typeof address === "object" ? address?.port : port}`);
    });
  });
}

/** Stops a server and its connections at once. A second call has no effect. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
