/** A response of the service. The status in the body decides, and the HTTP code matches it. */
export interface SandboxResponse {
  readonly http: number;
  readonly body: { readonly status: string; readonly [member: string]: unknown };
  readonly headers?: Readonly<Record<string, string>>;
  /** For the log: what the client has to change. */
  readonly mistake?: string;
}

export const ok = (body: SandboxResponse["body"]): SandboxResponse => ({ http: 200, body });

export const success = (members: Readonly<Record<string, unknown>> = {}): SandboxResponse =>
  ok({ status: "success", ...members });

/** A bare error status (contract, section 7). */
export const refusal = (status: string, http: number): SandboxResponse => ({ http, body: { status } });

/** The generic envelope of an error without its own status. */
export const failure = (
  message: string,
  http: number,
  headers: Readonly<Record<string, string>> = {},
): SandboxResponse => ({
  http,
  body: { status: "error", message },
  headers,
});

// What a client has to change.
const noApiKey = "Send the header X-API-Key with each request (contract, section 5).";
const otherApiKey = "The header X-API-Key has another key than the option apiKey of the sandbox.";
const doubledSlash =
  "The path has two slashes in a row: write the base address without a slash at its end (contract, section 4).";
const jsonBody =
  "The body is JSON: send a form, application/x-www-form-urlencoded, such as new URLSearchParams(fields) (contract, section 4.1).";
const otherContentType = "Send the login as a form, application/x-www-form-urlencoded (contract, section 4.1).";

/** An error whose message says what to change. */
function teach(message: string, http: number, mistake: string): SandboxResponse {
  return { ...failure(`${message}. ${mistake}`, http), mistake };
}

// Contract, section 7.
// The message is beyond it: published clients read it, and fail without it.
export const wrongCredentials: SandboxResponse = {
  http: 403,
  body: { status: "wrong_credentials", message: "Invalid credentials" },
};
export const missingCredentials = refusal("missing_credentials", 400);
export const providerDoesntExist = refusal("provider_doesnt_exist", 404);

// Beyond the contract.
export const userBlocked = refusal("user_blocked", 403);
export const providerUnavailable = refusal("provider_unavailable", 503);
export const missingParams = refusal("missing_params", 400);
export const loggedOut = ok({ status: "logged_out" });
export const invalidKey = failure("Invalid key", 200);
export const wrongClient = failure("wrong_client", 200);

// Responses of a web server in front of the service.
// Clients recognise these two by their exact messages.
export const missingApiKey: SandboxResponse = { ...failure("Missing API key", 401), mistake: noApiKey };
export const unknownApiKey: SandboxResponse = { ...failure("Key not found", 403), mistake: otherApiKey };
export const notFound = failure("Not found", 404);
export const slashDoubled = teach("Not found", 404, doubledSlash);
export const methodNotAllowed = (allowed: string) => failure("Method not allowed", 405, { allow: allowed });
export const unsupportedContentType = teach("Unsupported content type", 415, otherContentType);
export const unsupportedJson = teach("Unsupported content type", 415, jsonBody);
// The unread rest of the body makes the connection unusable for another request.
export const bodyTooLarge = failure("Body too large", 413, { connection: "close" });
export const unreadableBody = failure("Unreadable body", 400);
export const repeatedField = failure("Repeated field", 400);
export const requestAborted = failure("Request aborted", 499);
export const internalError = failure("Internal error", 500);

// `description` may be a string, a list or an object: each of them is used here.
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
export function envelope(code: EnvelopeCode): SandboxResponse {
  const [http, type, message, description] = envelopes[code];
  return { http, body: { status: "error", code, type, message, description } };
}
