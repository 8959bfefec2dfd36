import { randomBytes } from "node:crypto";
import { createSandbox, SANDBOX_API_KEY } from "ventanilla/sandbox";
import { promised, type Received, type Reply, respondAs, startService } from "./service.ts";

/** What responds in the sandbox's place; without a reply the sandbox does, later where that is awaited. */
export type Interference = (request: Received) => Reply | undefined | Promise<Reply | undefined>;

export const isLogin = ({ method }: Received): boolean => method === "POST";

/** Holds each login. */
export const hold: Interference = (request) => (isLogin(request) ? "held" : undefined);

/** Serves a sandbox over real HTTP, and remembers what it was sent. */
export async function watchedBank(respond?: Interference) {
  const respondAsSandbox = respondAs(createSandbox());
  const waiting = new Set<(login: Received) => void>();
  const { url, requests } = await startService(async (request) => {
    if (isLogin(request)) for (const note of [...waiting]) note(request);
    return (await respond?.(request)) ?? respondAsSandbox(request);
  });
  const environment = { VENTANILLA_BASE_URL: url, VENTANILLA_API_KEY: SANDBOX_API_KEY };
  return {
    url,
    requests,
    environment,
    sealingEnvironment: { ...environment, VENTANILLA_SEAL_KEY: randomBytes(32).toString("base64") },
    /** A field of each login that was sent, in their order. */
    sent: (field: string) => requests.filter(isLogin).map(({ form }) => form[field]),
    /** Resolves with the next login that comes, or a later one. */
    nextLogin: (count = 1) =>
      new Promise<Received>((resolve) => {
        let left = count;
        const note = (login: Received) => {
          left -= 1;
          if (left > 0) return;
          waiting.delete(note);
          resolve(login);
        };
        waiting.add(note);
      }),
  };
}

/** The same, which holds each login until it is released. */
export async function holdingBank() {
  const { promise, keep: release } = promised();
  const bank = await watchedBank(async (request) => void (isLogin(request) && (await promise)));
  return { ...bank, release };
}
