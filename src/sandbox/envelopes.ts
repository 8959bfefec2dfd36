import type { Answer } from "./answers.ts";

// `description` comes as a string, a list or an object: each form is met at some code.
const envelopes = {
  B1001: [403, "credentials", "Invalid credentials", "The bank did not accept the username or the password."],
  B1002: [403, "interaction", "Token error", "The bank did not accept the token."],
  B1003: [400, "interaction", "Token not sent", ["The field named by the interaction is missing."]],
  B1004: [403, "interaction", "Interactive answer error", { reason: "The bank did not accept the answer." }],
  B1005: [400, "interaction", "Interactive answer missing", ["The field named by the interaction is missing."]],
  B1006: [401, "session", "Provider session expired", "The bank closed the session before it was answered."],
  B1007: [502, "provider", "Provider login failed", { reason: "The bank's page did not answer as expected." }],
  B1008: [403, "credentials", "Must change password", "The bank asks its user to choose a new password."],
  B1011: [403, "credentials", "User blocked", ["The bank has locked the user out."]],
} as const satisfies Record<string, readonly [number, string, string, unknown]>;

export type EnvelopeCode = keyof typeof envelopes;

/** The newer error envelope, beyond the contract. */
export function envelope(code: EnvelopeCode): Answer {
  const [http, type, message, description] = envelopes[code];
  return { http, body: { status: "error", code, type, message, description } };
}
