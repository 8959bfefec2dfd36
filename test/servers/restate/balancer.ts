import { once } from "node:events";
import { type ClientHttp2Session, connect, createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream";

/** One address for several workers, as a load balancer gives it: each HTTP/2 stream, which is an invocation, goes to the next worker. */
export async function startBalancer() {
  const workers: { readonly port: number; session?: ClientHttp2Session }[] = [];
  let streams = 0;

  const readSession = (worker: (typeof workers)[number]): ClientHttp2Session => {
    if (worker.session && !worker.session.closed && !worker.session.destroyed) return worker.session;
    const session = connect(`http://127.0.0.1:${worker.port}`, { settings: { initialWindowSize: 2 ** 20 } });
    session.on("error", () => session.destroy());
    worker.session = session;
    return session;
  };

  const server = createServer();
  server.on("session", (session) => session.on("error", () => session.destroy()));
  server.on("stream", (incoming, headers) => {
    const worker = workers[streams++ % workers.length];
    if (!worker) return incoming.close();
    const outgoing = readSession(worker).request(headers);
    outgoing.on("response", (response) => {
      if (!incoming.destroyed) incoming.respond(response);
    });
    // A worker or server that is killed breaks a stream in the middle: then the other stream is reset.
    pipeline(incoming, outgoing, incoming, (error) => error && incoming.close(2));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** How many streams have begun. */
    streams: () => streams,
    add: (port: number) => workers.push({ port }),
    close: () => server.close(),
  };
}
