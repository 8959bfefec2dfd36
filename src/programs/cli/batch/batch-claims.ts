import { randomUUID } from "node:crypto";
import { toClaimId } from "../../../core/batch/batch-login.ts";
import { replaceText } from "../../../core/tokens/store.ts";
import type { Store } from "../../../index.ts";
import { toFileFault } from "../settings/private-files.ts";
import { findStore, openStore } from "../settings/stores.ts";

const FIELD = "--claims";

/** Milliseconds between two signs of life of a run, and without a new one until it counts as killed. */
const BEAT = 1_000;
const SILENCE = 5_000;

/** An attempt of a login. */
interface Attempt {
  readonly id: string;
  readonly attempt: number;
}

/** What the runs of a batch know of an attempt: how it ended, or that a run still works on it. */
export type AttemptState = { readonly end: string } | "running" | "lost";

/** The claims of a batch: which logins were begun, by any run of it, and how they ended. */
export type BatchClaims = Awaited<ReturnType<typeof openBatchClaims>>;

/** Where the claims are: `--claims`, else `VENTANILLA_CLAIMS`. */
export const findClaims = (argument: string | undefined, environment: NodeJS.ProcessEnv): string | undefined =>
  findStore(FIELD, "VENTANILLA_CLAIMS", argument, environment);

/**
 * Opens the claims of a batch: `folder:PATH`, or the address of a database with the name of the batch, `redis://…#NAME`. It fails here, and
 * not at the first login, if they can't be used. Beside each claim is its run, and later how the login ended: no key, and nothing of its row.
 *
 * @param lifetime milliseconds for which they are kept.
 */
export async function openBatchClaims(place: string, lifetime: number) {
  const [address = "", name = ""] = place.startsWith("folder:") ? [place] : place.split("#");
  /** The fault of a store that fails. */
  const toFault = (error: unknown) => toFileFault(FIELD, error);
  const refuse = (error: unknown): never => {
    throw toFault(error);
  };
  // A batch that has lost its claims stops, and the same command goes on.
  const { store, close } = await openStore(FIELD, address, { reconnects: false }).catch(refuse);
  const run = `batch-run-${randomUUID()}`;
  const showLife = async () => replaceText(store, run, "", SILENCE, "");
  const findClaimId = ({ id, attempt }: Attempt) => toClaimId(name, id, attempt);
  const toEndId = (claimId: string) => `${claimId}-end`;
  try {
    await store.swap(`batch-${randomUUID()}`, undefined, "", 1000);
    await showLife();
  } catch (error) {
    await close();
    return refuse(error);
  }
  // If the store fails, the next claim says so.
  const beating = setInterval(() => void showLife().catch(() => {}), BEAT);
  // A claim names its run.
  const claimStore: Store = {
    ...store,
    swap: (id, expected, text, lifetime) => store.swap(id, expected, `${run} ${text}`, lifetime),
    read: async (id) => (await store.read(id))?.replace(`${run} `, ""),
  };
  return {
    claimStore,
    name,
    toFault,
    async close() {
      clearInterval(beating);
      await close();
    },
    /** Writes how an attempt ended, for the runs on other hosts. */
    async noteEnd(attempt: Attempt, status: string): Promise<void> {
      await replaceText(store, toEndId(await findClaimId(attempt)), status, lifetime).catch(refuse);
    },
    /** What is known of an attempt that was claimed. `lost`: its run was killed. */
    async find(attempt: Attempt): Promise<AttemptState> {
      try {
        const claimId = await findClaimId(attempt);
        const [claimed, end] = await Promise.all([store.read(claimId), store.read(toEndId(claimId))]);
        if (end !== undefined) return { end };
        const [holder = ""] = claimed?.split(" ") ?? [];
        return (await store.read(holder)) === undefined ? "lost" : "running";
      } catch (error) {
        return refuse(error);
      }
    },
  };
}
