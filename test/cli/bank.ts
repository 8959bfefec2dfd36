import { randomBytes } from "node:crypto";
import { createSandbox, SANDBOX_API_KEY } from "ventanilla/sandbox";
import { type Reply, respondAs, startService } from "../bank/service.ts";

/** A request as the bank saw it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly form: URLSearchParams;
  /** Resolves when the other side broke the connection before the response. */
  readonly aborted: Promise<void>;
}

/** A bank that listens, and remembers what it was sent. */
export interface WatchedBank {
  readonly url: string;
  readonly seen: Seen[];
  /** The environment that names it. */
  readonly environment: Record<string, string>;
  /** The same with a key that seals. */
  readonly sealingEnvironment: Record<string, string>;
  /** The most logins that were under way at the same time, in all and at one provider. */
  readonly most: { all: number; perProvider: number };
  /** Resolves with the next request that fits. */
  next(fits: (seen: Seen) => boolean): Promise<Seen>;
}

export interface BankOptions {
  /** What each login waits for before its response; its number is 1 for the first to come. */
  readonly before?: (number: number) => Promise<void>;
  /** Responds in the sandbox's place; `undefined` leaves it to the sandbox. */
  readonly respond?: (seen: Seen) => Reply | undefined;
}

/** Serves a sandbox over real HTTP, with faults put in on request. */
export async function watchedBank({ before, respond }: BankOptions = {}): Promise<WatchedBank> {
  const respondAsSandbox = respondAs(createSandbox());
  const seen: Seen[] = [];
  const waiting = new Set<(request: Seen) => void>();
  const open: string[] = [];
  const most = { all: 0, perProvider: 0 };
  let logins = 0;

  const { url } = await startService(async (request) => {
    const form = new URLSearchParams(request.body);
    const entry: Seen = { method: request.method, path: request.url, form, aborted: request.abandoned };
    seen.push(entry);
    for (const look of waiting) look(entry);
    const reply = respond?.(entry);
    if (!isLogin(entry)) return reply ?? respondAsSandbox(request);
    const provider = form.get("provider") ?? "";
    open.push(provider);
    most.all = Math.max(most.all, open.length);
    most.perProvider = Math.max(most.perProvider, open.filter((one) => one === provider).length);
    await before?.(++logins);
    open.splice(open.indexOf(provider), 1);
    return reply ?? respondAsSandbox(request);
  });
  const environment = { VENTANILLA_BASE_URL: url, VENTANILLA_API_KEY: SANDBOX_API_KEY };
  return {
    url,
    seen,
    most,
    environment,
    sealingEnvironment: { ...environment, VENTANILLA_SEAL_KEY: randomBytes(32).toString("base64") },
    next: (fits) =>
      new Promise((resolve) => {
        const look = (request: Seen) => {
          if (!fits(request)) return;
          waiting.delete(look);
          resolve(request);
        };
        waiting.add(look);
      }),
  };
}

/** Whether a request is a login. */
export const isLogin = ({ method }: Seen): boolean => method === "POST";
