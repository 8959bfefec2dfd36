import { setTimeout as wait } from "node:timers/promises";
import type { BatchResult } from "../../../index.ts";
import type { Output } from "../terminal/output.ts";
import type { BatchClaims } from "./batch-claims.ts";
import { type BatchHistory, CLAIMED_ELSEWHERE, type ResultLine } from "./batch-history.ts";
import type { BatchLogin } from "./batch-input.ts";

/** Milliseconds between two looks at what other runs have sent. */
const LOOK = 1000;

/** A login that another run has claimed, and when this was found. */
export type ClaimedLogin = BatchResult & { readonly at: number };

/** The logins that are to be sent. One whose end another run has noted is not sent again. */
export async function findOpen(
  logins: readonly BatchLogin[],
  resend: readonly string[],
  { before, claims }: { readonly before: BatchHistory; readonly claims: BatchClaims },
): Promise<readonly BatchLogin[]> {
  const open = [];
  for (const login of logins) {
    if (!before.isOpen(login.id, resend)) continue;
    const last = before.last(login.id);
    const known = last?.status === "outcome_unknown" ? await claims.find(last) : "lost";
    if (known === "lost" || (known !== "running" && resend.includes(known.end))) open.push(login);
  }
  return open;
}

/**
 * Waits until the logins that other runs have claimed have ended. A run that was killed has noted no end.
 *
 * @param stop ends the wait: what still runs has no line then, and the same command asks again.
 * @returns a line for each.
 */
export async function awaitEnds(
  claimed: readonly ClaimedLogin[],
  { claims, output, stop }: { readonly claims: BatchClaims; readonly output: Output; readonly stop: AbortSignal },
): Promise<readonly ResultLine[]> {
  const lines: ResultLine[] = [];
  let isSaid = false;
  for (const { id, provider, attempt, at } of claimed) {
    // A run writes its name beside each claim, a moment after it.
    await wait(Math.max(0, at + LOOK - Date.now()));
    let known = await claims.find({ id, attempt });
    while (known === "running" && !stop.aborted) {
      if (!isSaid) output.say(output.text("awaitsOthers"));
      isSaid = true;
      await wait(LOOK);
      known = await claims.find({ id, attempt });
    }
    if (known === "running") continue;
    const end = known === "lost" ? { status: "outcome_unknown" } : { status: CLAIMED_ELSEWHERE, end: known.end };
    lines.push({ id, provider, attempt, ...end });
  }
  return lines;
}
