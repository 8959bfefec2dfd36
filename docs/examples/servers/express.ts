import express from "express";
import { createNodeHandler } from "ventanilla/node";
import type { Relay } from "ventanilla/relay";

export function withExpress(relay: Relay) {
  const app = express();
  app.use("/bank", createNodeHandler(relay)); // before any body parser: the relay reads the form itself
  return app;
}
