import type { Socket } from "node:net";
import { formatResponse, listen, type Received } from "../faults/wire.ts";
import type { Task } from "./client.ts";
import type { Row } from "./table.ts";

/** What the bank saw of one row. */
export interface Sighting {
  /** Requests of which the first line came. */
  begun: number;
  /** Requests that came whole. */
  readonly whole: Received[];
  /** Whether one of them came on a connection that had carried another request. */
  isReused: boolean;
}

export type TableBank = Awaited<ReturnType<typeof openTableBank>>;

const providers = formatResponse("200 OK", '{"status":"success","providers":[]}');

/**
 * Serves the faults of the rows, and counts the requests of each: their paths begin with the row's number. All HTTP codes come from
 * one server, each broken connection from one of its own.
 */
export async function openTableBank(rows: readonly Row[]) {
  const sightings = rows.map((): Sighting => ({ begun: 0, whole: [], isReused: false }));

  const used = new WeakSet<Socket>();

  const serve = () =>
    listen({
      remember: false,
      onConnection: (socket) => {
        socket.on("data", (chunk) => {
          for (const number of numbersIn(chunk.toString("latin1"))) {
            const sighting = sightings[number];
            if (sighting) sighting.begun += 1;
            const fault = rows[number]?.fault;
            if (fault?.at === "first byte") fault.play(socket);
          }
        });
      },
      onRequest: (socket: Socket, request) => {
        const number = Number(request.target.split("/")[1]);
        const isUsed = used.has(socket);
        used.add(socket);
        if (request.target.endsWith("/provider/")) return socket.write(providers);
        const sighting = sightings[number];
        sighting?.whole.push(request);
        if (sighting && isUsed) sighting.isReused = true;
        const fault = rows[number]?.fault;
        return fault?.at === "first byte" ? undefined : fault?.play(socket);
      },
    });

  const codes = await serve();
  const wires = await Promise.all(rows.map(({ fault }) => (fault.httpStatus === undefined ? serve() : codes)));
  const tasks = rows.map(({ fault, request, isKept }, number): Task => {
    const { port } = wires[number] ?? codes;
    const baseUrl = `http://127.0.0.1:${port}/${number}`;
    return { lane: port, baseUrl, request, isKept, timeout: fault.timeout ?? 30_000 };
  });
  return {
    /** What the client has to do, in the order of the rows. */
    tasks,
    /** In the order of the rows. */
    sightings,
    close: async () => {
      await Promise.all([...new Set([codes, ...wires])].map((wire) => wire.close()));
    },
  };
}

/** The rows of the requests that begin in these bytes. */
function numbersIn(bytes: string): number[] {
  return [...bytes.matchAll(/^(?:GET|POST) \/(\d+)\/(?!provider\/)/gm)].map(([, number]) => Number(number));
}
