import type { Socket } from "node:net";
import { formatResponse, listen, type Received, type Wire } from "../faults/wire.ts";
import type { Task } from "./play.ts";
import type { Row } from "./table.ts";

/** What the bank saw of one row. */
export interface Sighting {
  /** Requests of which the first line came. */
  begun: number;
  /** Requests that came whole. */
  readonly whole: Received[];
}

/** Raw servers that do what the rows say, and count what reaches them. */
export interface FaultyBank {
  /** What the client is to do, in the order of the rows. */
  readonly tasks: readonly Task[];
  /** In the order of the rows. */
  readonly sightings: readonly Sighting[];
  close(): Promise<void>;
}

const providers = formatResponse("200 OK", '{"status":"success","providers":[]}');

/** All HTTP codes come from one server, each broken connection from one of its own. The path begins with the row's number. */
export async function openFaultyBank(rows: readonly Row[]): Promise<FaultyBank> {
  const sightings = rows.map((): Sighting => ({ begun: 0, whole: [] }));

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
        if (request.target.endsWith("/provider/")) {
          socket.write(providers);
          return;
        }
        sightings[number]?.whole.push(request);
        const fault = rows[number]?.fault;
        if (fault?.at !== "first byte") fault?.play(socket);
      },
    });

  const codes = await serve();
  const wires: Wire[] = [codes];
  const tasks: Task[] = [];
  for (const [number, { fault, request, isKept }] of rows.entries()) {
    const wire = fault.httpStatus === undefined ? await serve() : codes;
    if (wire !== codes) wires.push(wire);
    tasks.push({
      lane: wire.port,
      baseUrl: `http://127.0.0.1:${wire.port}/${number}`,
      request,
      isKept,
      timeout: fault.timeout ?? 30_000,
    });
  }
  return {
    tasks,
    sightings,
    close: async () => {
      await Promise.all(wires.map((wire) => wire.close()));
    },
  };
}

/** The rows of the requests that begin in these bytes. */
function numbersIn(bytes: string): number[] {
  return [...bytes.matchAll(/^(?:GET|POST) \/(\d+)\/(?!provider\/)/gm)].map(([, number]) => Number(number));
}
