import { type BankClient, type BankClientOptions, createBankClient, createRelayClient } from "ventanilla";
import { test as base } from "vitest";
import { openService, type Received, type Reply } from "./service.ts";

/** What the bank saw of one request. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly form: Readonly<Record<string, string>>;
}

/** A request that waits for the test to say what becomes of it. */
export interface OpenRequest {
  readonly seen: SeenRequest;
  end(reply: Reply): void;
  /** Fulfilled when the other side hangs up before there was a response. */
  readonly abandoned: Promise<void>;
}

/** One client and what the bank heard from it; an API key of its own keeps stray requests of others out. */
export interface Conversation {
  readonly client: BankClient;
  /** A page's client, to whom the bank is a relay. */
  readonly page: BankClient;
  readonly requests: readonly SeenRequest[];
  next(): Promise<OpenRequest>;
}

// The test decides when the bank responds: on a busy machine that can take longer than the default time-out.
const longTimeout = { login: 600_000, read: 600_000 };

// A request that never comes. Real timers: a test may have replaced them.
const PATIENCE = 30_000;
const { setTimeout: setTimer, clearTimeout: clearTimer } = globalThis;
const formatLast = (requests: readonly SeenRequest[]) => {
  const last = requests.at(-1);
  return last ? `${last.method} ${last.path}` : "the start";
};

/** A service for many clients at a time that only responds when a test says so: each request waits for it. */
export async function openHoldingBank() {
  const listeners = new Map<string, (request: OpenRequest) => void>();
  const { url, close } = await openService(
    (request) =>
      new Promise((end) => {
        listeners.get(String(request.headers["x-api-key"]))?.({
          seen: toSeen(request),
          end,
          abandoned: request.abandoned,
        });
      }),
  );

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
      const settings = { baseUrl: url, retry: false, directory: false, timeout: longTimeout } as const;
      return {
        page: createRelayClient({
          ...settings,
          fetch: (input, init) => {
            const request = new Request(input, init);
            request.headers.set("x-api-key", apiKey);
            return fetch(request);
          },
        }),
        // Each read of a conversation is told what to answer.
        client: createBankClient({
          ...settings,
          ...options,
          apiKey,
        }),
        requests,
        next: () => {
          const request = arrived.shift();
          if (request) return Promise.resolve(request);
          return new Promise((resolve, reject) => {
            const limit = setTimer(() => {
              waiting.splice(waiting.indexOf(take), 1);
              reject(new Error(`no request came after ${formatLast(requests)}`));
            }, PATIENCE);
            const take = (request: OpenRequest) => {
              clearTimer(limit);
              resolve(request);
            };
            waiting.push(take);
          });
        },
      };
    },
    close,
  };
}

export type HoldingBank = Awaited<ReturnType<typeof openHoldingBank>>;

function toSeen({ method, url, form }: Received): SeenRequest {
  const { pathname, searchParams } = new URL(url, "http://bank.test");
  return { method, path: pathname, query: Object.fromEntries(searchParams), form };
}

/** A test with a bank, which the tests of a file share. */
export const test = base.extend<{ bank: HoldingBank }>({
  bank: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from it what a fixture depends on
    async ({}, use) => {
      const bank = await openHoldingBank();
      await use(bank);
      await bank.close();
    },
    { scope: "file" },
  ],
});
