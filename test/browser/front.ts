import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { extname, join } from "node:path";

/** One request as the front received it. */
export interface Arrival {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Which request of its connection it is, from 1. */
  readonly number: number;
  readonly socket: Socket;
  /** Sends it on to the relay, whole, and gives what came back as it stood on the wire. */
  forward(): Promise<string>;
}

const types: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

/** A server on bare TCP between a page and its relay: it serves the page, passes requests on, and breaks what it is told to break. */
export async function openFront(files: string) {
  const state = {
    relay: "",
    /** Takes a request's response into its own hands; false leaves it to the front. */
    misbehave: async (_: Arrival): Promise<boolean> => false,
  };
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    let bytes = Buffer.alloc(0);
    let number = 0;
    let turn = Promise.resolve();
    socket.on("data", (part) => {
      bytes = Buffer.concat([bytes, part]);
      for (let end = bytes.indexOf("\r\n\r\n"); end >= 0; end = bytes.indexOf("\r\n\r\n")) {
        const [line = "", ...fields] = bytes.subarray(0, end).toString("latin1").split("\r\n");
        const headers = Object.fromEntries(
          fields.map((field) => {
            const colon = field.indexOf(":");
            return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
          }),
        );
        const whole = end + 4 + Number(headers["content-length"] ?? 0);
        if (bytes.length < whole) return;
        const body = bytes.subarray(end + 4, whole).toString("latin1");
        bytes = bytes.subarray(whole);
        number += 1;
        const [method = "", path = ""] = line.split(" ");
        const forward = () => passOn(socket, state.relay + path, method, headers, body);
        const arrival: Arrival = { method, path, headers, body, number, socket, forward };
        turn = turn.then(() => respond(arrival)).catch(() => void socket.destroy());
      }
    });
  });

  const respond = async (arrival: Arrival) => {
    if (await state.misbehave(arrival)) return;
    if (arrival.path.startsWith("/bank/")) arrival.socket.write(await arrival.forward(), "latin1");
    else await serveFile(arrival);
  };

  const serveFile = async ({ path, socket }: Arrival) => {
    const name = path === "/" ? "/index.html" : path;
    const content = await readFile(join(files, name)).catch(() => undefined);
    const type = types[extname(name)] ?? "application/octet-stream";
    const head = `HTTP/1.1 ${content ? 200 : 404} OK\r\ncontent-type: ${type}\r\ncontent-length: ${content?.length ?? 0}\r\n\r\n`;
    socket.write(head);
    if (content) socket.write(content);
  };

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(state, { url, close: () => void server.close() });
}

/** On a connection of its own, which breaks with the page's. */
function passOn(
  socket: Socket,
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { ...headers, connection: "close" }, agent: false }, (response) => {
      response.setEncoding("latin1");
      let text = "";
      response.on("data", (part) => {
        text += part;
      });
      response.on("error", reject);
      response.on("end", () => {
        const { connection: _, "transfer-encoding": __, ...kept } = response.headers;
        const lines = Object.entries({ ...kept, "content-length": String(text.length) });
        const head = [`HTTP/1.1 ${response.statusCode} OK`, ...lines.map(([name, value]) => `${name}: ${value}`)];
        resolve(`${head.join("\r\n")}\r\n\r\n${text}`);
      });
    });
    sent.on("error", reject);
    const breakOff = () => void sent.destroy();
    socket.once("close", breakOff);
    sent.on("close", () => socket.off("close", breakOff));
    sent.end(body, "latin1");
  });
}
