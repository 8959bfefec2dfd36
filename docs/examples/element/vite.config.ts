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
        // The address that the page was opened at, which is not known before somebody opens it.
        const origin = `http://${request.headers.host}`;
        const known =
          handlers.get(origin) ?? handlerOf(relayFor(origin, (session) => server.config.logger.info(session)));
        handlers.set(origin, known);
        return known(request, response);
      });
    },
  };
}

const handlerOf = (answer: (request: Request) => Promise<Response>) =>
  toNodeHandler(new H3().all("/bank/**", (event) => answer(event.req)));

export default defineConfig({ plugins: [relay()], resolve: { alias: sources } });
