import { HttpError } from "../api/errors.ts";
import type { Refusal } from "../api/refusals.ts";
import type { RelayAnswer } from "./answers.ts";
import { sealKeyFor } from "./keys.ts";
import { isOwn, refusalAnswer } from "./refusals.ts";
import type { Call } from "./routes.ts";

/**
 * Passes a refusal on. The key of a session in the way goes with it, sealed, where there is a logout to use it for.
 *
 * @throws {HttpError} `access_refused`: the service does not take the relay's API key.
 */
export async function refused({ settings, template }: Call, refusal: Refusal, provider: string): Promise<RelayAnswer> {
  if (isOwn(refusal)) {
    throw new HttpError("access_refused", { request: template, httpStatus: refusal.httpStatus });
  }
  const answer = refusalAnswer(refusal);
  if (!refusal.key || !settings.logout) return answer;
  const lifetime = settings.interactionLifetime;
  const key = await sealKeyFor("blocking", { provider, key: refusal.key }, { ...settings, lifetime });
  return { ...answer, body: { ...answer.body, key } };
}
