import { createServer, type ServerResponse } from "node:http";
import { type BankClient, type BankClientOptions, createBankClient } from "ventanilla";

/** What the bank saw of one request. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly form: Readonly<Record<string, string>>;
}

/** What the bank does about a request: it answers, or the connection breaks. */
export type Wire = { readonly http?: number; readonly body: Readonly<Record<string, unknown>> } | "broken";

/** A request that waits for the test to say what becomes of it. */
export interface OpenRequest {
  readonly seen: SeenRequest;
  end(wire: Wire): void;
  /** Fulfilled when the other side hangs up before there was an answer. */
  readonly abandoned: Promise<void>;
}

/** One client and what the bank heard from it; an API key of its own keeps stray requests of others out. */
export interface Conversation {
  readonly client: BankClient;
  readonly requests: readonly SeenRequest[];
  next(): Promise<OpenRequest>;
}

/** A bank on a port, which does nothing by itself. */
export async function openBank() {
  const listeners = new Map<string, (request: OpenRequest) => void>();
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "", "http://bank.test");
    let body = "";
    for await (const chunk of request) body += chunk;
    listeners.get(String(request.headers["x-api-key"]))?.({
      seen: {
        method: request.method ?? "",
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        form: Object.fromEntries(new URLSearchParams(body)),
      },
      end: (wire) => end(response, wire),
      abandoned: new Promise((resolve) => {
        response.once("close", () => !response.writableFinished && resolve());
      }),
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The bank has no port.");
  const baseUrl = `http://127.0.0.1:${address.port}`;

  return {
    converse(options: Partial<BankClientOptions> & { apiKey?: string } = {}): Conversation {
      const { apiKey = `conversation-${listeners.size + 1}` } = options;
      const requests: SeenRequest[] = [];
      const arrived: OpenRequest[] = [];
      const waiting: ((request: OpenRequest) => void)[] = [];
      listeners.set(apiKey, (request) => {
        requests.push(request.seen);
        const taker = waiting.shift();
        if (taker) taker(request);
        else arrived.push(request);
      });
      return {
        client: createBankClient({ baseUrl, retry: false, ...options, apiKey }),
        requests,
        next: () => {
          const request = arrived.shift();
          return request ? Promise.resolve(request) : new Promise((resolve) => waiting.push(resolve));
        },
      };
    },

    close(): Promise<void> {
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

export type Bank = Awaited<ReturnType<typeof openBank>>;

function end(response: ServerResponse, wire: Wire): void {
  if (wire === "broken") {
    response.destroy();
    return;
  }
  response.writeHead(wire.http ?? 200, { "content-type": "application/json" });
  response.end(JSON.stringify(wire.body));
}
