import type { Send } from "./send.ts";

/**
 * The same in browsers, where package.json puts it in the place of send.ts: with everything switched off ofetch does what
 * their own `fetch` does, and would be an eighth of what a page loads.
 */
export function sendBy(fetch: typeof globalThis.fetch = (input, init) => globalThis.fetch(input, init)): Send {
  return (address, init) => fetch(address, init);
}
