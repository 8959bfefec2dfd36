import type { RelayFaultCode } from "../api/relay-faults.ts";
import { warn } from "./events.ts";

// What a browser wrote is repeated where it is an origin, and nothing else.
const originOf = (text: string | null) =>
  text !== null && text.length < 300 && URL.canParse(text) && new URL(text).origin === text ? text : undefined;

const texts: { readonly [Code in RelayFaultCode]: (request: Request) => string | undefined } = {
  origin_refused: ({ headers }) => {
    const origin = originOf(headers.get("origin"));
    return (
      origin &&
      `a page of ${origin} was refused. If it is yours, list "${origin}" in createRelay's allowedOrigins, to the letter: ` +
        "http://localhost and http://127.0.0.1 are two origins, and so are two ports."
    );
  },
  body_already_read: () =>
    "the body of a request had been read before the relay got it, so nothing was sent. Mount the relay before every body parser, " +
    "such as express.urlencoded(). See docs/relay.md, Servers.",
  slash_changed: () =>
    "a request came with the slash at the end of its path taken away or added. Turn that off in the server or the proxy before the " +
    'relay: skipTrailingSlashRedirect: true in next.config, export const trailingSlash = "ignore" in SvelteKit\'s +server.ts. ' +
    "See docs/relay.md, Servers.",
};

/** Tells the relay's owner, once for each kind, of a refusal that comes of how the relay is set up. */
export class Warnings {
  readonly #given = new Set<string>();

  tellOf(reason: string | undefined, request: Request): void {
    if (reason === undefined || !Object.hasOwn(texts, reason) || this.#given.has(reason)) return;
    const text = texts[reason as RelayFaultCode](request);
    if (text === undefined) return;
    this.#given.add(reason);
    warn(`ventanilla/relay: ${text}`);
  }
}
