import { base64url } from "jose";

// What a path can't carry to the letter: what servers and proxies take for a path's own, and the mark of what is encoded.
const plainId = /^(?!~)[^%/\\\p{Cc}]+$/u;

/** A client's id for the browser: as it is, or with a tilde and in base64url where no path could carry it. */
export function shownClientId(id: string): string {
  return plainId.test(id) ? id : `~${base64url.encode(id)}`;
}

/** The client's id that the browser was shown; what nobody was shown stays as it came, for the bank to refuse. */
export function clientIdOf(shown: string): string {
  if (!shown.startsWith("~")) return shown;
  try {
    return new TextDecoder().decode(base64url.decode(shown.slice(1)));
  } catch {
    return shown;
  }
}
