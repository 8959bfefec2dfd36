import type { BankClientOptions } from "ventanilla";
import { vi } from "vitest";

type Fetch = NonNullable<BankClientOptions["fetch"]>;

/** Stands the clock still at a fixed time; only here a given `fetch` takes the place of a server. */
export function stopTheClock(): void {
  vi.useFakeTimers({ now: Date.UTC(2026, 2, 1, 12) });
}

/** A `fetch` that gives these responses in turn, the last one again and again, and notes when it was called. */
export function respondInTurn(...responses: readonly (() => Response)[]): { fetch: Fetch; times: readonly number[] } {
  const start = Date.now();
  const times: number[] = [];
  const fetch: Fetch = async () => {
    times.push(Date.now() - start);
    const respond = responses[Math.min(times.length, responses.length) - 1];
    if (!respond) throw new Error("no response");
    return respond();
  };
  return { fetch, times };
}

/** A `fetch` whose response never comes, and that ends with its signal. */
export const patient: Fetch = (_, init) =>
  new Promise((_, reject) => {
    init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
  });

/** A `fetch` whose response never comes, and that does not listen to its signal. */
export const deaf: Fetch = () => new Promise(() => {});

export const unavailable = (headers: Record<string, string> = {}) =>
  Response.json({ status: "provider_unavailable" }, { status: 503, headers });

export const noProviders = () => Response.json({ status: "success", providers: [] });
