import type { Server } from "node:http";
import { InputError } from "../api/errors.ts";
import { LOOPBACK } from "./page.ts";

const LAST_PORT = 65_535;

/** Starts a server on the loopback and gives its origin. Rejects with `invalid_input` for a port it can't have. */
export function listen(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    if (port > LAST_PORT)
      throw new InputError("invalid_input", { field: "port", detail: `must be at most ${LAST_PORT}` });
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(new InputError("invalid_input", { field: "port", detail: error.code ?? "can't be listened on" }));
    });
    server.listen({ port, host: LOOPBACK }, () => {
      const address = server.address();
      resolve(`http://${LOOPBACK}:${typeof address === "object" ? address?.port : port}`);
    });
  });
}
