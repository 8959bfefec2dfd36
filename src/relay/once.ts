import { isFirstUse, type UsedTokens } from "../login/used-tokens.ts";
import { askOwner } from "./events.ts";

/**
 * Takes note of a token's use; false where it was used before.
 *
 * @throws {HandlerError} `handler_failed` naming `usedTokens`, where that store threw: then nobody gets in.
 */
export function claim(tokens: UsedTokens, token: { id: string; expiresAt: Date }): Promise<boolean> {
  return askOwner("usedTokens", () => isFirstUse(tokens, token));
}

/**
 * A store of used tokens in this process's memory. Where it is full of tokens that have not expired, it takes no further
 * one: a question that can't be answered is better than an answer that can be sent twice.
 *
 * @param limit the most tokens that are remembered.
 */
export function boundedMemory(limit = 100_000): UsedTokens {
  const expiries = new Map<string, number>();
  return {
    has: (id) => expiries.has(id),
    add(id, expiresAt) {
      if (expiries.size >= limit) {
        for (const [known, time] of expiries) if (time <= Date.now()) expiries.delete(known);
      }
      if (expiries.size >= limit) return false;
      expiries.set(id, expiresAt.getTime());
      return true;
    },
  };
}
