import { parseUrl } from "../../core/api/base-url.ts";
import { BankError, wrapThrown } from "../../core/api/errors.ts";
import { PICTURE_LIMIT } from "../../core/api/limits.ts";
import { readPicture } from "../../core/api/picture.ts";
import { discard, readBytes } from "../../core/api/response-body.ts";
import { isProviderCode } from "./relay-call.ts";
import { reportError } from "./relay-events.ts";
import type { RelaySettings } from "./relay-options.ts";
import type { RelayResponse } from "./relay-responses.ts";

/** A picture file. */
interface Logo {
  readonly mediaType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

// Each takes at most 128 KiB.
const LOGO_LIMIT = 200;
/** Milliseconds for which a logo is kept, here and in a browser; and for which one that can't be served is not fetched again. */
const KEPT = 86_400_000;
const FAILURE_KEPT = 600_000;
const FETCH_TIME = 5_000;

/** The address of a bank's logo in the relay's responses, below the relay's own. */
export const toLogoPath = (code: string): string => `logo/${code}/`;

/** Whether the relay may fetch a logo: over HTTPS, from a listed host. */
export function isFetchable(logo: unknown, { logoHosts }: Pick<RelaySettings, "logoHosts">): logo is string {
  const url = typeof logo === "string" ? parseUrl(logo) : undefined;
  return url?.protocol === "https:" && logoHosts.has(url.host) && url.username === "" && url.password === "";
}

/**
 * Serves the logos of banks, so that no other server learns at which bank a person logs in, and the page's policy needs only `img-src 'self'`. A logo is
 * public: an `img` sends no header, so its request is not checked as that of a login is.
 */
export function createLogos(settings: RelaySettings) {
  const { client, environment, prefix } = settings;
  const kept = new Map<string, { readonly logo: Promise<Logo | undefined>; until: number }>();

  async function fetchLogo(code: string): Promise<Logo | undefined> {
    const found = await client.getProvider(code);
    const address = found.status === "success" && found.provider.logo;
    if (!isFetchable(address, settings)) return undefined;
    const refuse = (detail: string): never => {
      const named = { request: "GET /provider/{code}/", baseUrl: client.baseUrl, field: "provider.logo" } as const;
      throw new BankError("response_against_contract", { ...named, detail: `the logo of ${code}: ${detail}` });
    };
    const signal = AbortSignal.timeout(FETCH_TIME);
    // Another address would be one that the operator has not listed.
    const { status, body } = await fetch(address, { redirect: "manual", signal }).catch(() => refuse("no response"));
    if (status !== 200 || !body) {
      discard(body);
      return refuse(`HTTP ${status}`);
    }
    const read = await readBytes(body, PICTURE_LIMIT).catch(() => refuse("no complete response"));
    const bytes = read ?? refuse(`more than ${PICTURE_LIMIT} bytes`);
    // By the beginning of the file, whatever its header says: an SVG can hold a script.
    const picture = readPicture(btoa(String.fromCharCode(...bytes.subarray(0, 12))));
    return picture ? { mediaType: picture.mediaType, bytes } : refuse("no PNG, JPEG, GIF or WebP");
  }

  function keep(code: string): Promise<Logo | undefined> {
    const logo = fetchLogo(code).catch((error: unknown) => {
      reportError(settings, wrapThrown(error), { id: crypto.randomUUID() });
      return undefined;
    });
    const entry = { logo, until: environment.now() + KEPT };
    kept.delete(code);
    kept.set(code, entry);
    const [oldest = ""] = kept.keys();
    if (kept.size > LOGO_LIMIT) kept.delete(oldest);
    void logo.then((found) => {
      if (!found) entry.until = environment.now() + FAILURE_KEPT;
    });
    return logo;
  }

  /** The logo at a path; `undefined` if the path is not that of one. @param checkLimit refuses a caller who has logos fetched too often. */
  return async (
    request: Request,
    path: string,
    checkLimit: () => Promise<RelayResponse | undefined>,
  ): Promise<Response | undefined> => {
    const [, code = ""] = path.startsWith(prefix) ? (/^logo\/([^/]+)\/$/.exec(path.slice(prefix.length)) ?? []) : [];
    if (request.method !== "GET" || !isProviderCode(code)) return undefined;
    const known = kept.get(code);
    const isKept = known && environment.now() < known.until;
    // If the limit can't be read, no logo is fetched.
    if (!isKept && (await checkLimit().catch(() => true))) return respond(429, null);
    const logo = await (isKept ? known.logo : keep(code));
    return logo
      ? respond(200, logo.bytes, { "content-type": logo.mediaType, "cache-control": `public, max-age=${KEPT / 1000}` })
      : respond(404, null);
  };
}

const respond = (status: number, body: BodyInit | null, headers = {}) =>
  new Response(body, {
    status,
    headers: {
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'",
      // The relay may be on another origin than its pages.
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
      ...headers,
    },
  });
