import { H3 } from "h3";
import { toNodeHandler } from "h3/node";
import { defineConfig, type Plugin } from "vite";
import { sources } from "../sources.ts";

/** Serves the relay beside the page, on the page's own origin. */
function relay(): Plugin {
  return {
    name: "relay",
    async configureServer(server) {
      const { relayFor } = (await server.ssrLoadModule("/server.ts")) as typeof import("./server.ts");
      const handlers = new Map<string, ReturnType<typeof toNodeHandler>>();
      server.middlewares.use(async (request, response, next) => {
        if (!request.url?.startsWith("/bank/")) return next();
        // The origin of the page is known once somebody opens it.
        const origin = `http://${request.headers.host}`;
        const known =
          handlers.get(origin) ?? toHandler(relayFor(origin, (session) => server.config.logger.info(session)));
        handlers.set(origin, known);
        return known(request, response);
      });
    },
  };
}

const toHandler = (relay: (request: Request) => Promise<Response>) =>
  toNodeHandler(new H3().all("/bank/**", (event) => relay(event.req)));

export default defineConfig({ plugins: [relay()], resolve: { alias: sources } });
