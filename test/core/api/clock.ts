import type { BankClientOptions } from "ventanilla";
import { vi } from "vitest";

type Fetch = NonNullable<BankClientOptions["fetch"]>;

/** Stops the clock at a fixed time. With it, a given `fetch` takes the place of a server. */
export function freezeTime(): void {
  vi.useFakeTimers({ now: Date.UTC(2026, 2, 1, 12) });
}

/** A `fetch` that returns these responses in turn, the last one again and again, and records the times of its calls. */
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

/** A `fetch` without a response, which rejects when its signal is aborted. */
export const abortableFetch: Fetch = (_, init) =>
  new Promise((_, reject) => {
    init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
  });

/** A `fetch` without a response, which ignores its signal. */
export const endlessFetch: Fetch = () => new Promise(() => {});

export const unavailable = (headers: Record<string, string> = {}) =>
  Response.json({ status: "provider_unavailable" }, { status: 503, headers });

export const noProviders = () => Response.json({ status: "success", providers: [] });
