import { createServer } from "node:http";
import { createNodeHandler } from "ventanilla/node";
import type { Relay } from "ventanilla/relay";

export function withNode(relay: Relay) {
  return createServer(createNodeHandler(relay));
}
