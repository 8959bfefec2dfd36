import { randomUUID } from "node:crypto";
import { toFileFault } from "../settings/private-files.ts";
import { findStore, openStore } from "../settings/stores.ts";

const FIELD = "--claims";

/** The claims of a batch: which logins were begun, by any run of it. */
export type BatchClaims = Awaited<ReturnType<typeof openBatchClaims>>;

/** Where the claims are: `--claims`, else `VENTANILLA_CLAIMS`. */
export const findClaims = (argument: string | undefined, environment: NodeJS.ProcessEnv): string | undefined =>
  findStore(FIELD, "VENTANILLA_CLAIMS", argument, environment);

/**
 * Opens the claims of a batch: `folder:PATH`, or the address of a database with the name of the batch, `redis://…#NAME`. It fails here, and
 * not at the first login, if they can't be used.
 */
export async function openBatchClaims(place: string) {
  const [address = "", name = ""] = place.startsWith("folder:") ? [place] : place.split("#");
  /** The fault of a store that fails. */
  const toFault = (error: unknown) => toFileFault(FIELD, error);
  // A batch that has lost its claims stops, and the same command goes on.
  const { store, close } = await openStore(FIELD, address, { reconnects: false }).catch((error: unknown) => {
    throw toFault(error);
  });
  try {
    await store.claim(`batch-${randomUUID()}`, new Date(Date.now() + 1000));
  } catch (error) {
    await close();
    throw toFault(error);
  }
  return { claimStore: store, name, toFault, close };
}
