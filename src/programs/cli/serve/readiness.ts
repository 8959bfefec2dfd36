import type { BankClient } from "../../../index.ts";
import type { Store } from "../../../servers/hosted/index.ts";

/** Whether a server can do its work, and which of its parts can't. */
export interface Readiness {
  readonly status: "ready" | "store_failed" | "bank_unreachable";
}

/** Milliseconds for which what was found counts, so that no caller makes more requests, and in which the store has to respond. */
const KEPT = 5_000;
const STORE_TIME = 2_000;

/**
 * Checks the store each time, and the address of the banking service until it has responded once: later its faults are those of the logins, and no other instance would do
 * better.
 */
export function createReadiness(store: Store, client: Pick<BankClient, "listProviders">): () => Promise<Readiness> {
  let isReached = false;
  let last: { readonly at: number; readonly status: Promise<Readiness["status"]> } | undefined;

  async function find(): Promise<Readiness["status"]> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise((_, reject) => {
      timer = setTimeout(reject, STORE_TIME);
    });
    await Promise.race([(async () => store.read("ready"))(), late]).finally(() => clearTimeout(timer));
    isReached ||= await client.listProviders().then(
      () => true,
      () => false,
    );
    return isReached ? "ready" : "bank_unreachable";
  }

  return async () => {
    // A store may throw at once.
    if (!last || Date.now() - last.at > KEPT) last = { at: Date.now(), status: find().catch(() => "store_failed") };
    return { status: await last.status };
  };
}
