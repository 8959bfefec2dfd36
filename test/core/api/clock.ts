import type { BankClientOptions } from "ventanilla";
import { vi } from "vitest";

type Fetch = NonNullable<BankClientOptions["fetch"]>;

/** Stops the clock at a fixed time. With it, a given `fetch` takes the place of a server. */
export function freezeTime(): void {
  vi.useFakeTimers({ now: Date.UTC(2026, 2, 1, 12) });
}

/**
 * Watches the timers that are set in the fake clock. Node's own `fetch` and the driver of a browser, which earlier files of this process
 * have used, set some too: theirs do not count.
 *
 * @returns how many are running, and what ends the watch: call it before the clock is real again.
 */
export function watchTimers(): { readonly count: () => number; readonly end: () => void } {
  const faked = { setTimeout, clearTimeout };
  const running = new Set<unknown>();
  const set = (callback: (...parameters: unknown[]) => void, delay?: number, ...parameters: unknown[]) => {
    const [, , caller = ""] = new Error().stack?.split("\n") ?? [];
    const timer = faked.setTimeout(() => {
      running.delete(timer);
      callback(...parameters);
    }, delay);
    if (!/node:internal|playwright/.test(caller)) running.add(timer);
    return timer;
  };
  const clear: typeof clearTimeout = (timer) => {
    running.delete(timer);
    faked.clearTimeout(timer);
  };
  Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  return { count: () => running.size, end: () => void Object.assign(globalThis, faked) };
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
