import { HttpError } from "../api/errors.ts";
import type { Refusal, RefusalStatus } from "../api/refusals.ts";
import { invalidKey, type RelayAnswer, says } from "./answers.ts";
import { sealKeyFor } from "./keys.ts";
import type { Call } from "./routes.ts";

/** How a refusal stands on the wire, so that the browser's client reads the one that was read here. */
type Wire = readonly [
  http: number,
  members: { readonly status: string; readonly code?: string; readonly message?: string },
];

/** What says something about this relay, not about the person's login: the browser is told of a fault instead. */
type OwnRefusal = "missing_api_key" | "unknown_api_key";

const wires: { readonly [Status in Exclude<RefusalStatus, OwnRefusal | "unexpected_status" | "invalid_key">]: Wire } = {
  wrong_credentials: [403, { status: "wrong_credentials" }],
  missing_credentials: [400, { status: "missing_credentials" }],
  provider_doesnt_exist: [404, { status: "provider_doesnt_exist" }],
  user_blocked: [403, { status: "user_blocked" }],
  max_sessions_reached: [403, { status: "max_sessions_reached" }],
  provider_unavailable: [503, { status: "provider_unavailable" }],
  missing_params: [400, { status: "missing_params" }],
  not_implemented: [501, { status: "not_implemented" }],
  wrong_answer: [403, { status: "error", code: "B1004" }],
  missing_answer: [400, { status: "error", code: "B1005" }],
  provider_session_expired: [403, { status: "error", code: "B1006" }],
  provider_login_failed: [403, { status: "error", code: "B1007" }],
  password_change_required: [403, { status: "error", code: "B1008" }],
  logout_failed: [403, { status: "error", code: "B1009" }],
  wrong_client: [404, { status: "error", message: "wrong_client" }],
  unauthorized_provider: [403, { status: "error", message: "Unauthorized provider" }],
};

const answerAs = (status: keyof typeof wires): RelayAnswer => {
  const [http, { status: wireStatus, ...members }] = wires[status];
  return says(wireStatus, members, http);
};

/** Whether the bank or the relay says so, the browser reads the same. */
export const wrongClient: RelayAnswer = answerAs("wrong_client");

/**
 * Passes a refusal on. The key of a session in the way goes with it, sealed, where there is a logout to use it for.
 *
 * @throws {HttpError} `access_refused`: the service does not take the relay's API key.
 */
export async function passRefusal(
  { settings, template }: Call,
  refusal: Refusal,
  provider: string,
): Promise<RelayAnswer> {
  if (isOwn(refusal)) {
    throw new HttpError("access_refused", {
      request: template,
      baseUrl: settings.client.baseUrl,
      httpStatus: refusal.httpStatus,
    });
  }
  const answer = refusalAnswer(refusal);
  if (!refusal.key || !settings.logout) return answer;
  const lifetime = settings.interactionLifetime;
  const key = await sealKeyFor("blocking", { provider, key: refusal.key }, { ...settings, lifetime });
  return { ...answer, body: { ...answer.body, key } };
}

/** Whether the service refused the relay itself. */
function isOwn({ status }: Refusal): boolean {
  return status === "missing_api_key" || status === "unknown_api_key";
}

/** A refusal for the browser (contract, section 7). The service's own texts stay here; its keys are for the caller to seal. */
function refusalAnswer({ status, wire }: Refusal): RelayAnswer {
  if (status === "invalid_key") return invalidKey;
  if (Object.hasOwn(wires, status)) return answerAs(status as keyof typeof wires);
  // A status nobody has heard of goes on where it reads like one: it may be news to the relay, not to the page.
  return says(/^[a-z_]{1,40}$/.test(wire.status) ? wire.status : "error", {}, 200);
}
