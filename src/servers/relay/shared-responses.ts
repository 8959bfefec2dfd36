import * as v from "valibot";
import { ATTEMPT_LIFETIME } from "../../core/api/bank-request.ts";
import type { BankError } from "../../core/api/errors.ts";
import { createTokenFormat } from "../../core/tokens/sealed-token.ts";
import { createRecords } from "../../core/tokens/store.ts";
import { systemEnvironment } from "../environment.ts";
import { poll } from "../repetition.ts";
import { isAttemptId } from "./attempts.ts";
import { type Call, claimAttempt } from "./relay-call.ts";
import { reportError } from "./relay-events.ts";
import { attemptTaken, outcomeUnknown, type RelayResponse, unknownAttempt } from "./relay-responses.ts";

/** How the response of another instance is waited for, in milliseconds. */
const POLL = { interval: 500, giveUpTime: 80_000 };

const format = createTokenFormat(
  "ventanilla-relay-response-1",
  v.object({ u: v.string(), r: v.custom<RelayResponse>((response) => typeof response === "object") }),
);

/** Who waits for a response. */
type Waiting = Pick<Call, "settings" | "attemptId" | "user" | "signal" | "login">;

const toStoreId = (attemptId: string): string => `response:${attemptId}`;

/**
 * Writes the response to an attempt into the store, before the page gets it. That of an attempt which another instance has claimed is read there.
 * A store that fails costs no page its response.
 */
export async function shareResponse(call: Waiting, response: RelayResponse): Promise<RelayResponse> {
  const { settings, attemptId = "", user, login } = call;
  const { responseStore: store, keys, audience } = settings;
  if (!store || user === undefined) return response;
  if (response === attemptTaken) return readSharedResponse(call, attemptId);
  const expiresAt = new Date(Date.now() + ATTEMPT_LIFETIME);
  const kept = { ...response, login };
  const text = await format.seal({ u: user, r: kept }, { keys, audience, expiresAt });
  const records = createRecords(store, "responseStore");
  await records
    .write(toStoreId(attemptId), text, expiresAt)
    .catch((error: BankError) => reportError(settings, error, login));
  return response;
}

/**
 * `GET /attempt/{id}/`, of the relay alone: what this user's page got back to a login or an answer, or would have got. It waits for a request that
 * the bank has not responded to.
 */
export async function readAttempt(call: Call): Promise<RelayResponse> {
  const { settings, parameter: attemptId, user } = call;
  if (!isAttemptId(attemptId)) return unknownAttempt;
  const response = settings.attempts.find(attemptId, user);
  if (response) return response;
  const isTaken = (await claimAttempt({ settings, attemptId })) !== undefined;
  return isTaken ? readSharedResponse(call, attemptId) : unknownAttempt;
}

/** Waits for what another instance writes into the store. */
async function readSharedResponse(
  { settings, user, signal, login }: Waiting,
  attemptId: string,
): Promise<RelayResponse> {
  const { responseStore: store, keys, audience } = settings;
  if (!store) return outcomeUnknown;
  const records = createRecords(store, "responseStore");
  const ask = async (): Promise<RelayResponse | undefined> => {
    const text = await records.read(toStoreId(attemptId));
    if (text === undefined) return undefined;
    const { claims } = await format.unseal(text, { keys, audience });
    return claims.u === user ? claims.r : outcomeUnknown;
  };
  try {
    return (await poll(ask, { ...POLL, environment: systemEnvironment, signal })) ?? outcomeUnknown;
  } catch (error) {
    reportError(settings, error as BankError, login);
    return outcomeUnknown;
  }
}
