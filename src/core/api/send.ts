import { sendOnceOnBun } from "./once/bun.ts";
import { type DenoNamespace, sendOnceOnDeno } from "./once/deno.ts";
import { isLikeNode, sendOnceOnNode } from "./once/node.ts";

/** One request as it goes to `fetch`. */
export interface SendInit {
  readonly method: "GET" | "POST";
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** Sends a request. `isOnce`: the platform must not send it a second time either. */
export type Send = (address: string, init: SendInit, isOnce: boolean) => Promise<Response>;

const always = {
  redirect: "manual",
  // Next.js stores responses in files, those to a POST too, and gives them to later callers. Not `cache: "no-store"`: some workers
  // refuse it, and polyfills of `fetch` add a query for it.
  next: { revalidate: 0 },
} as const;

/** Sends by `fetch`. The global one is looked up at each call, so that an instrumentation can replace it later. */
export function createSend(given?: typeof globalThis.fetch): Send {
  return async (address, request, isOnce) => {
    const fetch = given ?? globalThis.fetch;
    const init: RequestInit = { ...request, ...always };
    if (!isOnce) return fetch(address, init);
    const { Bun, Deno } = globalThis as { readonly Bun?: object; readonly Deno?: DenoNamespace };
    if (Deno) return sendOnceOnDeno(Deno, fetch, address, init);
    if (Bun) return sendOnceOnBun(fetch, address, init);
    if (isLikeNode()) return sendOnceOnNode(fetch, address, init, given !== undefined);
    // Browsers and React Native have no way to say it: a relay recognises the repeat.
    return fetch(address, init);
  };
}
