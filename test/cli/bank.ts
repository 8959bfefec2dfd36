import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { createSandbox, SANDBOX_API_KEY } from "ventanilla/sandbox";
import { onTestFinished } from "vitest";

/** A request as the bank saw it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly form: URLSearchParams;
  /** Resolves when the other side broke the connection before the answer. */
  readonly aborted: Promise<void>;
}

/** A bank that listens, and remembers what it was asked. */
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
  /** What each login waits for before it is answered; its number is 1 for the first to come. */
  readonly before?: (number: number) => Promise<void>;
  /** Answers in the sandbox's place; `undefined` leaves it to the sandbox. */
  readonly answer?: (seen: Seen) => Response | "hang" | "cut" | undefined;
  readonly seed?: string;
}

/** Serves a sandbox over real HTTP, with faults put in on request. */
export async function watchedBank({ before, answer, seed }: BankOptions = {}): Promise<WatchedBank> {
  const sandbox = createSandbox(seed === undefined ? {} : { seed });
  const seen: Seen[] = [];
  const waiting = new Set<(request: Seen) => void>();
  const underWay: string[] = [];
  const most = { all: 0, perProvider: 0 };

  let logins = 0;
  const listener: RequestListener = async (request, response) => {
    const body = await bodyOf(request);
    const aborted = new Promise<void>((resolve) => {
      response.on("close", () => {
        if (!response.writableFinished) resolve();
      });
    });
    const entry = { method: request.method ?? "", path: request.url ?? "", form: new URLSearchParams(body), aborted };
    seen.push(entry);
    for (const look of waiting) look(entry);
    const provider = entry.form.get("provider") ?? "";
    const isLogin = entry.method === "POST";
    if (isLogin) underWay.push(provider);
    most.all = Math.max(most.all, underWay.length);
    most.perProvider = Math.max(most.perProvider, underWay.filter((one) => one === provider).length);
    const own = answer?.(entry);
    if (own === "hang") return;
    if (own === "cut") return void request.socket.destroy();
    if (isLogin) await before?.(++logins);
    const headers = request.headers as Record<string, string>;
    const asked = new Request(`http://sandbox${entry.path}`, {
      method: entry.method,
      headers,
      ...(isLogin && { body }),
    });
    const given = own ?? (await sandbox(asked));
    if (isLogin) underWay.splice(underWay.indexOf(provider), 1);
    response.writeHead(given.status, Object.fromEntries(given.headers));
    response.end(Buffer.from(await given.arrayBuffer()));
  };
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
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

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}
