import type { IncomingMessage } from "node:http";
import { Hono } from "hono";
import type { Relay } from "ventanilla/relay";

export function withHono(relay: Relay) {
  // @hono/node-server gives Node's request; elsewhere getConnInfo() of Hono's adapter tells the address.
  const app = new Hono<{ Bindings: { incoming: IncomingMessage } }>();
  app.all("/bank/*", ({ req, env }) => relay(Object.assign(req.raw, { ip: env.incoming.socket.remoteAddress })));
  return app;
}
