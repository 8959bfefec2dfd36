import { once } from "node:events";
import { type ClientHttp2Session, connect, createServer, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";

/**
 * One address for several workers, as a load balancer gives it: each invocation goes to the next worker that is there. HTTP/2 from
 * end to end, in both directions at once: an invocation, or a part of one, is a conversation.
 */
export async function startBalancer() {
  const workers: { readonly port: number; session: ClientHttp2Session | undefined }[] = [];
  let turn = 0;
  let conversations = 0;

  const session = (worker: (typeof workers)[number]) => {
    if (worker.session && !worker.session.closed && !worker.session.destroyed) return worker.session;
    const opened = connect(`http://127.0.0.1:${worker.port}`, { settings: { initialWindowSize: 2 ** 20 } });
    opened.on("error", () => opened.destroy());
    worker.session = opened;
    return opened;
  };

  const server = createServer();
  server.on("session", (one) => one.on("error", () => one.destroy()));
  server.on("stream", (incoming: ServerHttp2Stream, headers) => {
    conversations++;
    const worker = workers[turn++ % workers.length];
    if (!worker) return incoming.close();
    const { ":method": method, ":path": path, ...rest } = headers;
    const sent = Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith(":")));
    const outgoing = session(worker).request({ ":method": method, ":path": path, ...sent });
    const fail = () => {
      outgoing.destroy();
      if (!incoming.destroyed) incoming.close(2);
    };
    outgoing.on("response", ({ ":status": status, ...answer }) => {
      if (incoming.destroyed) return;
      const told = Object.fromEntries(Object.entries(answer).filter(([name]) => !name.startsWith(":")));
      incoming.respond({ ":status": status ?? 502, ...told });
      outgoing.pipe(incoming);
    });
    outgoing.on("error", fail);
    outgoing.on("close", () => {
      // A worker that died leaves its conversations in the middle.
      if (!outgoing.readableEnded) fail();
    });
    incoming.on("error", () => outgoing.destroy());
    incoming.on("aborted", () => outgoing.destroy());
    incoming.on("close", () => outgoing.close());
    incoming.pipe(outgoing);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get conversations() {
      return conversations;
    },
    add: (port: number) => workers.push({ port, session: undefined }),
    close: () => server.close(),
  };
}
