import { createServer } from "node:http";
import { H3 } from "h3";
import { toNodeHandler } from "h3/node";
import type { Relay } from "ventanilla/relay";

export function withNode(relay: Relay) {
  const app = new H3().all("/bank/**", (event) => relay(event.req));
  return createServer(toNodeHandler(app));
}
