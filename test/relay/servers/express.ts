import express from "express";
import { H3 } from "h3";
import { toNodeHandler } from "h3/node";
import type { Relay } from "ventanilla/relay";

export function withExpress(relay: Relay) {
  const app = express();
  const bank = new H3().all("/**", (event) => relay(event.req));
  app.all("/bank/*path", toNodeHandler(bank)); // before any body parser: the relay reads the form itself
  return app;
}
