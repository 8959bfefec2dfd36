import { Hono } from "hono";
import type { Relay } from "ventanilla/relay";

export function withHono(relay: Relay) {
  const app = new Hono();
  app.all("/bank/*", (context) => relay(context.req.raw));
  return app;
}
