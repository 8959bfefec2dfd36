import type { HostedSettings } from "./hosted-options.ts";
import { createToken, isToken } from "./random-token.ts";
import { LOGIN_TIME, type StoredSession } from "./session-records.ts";

/** Says which session a page's request is about. No other site's page can send it. */
export const SESSION_HEADER = "x-ventanilla-login";

/**
 * The cookie by which a browser is recognised, one for each session. It is made with the page and counts from the first submit on.
 * `Lax`: a link in a messenger or a mail opens the page with its cookie.
 */
export function createBrowserCookie({ url }: Pick<HostedSettings, "url">) {
  const isSecure = url.startsWith("https:");
  // The prefix keeps out cookies that another host of the domain sets. On plain http, on this machine alone, no browser takes it.
  const toName = (id: string) => `${isSecure ? "__Host-" : ""}ventanilla-${id}`;
  return {
    /** The secret of the browser for a session. */
    read(request: Request, id: string): string | undefined {
      const start = `${toName(id)}=`;
      const pairs = (request.headers.get("cookie") ?? "").split(/; ?/);
      const secret = pairs.find((pair) => pair.startsWith(start))?.slice(start.length);
      return secret !== undefined && isToken(secret) ? secret : undefined;
    },

    /** The header `Set-Cookie` with a new secret. */
    create({ id, created }: StoredSession): string {
      const lifetime = Math.ceil((created.expiresAt + LOGIN_TIME - Date.now()) / 1000);
      const secure = isSecure ? "; Secure" : "";
      return `${toName(id)}=${createToken()}; Path=/; Max-Age=${lifetime}; HttpOnly; SameSite=Lax${secure}`;
    },
  };
}
