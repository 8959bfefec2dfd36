import type { FailureCode } from "./failures.ts";

/** What a developer is told of a code. */
export interface FailureNote {
  readonly note: string;
  /** The HTTP codes that it was seen with, for `docs/errors.md`. */
  readonly seen?: readonly number[];
}

/** Beside the code table and not in it: no page has to load what only developers read. */
export const failureNotes: Readonly<Record<FailureCode, FailureNote>> = {
  wrong_credentials: {
    seen: [403, 200],
    note: "The bank refuses the user name, the password or another field of the form.",
  },
  missing_credentials: { seen: [400], note: "The bank needs a field that was left empty." },
  provider_doesnt_exist: { seen: [404], note: "The service knows no bank of this code." },
  username_differs: {
    note: "The hosted login was made for another user name (`bindUsername`). Nothing was sent to the bank.",
  },
  known_wrong: {
    note: "The bank has refused the same form before, at `refusedAt` (`rememberRefusals`). Nothing was sent; `ignoreKnownRefusal: true` sends it.",
  },
  user_blocked: { seen: [403], note: "The bank has locked the user." },
  max_sessions_reached: {
    seen: [403],
    note: "The user has too many sessions open at the bank. `key`, if the service sends one, is for a logout, which may end all of them.",
  },
  provider_unavailable: { seen: [503], note: "The bank, or the service's way to it, is down." },
  missing_params: { note: "The request lacks a parameter that the service needs." },
  not_implemented: { note: "The service does not offer this request for the bank." },
  wrong_answer: { note: "The bank refuses the code or the answer. The login has ended; a new one asks again." },
  missing_answer: { note: "The request had no code or answer. The login has ended." },
  provider_session_expired: { note: "The session at the bank has ended." },
  provider_login_failed: { note: "The bank did not complete the login, for no reason that it names." },
  password_change_required: { note: "The bank wants a new password, set on its own site, before it lets the user in." },
  logout_failed: { note: "The bank did not close the session; it may still be open." },
  wrong_client: { seen: [200], note: "The user does not act for the client that was chosen." },
  invalid_key: {
    seen: [200],
    note: "The session key is not known, or has expired. A relay says the same of a login that it does not have, that is another user's, or that is not at this step.",
  },
  session_incomplete: {
    note: "A request on a session was answered as a login is: the bank first asks for an interaction, or for the choice of a client. `asked` says what.",
  },
  unauthorized_provider: { note: "The API key is not enabled for this bank." },
  api_key_refused: {
    seen: [401, 403],
    note: "The service received no API key, or does not know it: `apiKey` of the client.",
  },
  unexpected_status: { note: "The service sent a status that the contract does not have: `wire.status`." },
  cancelled: {
    note: "The person, or the program, cancelled the login. If the outcome has a `request`, the bank may have received it.",
  },
  expired: { note: "The time to answer, or the deadline of the login, has passed." },
  approval_denied: { note: "The login was declined in the bank's app. Only a client with `awaitApproval` knows." },
  too_many_interactions: {
    note: "The bank asked more often than `interactionLimit` allows, or for the same code or words more often than `repeatLimit`; the login was stopped to protect the account.",
  },
  no_clients: { seen: [200], note: "The bank asks to choose a client, and its list is empty." },
  client_selection_off: {
    note: "The bank asks to choose a client (`select_client`), and the login may not list them: pass `onSelectClient` or the setting `clientSelection`. `key` is the session's.",
  },
  network_failed: {
    note: "No connection, or it broke: `detail` has the platform's code. The bank may have received a login.",
  },
  request_timed_out: {
    note: "No complete response within the time-out or before the deadline. The bank may have received a login.",
  },
  request_aborted: { note: "A signal of the program stopped the request. The bank may have received a login." },
  outcome_unknown: {
    seen: [400, 403, 404, 405, 408, 409, 413, 421, 425, 500, 502, 504],
    note: "The bank may have received the request, and what came in place of its response does not say. Do not repeat it at once: each login counts as a try at the bank.",
  },
  redirect_refused: {
    seen: [301, 302, 303, 307, 308],
    note: "The response was a redirect. To follow it would send the API key and the password to another address. After HTTP 301, 307 and 308 no one has taken the request; after another redirect the bank may have received a login.",
  },
  response_unreadable: { note: "The response is not a JSON object with a status, or is nested too deeply." },
  response_against_contract: {
    note: "The response lacks a member that the contract promises, or has it in another form: `field` names it. Or it is larger than `responseLimit`: `detail` says so.",
  },
  rate_limited: {
    seen: [429],
    note: "HTTP 429: too many requests. `retryAfter` is how long to wait, if the service says so.",
  },
  service_unavailable: {
    seen: [502, 503, 504],
    note: "HTTP 502, 503 or 504 without a status; for a login only 503, and the bank may have received it. At 502 and 504 a login is `outcome_unknown`.",
  },
  http_failed: {
    seen: [400, 401, 403, 404, 405, 413, 415, 500],
    note: "Another HTTP error without a status: `httpStatus` has its code. After 401 or 403, something before the service refuses the request.",
  },
  app_refused: {
    seen: [401, 403],
    note: "The relay does not accept the app's token: `checkAppToken` of the relay, `headers` of the client.",
  },
  not_signed_in: {
    seen: [401],
    note: "The relay's `readUser` knows no user for the request: the person is not signed in to the page or the app.",
  },
  invalid_setup: {
    seen: [403, 404, 500],
    note: "A program is not set up as it must be: `detail` says what to change. Nothing was sent to the bank.",
  },
  invalid_input: {
    note: "A value of the caller can't be used: `field` names it, `detail` says why. Nothing was sent.",
  },
  answer_repeated: {
    note: "The bank has just not accepted the same code or words, and asks for the same again: `field` names it. Nothing was sent, and the interaction can still be answered.",
  },
  missing_field: { note: "A required value is missing: `field` names it. Nothing was sent." },
  secret_unavailable: {
    note: "A secret has lost its value, because it went through JSON, a clone or another process.",
  },
  handler_failed: { note: "A function of the caller threw: `field` names it, `cause` is what it threw." },
  login_not_waiting: { note: "A login can be paused only while it waits for a person: `detail` names its state." },
  outcome_used: { note: "The outcome was answered or paused before. Nothing was sent." },
  token_invalid: {
    note: "The token can't be opened: `detail` says whether it is incomplete, was altered, has expired (`sealTtl`, or the time of its interaction), or is of another version, key or address (`baseUrl`).",
  },
  token_used: { note: "The paused login was resumed before: its token works once." },
  session_not_found: { note: "There is no hosted login of this id: none was created, or its `retention` is over." },
  key_unavailable: {
    note: "The session key of the hosted login is not available: `detail` has the status, if that is not `logged_in`, or says that another recipient has it.",
  },
  secret_in_argument: {
    note: "The command was given a secret as an argument, where other programs and the shell's history can read it.",
  },
  file_unusable: { note: "A file of the command can't be read or written: `field` names the option." },
  unexpected_fault: { note: "Something broke that has no code of its own, or a code of another version." },
};
