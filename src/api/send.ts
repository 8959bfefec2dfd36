import { createFetch } from "ofetch";

/** What sends a request; `fetch` is looked up per call where none is given, so that an instrumentation that replaces it later is honoured. */
export type Send = (address: string, init: RequestInit) => Promise<Response>;

/** Sends by ofetch, with everything of it switched off that would decide for the statechart. In browsers see send.browser.ts. */
export function sendBy(fetch: typeof globalThis.fetch = (input, init) => globalThis.fetch(input, init)): Send {
  const { raw } = createFetch({ fetch });
  return (address, init) =>
    raw(address, {
      ...(init as object),
      // What may be repeated is decided in retry.ts, where waiting can be aborted.
      retry: false,
      ignoreResponseError: true,
      responseType: "stream",
    });
}
