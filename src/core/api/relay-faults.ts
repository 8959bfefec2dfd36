import type { FaultCode } from "./failures.ts";

/** Why a relay refuses a request for its setup, as it says so in the body: the fault of it, and what its developer must change. */
export const relayFaults = {
  origin_refused: { code: "invalid_setup", advice: "list the origin of the page in the relay's allowedOrigins" },
  app_refused: {
    code: "app_refused",
    advice: "give the relay the function checkAppToken, and the app's client a token in its headers",
  },
  not_signed_in: {
    code: "not_signed_in",
    advice: "let the person sign in, and give the client the headers that the relay's readUser reads",
  },
  body_already_read: { code: "invalid_setup", advice: "mount the relay before every body parser" },
  slash_changed: {
    code: "invalid_setup",
    advice: "let the paths of the relay keep their slash at the end, or none, without a redirect",
  },
  path_differs: { code: "invalid_setup", advice: "give the relay the path that it is mounted under, such as /bank" },
} as const satisfies Record<string, { readonly code: FaultCode; readonly advice: string }>;

export type RelayFaultReason = keyof typeof relayFaults;

export const isRelayFault = (reason: unknown): reason is RelayFaultReason =>
  typeof reason === "string" && Object.hasOwn(relayFaults, reason);

/** The fault that a relay names in an error's body, with what its developer must change. */
export function parseRelayFault(body: unknown): { code: FaultCode; detail?: string } | undefined {
  const reason = typeof body === "object" && body !== null && "error" in body ? body.error : undefined;
  if (!isRelayFault(reason)) return undefined;
  const { code, advice } = relayFaults[reason];
  return { code, detail: advice };
}
