import { ATTEMPT_HEADER } from "./attempts.ts";

/** What a browser's script must send with each request; another site's script can't without a preflight. */
export const REQUEST_HEADER = "x-ventanilla";

/** How long a browser may keep the response to a preflight, in seconds. */
const PREFLIGHT_AGE = "600";

/**
 * Whether a text is an origin as browsers write it. `URL` knows those of the web alone; web views of apps have schemes of their own,
 * such as `capacitor://localhost`.
 */
export function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, host } = new URL(text);
  // The pages of all files are `null`.
  if (origin !== "null" || protocol === "file:" || host === "") return origin === text;
  return `${protocol}//${host}` === text;
}

/**
 * Whether a request comes from a page that may use the relay.
 *
 * Browsers send `Origin` with every POST and with every read of another origin, and scripts can't change it. A read of the
 * page's own origin comes without; then `Sec-Fetch-Site`, which scripts can't write either, decides. Old browsers send
 * neither: what is left is the request header, which another site's page can't send without a preflight. What comes with neither to a
 * relay that serves apps is an app's, see `readAppToken`.
 */
export function isFromAllowedOrigin(request: Request, allowed: ReadonlySet<string>): boolean {
  const origin = request.headers.get("origin");
  if (origin !== null) return allowed.has(origin);
  const site = request.headers.get("sec-fetch-site");
  return request.method === "GET" && (site === null || site === "same-origin");
}

/** The headers that let a page of an allowed origin read the response. Other pages get none. */
export function createCorsHeaders(request: Request, allowed: ReadonlySet<string>): Record<string, string> {
  const origin = request.headers.get("origin");
  if (origin === null || !allowed.has(origin)) return {};
  return { "access-control-allow-origin": origin, "access-control-expose-headers": "retry-after" };
}

/** The headers of the response to a preflight of one route. No credentials: the relay knows no cookies. */
export function createPreflightHeaders(method: string, sessionKeyIn: "query" | "header"): Record<string, string> {
  const headers = [
    "content-type",
    REQUEST_HEADER,
    ATTEMPT_HEADER,
    ...(sessionKeyIn === "header" ? ["x-session-key"] : []),
  ];
  return {
    "access-control-allow-methods": method,
    "access-control-allow-headers": headers.join(", "),
    "access-control-max-age": PREFLIGHT_AGE,
  };
}
