/** An answer of the service before it becomes a response: the body's status decides, the HTTP code goes with it. */
export interface Answer {
  readonly http: number;
  readonly body: { readonly status: string; readonly [member: string]: unknown };
  readonly headers?: Readonly<Record<string, string>>;
}

export const ok = (body: Answer["body"]): Answer => ({ http: 200, body });

export const success = (members: Readonly<Record<string, unknown>> = {}): Answer =>
  ok({ status: "success", ...members });

/** A bare error status (contract, section 7). */
export const refusal = (status: string, http: number): Answer => ({ http, body: { status } });

/** The generic envelope of an error that has no status of its own. */
export const failure = (message: string, http: number, headers: Readonly<Record<string, string>> = {}): Answer => ({
  http,
  body: { status: "error", message },
  headers,
});

// Contract, section 7.
// The message is beyond it: published clients read it, and break without.
export const wrongCredentials: Answer = {
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

// What a web server says before the service gets a word in.
export const missingApiKey = failure("Missing API key", 401);
export const unknownApiKey = failure("Key not found", 403);
export const notFound = failure("Not found", 404);
export const methodNotAllowed = (allowed: string) => failure("Method not allowed", 405, { allow: allowed });
export const unsupportedContentType = failure("Unsupported content type", 415);
// The unread rest of the body makes the connection useless for another request.
export const bodyTooLarge = failure("Body too large", 413, { connection: "close" });
export const unreadableBody = failure("Unreadable body", 400);
export const repeatedField = failure("Repeated field", 400);
export const requestAborted = failure("Request aborted", 499);
export const internalError = failure("Internal error", 500);
