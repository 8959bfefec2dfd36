import { digestText } from "../../core/api/digest.ts";
import { isToken } from "../environment.ts";
import type { HostedSettings } from "./hosted-options.ts";

/** Seconds: longer than any session is open. */
const LIFETIME = 2_592_000;

/**
 * The cookie that identifies a browser: one for all its sessions, because a server limits the size of all cookies. It is set with the
 * first page, and a session belongs to its browser from the first submit on. `Lax`: a link in a messenger or a mail opens the page with its cookie.
 */
export function createBrowserCookie({ url, environment }: Pick<HostedSettings, "url" | "environment">) {
  const isSecure = url.startsWith("https:");
  // The prefix keeps out cookies that another host of the domain sets. Browsers refuse it on plain http, which only this machine uses.
  const name = `${isSecure ? "__Host-" : ""}ventanilla`;

  function readSecret(request: Request): string | undefined {
    const start = `${name}=`;
    const pairs = (request.headers.get("cookie") ?? "").split(/; ?/);
    const secret = pairs.find((pair) => pair.startsWith(start))?.slice(start.length);
    return secret !== undefined && isToken(secret) ? secret : undefined;
  }

  return {
    /** The digest that the store keeps of a browser, another one for each session so that sessions can't be connected. `undefined` without the cookie. */
    async read(request: Request, id: string): Promise<string | undefined> {
      const secret = readSecret(request);
      return secret === undefined ? undefined : digestText(`${id} ${secret}`);
    },

    /** The header `Set-Cookie`, with a new secret for a browser without one. */
    create(request: Request): string {
      const secret = readSecret(request) ?? environment.createToken();
      return `${name}=${secret}; Path=/; Max-Age=${LIFETIME}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
    },
  };
}
