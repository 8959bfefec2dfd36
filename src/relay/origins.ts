import { ATTEMPT_HEADER } from "./attempts.ts";

/** What a browser's script must send with each request; another site's can't without being asked about first. */
export const REQUEST_HEADER = "x-ventanilla";

/** How long a browser may keep the answer to a preflight, in seconds. */
const PREFLIGHT_AGE = "600";

/**
 * Why a request may not come from where it comes from; undefined where it may.
 *
 * Browsers send `Origin` with every POST and with every read of another origin, and scripts can't change it. A read of the
 * page's own origin comes without; then `Sec-Fetch-Site`, which scripts can't write either, tells. Old browsers send
 * neither: what is left is the request header, which another site's page can't send without a preflight.
 */
export function originFault(request: Request, allowed: ReadonlySet<string>): "origin_refused" | undefined {
  const origin = request.headers.get("origin");
  if (origin !== null) return allowed.has(origin) ? undefined : "origin_refused";
  const site = request.headers.get("sec-fetch-site");
  return request.method === "GET" && (site === null || site === "same-origin") ? undefined : "origin_refused";
}

/** The headers that let a page of an allowed origin read the answer. Nothing for anybody else. */
export function readableBy(request: Request, allowed: ReadonlySet<string>): Record<string, string> {
  const origin = request.headers.get("origin");
  if (origin === null || !allowed.has(origin)) return {};
  return { "access-control-allow-origin": origin, "access-control-expose-headers": "retry-after" };
}

/** What a preflight is told about one route. No credentials: the relay knows no cookies. */
export function preflightHeaders(method: string, sessionKeyIn: "query" | "header"): Record<string, string> {
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
