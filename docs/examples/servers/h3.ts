import { H3 } from "h3";
import type { Relay } from "ventanilla/relay";

export function withH3(relay: Relay) {
  const app = new H3();
  app.all("/bank/**", (event) => relay(event.req));
  return app;
}
