import type { FaultCode } from "./failures.ts";

/** The faults that a relay reports about its setup, with what its developer must change. */
export const relayFaults = {
  origin_refused: "list the origin of the page in the relay's allowedOrigins",
  app_refused: "give the relay the function checkAppToken, and the app's client a token in its headers",
  not_signed_in: "let the person sign in, and give the client the headers that the relay's readUser reads",
  body_already_read: "mount the relay before every body parser",
  slash_changed: "let the paths of the relay keep their slash at the end, or none, without a redirect",
  path_differs: "give the relay the path that it is mounted under, such as /bank",
} as const;

export type RelayFaultCode = keyof typeof relayFaults;

/** The fault that a relay names in an error's body, with what its developer must change. */
export function parseRelayFault(body: unknown): { code: FaultCode; detail?: string } | undefined {
  const code = typeof body === "object" && body !== null && "error" in body ? body.error : undefined;
  // The person has answered elsewhere: no fault of the setup.
  if (code === "token_used") return { code };
  if (typeof code !== "string" || !Object.hasOwn(relayFaults, code)) return undefined;
  return { code: code as RelayFaultCode, detail: relayFaults[code as RelayFaultCode] };
}
