import type { createFetch } from "ofetch";

let loaded: typeof createFetch | undefined;

/** `createFetch` of ofetch, from the first request on: on Node, its entry takes longer to load than all else of this package. */
export async function loadOfetch(): Promise<typeof createFetch> {
  loaded ??= (await import("ofetch")).createFetch;
  return loaded;
}
