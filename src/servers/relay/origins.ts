import { KEY_HEADER, LOGIN_HEADER, RELAY_HEADER, SUBMIT_HEADER, TOKEN_HEADER } from "../../core/api/bank-request.ts";

/** How long a browser may keep the response to a preflight, in seconds. */
const PREFLIGHT_AGE = "600";

/**
 * Whether a text is an origin as browsers write it. `URL` knows only those of the web; web views of apps have their own schemes,
 * such as `capacitor://localhost`.
 */
export function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, host } = new URL(text);
  // The pages of all files have the origin `null`.
  if (origin !== "null" || protocol === "file:" || host === "") return origin === text;
  return `${protocol}//${host}` === text;
}

/**
 * Whether a request comes from a page that may use the relay.
 *
 * Browsers send `Origin` with every POST and with every read of another origin, and scripts can't change it. A read of the
 * page's own origin has none; then `Sec-Fetch-Site` decides, which scripts can't write either. Old browsers send
 * neither: then the request header decides, which another site's page can't send without a preflight. If a relay serves apps, a request with neither
 * is treated as an app's, see `checkSender`. Any program can write `Sec-Fetch-Site`: if no page is allowed, it
 * lets nothing in.
 */
export function isFromAllowedOrigin(request: Request, allowed: ReadonlySet<string>): boolean {
  const origin = request.headers.get("origin");
  if (origin !== null) return allowed.has(origin);
  const site = request.headers.get("sec-fetch-site");
  return allowed.size > 0 && request.method === "GET" && (site === null || site === "same-origin");
}

/** The headers that let a page of an allowed origin read the response. Other pages get none. */
export function createCorsHeaders(request: Request, allowed: ReadonlySet<string>): Record<string, string> {
  const origin = request.headers.get("origin");
  if (origin === null || !allowed.has(origin)) return {};
  const exposed = `retry-after, ${RELAY_HEADER}, ${SUBMIT_HEADER}`;
  return { "access-control-allow-origin": origin, "access-control-expose-headers": exposed };
}

/** The headers of the response to a preflight of one route. Without credentials, because the relay uses no cookies. */
export function createPreflightHeaders(method: string, allowedHeaders: readonly string[]): Record<string, string> {
  return {
    "access-control-allow-methods": method,
    "access-control-allow-headers": [
      "content-type",
      "cache-control",
      RELAY_HEADER,
      LOGIN_HEADER,
      TOKEN_HEADER,
      SUBMIT_HEADER,
      KEY_HEADER,
      ...allowedHeaders,
    ].join(", "),
    "access-control-max-age": PREFLIGHT_AGE,
  };
}
