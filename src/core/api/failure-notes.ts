import type { FailureCode } from "./failures.ts";

/** What a developer is told about a code. */
interface FailureNote {
  /** HTTP codes that it has been seen with; empty if it does not come from a response. */
  readonly http: readonly number[];
  readonly meaning: string;
}

/** The table's second half, for `docs/errors.md` and for servers. It is a table of its own, so that no browser loads it. */
export const failureNotes = {
  wrong_credentials: {
    http: [403, 200],
    meaning: "The bank refuses the user name, the password or another field of the form.",
  },
  missing_credentials: { http: [400], meaning: "The bank needs a field that was left empty." },
  provider_doesnt_exist: { http: [404], meaning: "The service knows no bank of this code." },
  user_blocked: { http: [403], meaning: "The bank has locked the user." },
  max_sessions_reached: {
    http: [403],
    meaning: "The user has another session open at the bank. `key`, where the service sends one, is that session's.",
  },
  provider_unavailable: { http: [503], meaning: "The bank, or the service's way to it, is down." },
  missing_params: { http: [], meaning: "The request lacks a parameter that the service needs." },
  not_implemented: { http: [], meaning: "The service does not offer this request for the bank." },
  wrong_answer: {
    http: [],
    meaning: "The bank refuses the code or the answer. The login has ended; a new one asks again.",
  },
  missing_answer: { http: [], meaning: "The request had no code or answer. The login has ended." },
  provider_session_expired: { http: [], meaning: "The session at the bank has ended." },
  provider_login_failed: { http: [], meaning: "The bank did not complete the login, for no reason that it names." },
  password_change_required: {
    http: [],
    meaning: "The bank wants a new password, set on its own site, before it lets the user in.",
  },
  logout_failed: { http: [], meaning: "The bank did not close the session; it may still be open." },
  wrong_client: { http: [200], meaning: "The user does not act for the client that was chosen." },
  invalid_key: {
    http: [200],
    meaning: "The session key is not known, or has expired. A relay says the same of every key that can't be used.",
  },
  unauthorized_provider: { http: [], meaning: "The API key is not enabled for this bank." },
  missing_api_key: { http: [401], meaning: "The service received no API key: `apiKey` of the client." },
  unknown_api_key: { http: [403], meaning: "The service does not know the API key." },
  unexpected_status: { http: [], meaning: "The service sent a status that the contract does not have: `wire.status`." },
  cancelled: { http: [], meaning: "The person, or the program, cancelled the login." },
  expired: { http: [], meaning: "The time to answer, or the deadline of the login, has passed." },
  too_many_interactions: {
    http: [],
    meaning: "The bank asked more often than `interactionLimit` allows; the login was stopped to protect the account.",
  },
  no_clients: { http: [200], meaning: "The bank asks to choose a client, and its list is empty." },
  client_selection_off: {
    http: [],
    meaning:
      "The bank asks to choose a client (`select_client`), and the login may not list them: pass `onSelectClient` or `clientSelection: true`. `key` is the session's.",
  },
  network_failed: {
    http: [],
    meaning: "No connection, or it broke: `detail` has the platform's code. The bank may have received a login.",
  },
  request_timed_out: {
    http: [],
    meaning: "No complete response within the time-out or before the deadline. The bank may have received a login.",
  },
  request_aborted: { http: [], meaning: "A signal of the program stopped the request." },
  outcome_unknown: {
    http: [400, 403, 404, 405, 408, 409, 413, 421, 425, 500, 502, 504],
    meaning:
      "The bank may have received the request, and what came in place of its response does not say. Do not repeat it at once: each login counts as a try at the bank.",
  },
  redirect_refused: {
    http: [301, 302, 303, 307, 308],
    meaning: "The response was a redirect. To follow it would send the API key and the password to another address.",
  },
  response_unreadable: { http: [], meaning: "The response is no JSON object with a status." },
  response_against_contract: {
    http: [],
    meaning: "The response lacks a member that the contract promises, or has it in another form: `field` names it.",
  },
  response_too_large: { http: [], meaning: "The response is larger than `responseLimit`, or nested too deeply." },
  access_refused: {
    http: [401, 403],
    meaning: "HTTP 401 or 403 without a status: something before the service refuses the request.",
  },
  rate_limited: {
    http: [429],
    meaning: "HTTP 429: too many requests. `retryAfter` is how long to wait, where the service says so.",
  },
  service_unavailable: {
    http: [502, 503, 504],
    meaning: "HTTP 502, 503 or 504 without a status. The bank may have received a login.",
  },
  http_failed: { http: [400, 404, 405, 413, 415, 500], meaning: "Another HTTP error without a status." },
  origin_refused: { http: [403], meaning: "The relay does not list the origin of the page: `allowedOrigins`." },
  app_refused: {
    http: [401, 403],
    meaning: "The relay does not accept the app's token: `checkAppToken` of the relay, `headers` of the client.",
  },
  not_signed_in: {
    http: [401],
    meaning:
      "The relay's `readUser` knows no user for the request: the person is not signed in to the page or the app.",
  },
  body_already_read: {
    http: [500],
    meaning: "A body parser before the relay consumed the request; nothing was sent to the bank.",
  },
  slash_changed: {
    http: [404],
    meaning: "A redirect changed the slash at the end of a path of the relay; nothing was sent to the bank.",
  },
  path_differs: {
    http: [404],
    meaning: "The relay is not mounted under the path of its option `path`; nothing was sent to the bank.",
  },
  invalid_input: {
    http: [],
    meaning: "A value of the caller can't be used: `field` names it, `detail` says why. Nothing was sent.",
  },
  missing_field: { http: [], meaning: "A required value is missing: `field` names it. Nothing was sent." },
  unknown_field: {
    http: [],
    meaning: "The bank does not list this field, or asks for it only later: `field` names it. Nothing was sent.",
  },
  secret_unavailable: {
    http: [],
    meaning: "A secret has lost its value, because it went through JSON, a clone or another process.",
  },
  handler_failed: { http: [], meaning: "A function of the caller threw: `field` names it, `cause` is what it threw." },
  login_not_waiting: {
    http: [],
    meaning: "A login can be paused only while it waits for a person: `detail` names its state.",
  },
  outcome_used: { http: [], meaning: "An outcome can be answered, cancelled or paused once. Nothing was sent." },
  token_incomplete: { http: [], meaning: "The token of a paused login is cut off, or no token." },
  token_altered: { http: [], meaning: "The token was changed after it was sealed, or belongs to another purpose." },
  token_expired: {
    http: [],
    meaning: "The token's time has passed: `sealTtl`, or that of the interaction that it holds.",
  },
  token_of_another_version: { http: [], meaning: "The token was sealed by another version, or for another use." },
  token_of_another_key: { http: [], meaning: "The token was sealed with a key that is not among those given." },
  token_of_another_address: { http: [], meaning: "The token belongs to a client with another `baseUrl`." },
  token_used: {
    http: [],
    meaning: "The token was resumed before, or the question was answered before: each works once.",
  },
  session_not_found: {
    http: [],
    meaning: "There is no hosted login of this id: none was created, or its `retention` is over.",
  },
  session_without_key: {
    http: [],
    meaning: "The hosted login has no session key, because it is not `logged_in`: `detail` has its status.",
  },
  key_taken: { http: [], meaning: "Another taker has the session key of the hosted login." },
  secret_in_argument: {
    http: [],
    meaning: "The command was given a secret as an argument, where other programs and the shell's history can read it.",
  },
  insecure_address: {
    http: [],
    meaning: "The command was given an http address that is not of this machine. Nothing was sent.",
  },
  file_unusable: { http: [], meaning: "A file of the command can't be read or written: `field` names the option." },
  part_missing: { http: [], meaning: "A part of the program is not built or not installed: `field` names it." },
  unexpected_fault: { http: [], meaning: "Something broke that has no code of its own, or a code of another version." },
} satisfies Record<FailureCode, FailureNote>;
