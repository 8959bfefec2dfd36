import { digestText } from "../../core/api/digest.ts";
import { isToken } from "../environment.ts";
import type { HostedSettings } from "./hosted-options.ts";

/** Seconds: longer than any session is open. */
const LIFETIME = 2_592_000;

/**
 * The cookie by which a browser is recognised: one for all of its sessions, or many links would be more than a server takes. It is made with the
 * first page, and a session belongs to its browser from the first submit on. `Lax`: a link in a messenger or a mail opens the page with its cookie.
 */
export function createBrowserCookie({ url, environment }: Pick<HostedSettings, "url" | "environment">) {
  const isSecure = url.startsWith("https:");
  // The prefix keeps out cookies that another host of the domain sets. On plain http, on this machine alone, no browser takes it.
  const name = `${isSecure ? "__Host-" : ""}ventanilla`;

  function readSecret(request: Request): string | undefined {
    const start = `${name}=`;
    const pairs = (request.headers.get("cookie") ?? "").split(/; ?/);
    const secret = pairs.find((pair) => pair.startsWith(start))?.slice(start.length);
    return secret !== undefined && isToken(secret) ? secret : undefined;
  }

  return {
    /** What the store has of a browser, for one session: two of them can't be connected. `undefined` for one without the cookie. */
    async read(request: Request, id: string): Promise<string | undefined> {
      const secret = readSecret(request);
      return secret === undefined ? undefined : digestText(`${id} ${secret}`);
    },

    /** The header `Set-Cookie`, with a new secret for a browser that has none. */
    create(request: Request): string {
      const secret = readSecret(request) ?? environment.createToken();
      return `${name}=${secret}; Path=/; Max-Age=${LIFETIME}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
    },
  };
}
