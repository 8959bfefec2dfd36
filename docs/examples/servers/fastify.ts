import Fastify from "fastify";
import { createNodeHandler } from "ventanilla/node";
import type { Relay } from "ventanilla/relay";

export function withFastify(relay: Relay) {
  const app = Fastify();
  const handle = createNodeHandler(relay);
  app.register(async (bank) => {
    // In this plugin alone the body stays unread: the relay reads the form itself.
    bank.removeAllContentTypeParsers();
    bank.addContentTypeParser("*", (_request, _body, done) => done(null));
    bank.all("/bank/*", (request, reply) => {
      reply.hijack();
      return handle(request.raw, reply.raw);
    });
  });
  return app;
}
