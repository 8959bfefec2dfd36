import { checkWellFormed, createInputError } from "./input-checks.ts";

/** Checks the address of a service, or the path of a relay on the page's own origin. */
export function parseServiceUrl(value: string, { isPathAllowed }: { readonly isPathAllowed: boolean }): string {
  checkWellFormed("baseUrl", value);
  const url = parseUrl(value);
  if (!url && isPathAllowed) return parseBasePath(value);
  if (!url) throw createInputError("baseUrl", "must be an absolute address");
  if (!["http:", "https:"].includes(url.protocol)) {
    throw createInputError("baseUrl", "must be http or https");
  }
  // React Native's `URL` takes any text.
  if (url.host === "") throw createInputError("baseUrl", "must be an absolute address");
  // `search` and `hash` are empty for an empty query or fragment, which would still swallow every path.
  if (url.username || url.password || /[?#]/.test(value)) {
    throw createInputError("baseUrl", "must have no user, query or fragment");
  }
  return trimSlashes(url.href);
}

/** React Native and browsers before 2024 have no `URL.canParse`. The platform's error repeats the value, which may hold a password. */
export function parseUrl(value: string, base?: string): URL | undefined {
  try {
    return new URL(value, base);
  } catch {
    return undefined;
  }
}

/** An address without the slashes at its end. `/\/+$/` takes quadratic time for slashes elsewhere. */
export function trimSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === "/") end -= 1;
  return address.slice(0, end);
}

function parseBasePath(value: string): string {
  // A URL parser drops some characters and reads others as a slash: the result could be another host.
  const page = "http://page.invalid";
  const url = parseUrl(value, page);
  if (url && /[?#]/.test(value)) throw createInputError("baseUrl", "must have no user, query or fragment");
  if (url?.href !== `${page}${value}`) {
    throw createInputError("baseUrl", "must be an absolute address, or a path that begins with one slash");
  }
  return trimSlashes(value);
}

/**
 * The complete address of a client's `baseUrl`. A path belongs to the page's own origin, even if it has a `<base>`.
 *
 * @throws {BankError} `invalid_input` naming `baseUrl`, for a path without a page.
 */
export function toAbsoluteUrl(baseUrl: string): string {
  if (baseUrl !== "" && !baseUrl.startsWith("/")) return baseUrl;
  const origin = globalThis.location?.origin ?? "";
  if (/^https?:\/\//.test(origin)) return `${origin}${baseUrl}`;
  throw createInputError("baseUrl", "must be absolute on a server");
}
