import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type BankClientOptions, createBankClient } from "ventanilla";
import { createSandbox } from "ventanilla/sandbox";
import { ownBank } from "./people.ts";
import { formatLine, formatResponse, listen, type Received } from "./wire.ts";

/** What a fault gets when the chosen request has arrived. */
export interface Scene {
  readonly socket: Socket;
  readonly request: Received;
  /** Responds as the bank would have. */
  pass(): Promise<void>;
  /** The address of a server that must never get a request. */
  readonly elsewhere: string;
}

/** A fault of the bank, or one of its address. */
export type Fault =
  | ((scene: Scene) => unknown)
  | "no one listens"
  | "a plain port, asked for TLS"
  | "a reset as soon as the connection stands";

/** How far a try got: the bank has the request, or the client the headers of its response. */
export type Stage = "arrived" | "headers came";

export type FaultyBank = Awaited<ReturnType<typeof openFaultyBank>>;

export const API_KEY = "api-key-canary-77aa";

/**
 * The sandbox behind a proxy that misbehaves at the chosen requests, and a server that must never get a request.
 *
 * @param chosen the line of the request that the fault is for, such as `POST /login/?key`.
 * @param onKey gets each key that the sandbox gives out.
 */
export async function openFaultyBank(fault: Fault, chosen: string, onKey: (key: string) => void = () => {}) {
  const sandbox = createSandbox({ apiKey: API_KEY, banks: [ownBank] });
  const elsewhere = await listen({
    onRequest: (socket) => socket.destroy(),
    ...(fault === "a reset as soon as the connection stands" && {
      onConnection: (socket: Socket) => socket.resetAndDestroy(),
    }),
  });
  const listeners: [Stage, () => void][] = [];
  const reach = (stage: Stage) => {
    for (const [wanted, listener] of listeners) if (wanted === stage) listener();
  };
  const first = (stage: Stage) => new Promise<void>((resolve) => listeners.push([stage, resolve]));
  const wire = await listen({
    onRequest: async (socket, request) => {
      const pass = async () => {
        const { status, text } = await ask(sandbox, request);
        for (const [, key = ""] of text.matchAll(/"key":"([^"]*)"/g)) onKey(key);
        socket.write(formatResponse(`${status} As The Sandbox Says`, text, { "content-type": "application/json" }));
      };
      const isChosen = formatLine(request) === chosen;
      if (isChosen) reach("arrived");
      if (typeof fault !== "function" || !isChosen) await pass();
      else await fault({ socket, request, pass, elsewhere: `http://127.0.0.1:${elsewhere.port}` });
    },
  });
  // A port that is taken by a connection: no other server can listen there, and this one does not.
  const deaf = fault === "no one listens" ? connect(elsewhere.port, "127.0.0.1") : undefined;
  if (deaf) await once(deaf, "connect");
  const scheme = fault === "a plain port, asked for TLS" ? "https" : "http";
  const port = typeof fault === "function" ? wire.port : (deaf?.localPort ?? elsewhere.port);
  let tries = 0;
  return {
    wire,
    elsewhere,
    /** `POST /login/`, … as the proxy saw them. */
    lines: () => wire.requests.map(formatLine),
    /** How often the client tried the chosen request. */
    tries: () => tries,
    /** Resolves when the chosen request has arrived. */
    arrived: first("arrived"),
    /** Resolves when the client has the headers of the response to it. */
    headersCame: first("headers came"),
    /** Calls the listener each time that the chosen request reaches the stage. */
    whenever: (stage: Stage, listener: () => void) => void listeners.push([stage, listener]),
    client: (options: Partial<BankClientOptions> = {}) =>
      createBankClient({
        baseUrl: `http://127.0.0.1:${wire.port}`,
        apiKey: API_KEY,
        retry: { limit: 1, delay: 1 },
        fetch: async (input, init) => {
          const { pathname, search } = new URL(String(input));
          const isChosen = formatLine({ method: init?.method ?? "GET", target: pathname + search }) === chosen;
          if (!isChosen) return fetch(input, init);
          tries += 1;
          const response = await fetch(`${scheme}://127.0.0.1:${port}${pathname}${search}`, init);
          reach("headers came");
          return response;
        },
        ...options,
      }),
    /** From now on nothing of the bank's side keeps the process alive. */
    unref: () => {
      wire.unref();
      elsewhere.unref();
    },
    close: async () => {
      deaf?.destroy();
      await Promise.all([wire.close(), elsewhere.close()]);
    },
  };
}

async function ask(sandbox: (request: Request) => Promise<Response>, { method, target, headers, body }: Received) {
  const sent = new Headers();
  for (const name of ["x-api-key", "content-type"]) if (headers[name]) sent.set(name, headers[name]);
  const init = method === "GET" ? { headers: sent } : { method, headers: sent, body };
  const response = await sandbox(new Request(`http://sandbox.test${target}`, init));
  return { status: response.status, text: await response.text() };
}
