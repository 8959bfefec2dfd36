import { createCallbackError } from "../../../core/api/callbacks.ts";
import { wrapThrown } from "../../../core/api/errors.ts";
import { limitTime } from "../../../core/api/repetition.ts";
import type { Store } from "../../../core/tokens/store.ts";
import { createRecords } from "../../../core/tokens/store.ts";
import type { BankClient, BankError } from "../../../index.ts";

/** Whether a server can do its work, and which of its parts can't. */
export interface Readiness {
  readonly status: "ready" | "store_failed" | "bank_unreachable";
  /** With `store_failed`: what the store has said. */
  readonly fault?: BankError;
}

/** Milliseconds for which what was found counts, so that no caller makes more requests, and in which the store has to respond. */
const KEPT = 5_000;
const STORE_TIME = 2_000;

/** Milliseconds for which the store keeps a probe. */
const PROBE_TIME = 60_000;

/**
 * Writes to the store and reads it each time: a store that is full, or a replica, can be read and takes no session. Checks the address of the banking service
 * until it has responded once: later its faults are those of the logins, and no other instance would do better.
 */
export function createReadiness(store: Store, client: Pick<BankClient, "listProviders">): () => Promise<Readiness> {
  const records = createRecords(store);
  const id = `ready:${crypto.randomUUID()}`;
  let isReached = false;
  let last: { readonly at: number; readonly readiness: Promise<Readiness> } | undefined;

  /** The id is this server's own: no other one writes to it. */
  async function probe(): Promise<void> {
    const text = crypto.randomUUID();
    await records.replace(id, text, new Date(Date.now() + PROBE_TIME));
    if ((await records.read(id)) !== text) throw createCallbackError("store", "has not kept what was written");
  }

  async function checkStore(): Promise<void> {
    await limitTime(probe(), STORE_TIME, () => {
      throw createCallbackError("store", `no response within ${STORE_TIME} ms`);
    });
  }

  async function find(): Promise<Readiness> {
    try {
      await checkStore();
    } catch (error) {
      return { status: "store_failed", fault: wrapThrown(error) };
    }
    isReached ||= await client.listProviders().then(
      () => true,
      () => false,
    );
    return { status: isReached ? "ready" : "bank_unreachable" };
  }

  return () => {
    // By a clock that is never set back.
    const now = performance.now();
    if (!last || now - last.at > KEPT) last = { at: now, readiness: find() };
    return last.readiness;
  };
}
