import { createHash } from "node:crypto";
import { mkdir, open, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ClaimStore } from "./claim-store.ts";

/** Milliseconds between two looks at the whole folder. */
const SWEEP_INTERVAL = 60_000;

/**
 * A claim store in a folder, for the processes of one host: one small file per id. It holds no secret. A claim outlasts a loss of
 * power. Files that have expired are removed little by little, with each claim.
 *
 * @param folder a folder of its own on a local disk, created where it is missing. Not a network share: not every one of them
 * creates a file for one process alone.
 * @example
 * const claimStore = createFolderClaimStore("/var/lib/shop/claims");
 */
export function createFolderClaimStore(folder: string): ClaimStore {
  const removeExpired = createCleaner(folder, /^[0-9a-f]{64}\.claim$/);
  return {
    async claim(id, expiresAt) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await removeExpired();
      try {
        const options = { flag: "wx", mode: 0o600, flush: true };
        await writeFile(join(folder, fileName(id)), expiresAt.toISOString(), options);
        await syncFolder(folder);
        return true;
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
        throw error;
      }
    },
  };
}

/** Removes files whose first line is a time that has passed, a few with each call. @param names which files are the store's. */
export function createCleaner(folder: string, names: RegExp): () => Promise<void> {
  let files: string[] = [];
  let sweptAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (files.length === 0) {
      if (Date.now() - sweptAt < SWEEP_INTERVAL) return;
      sweptAt = Date.now();
      files = (await readdir(folder)).filter((file) => names.test(file));
    }
    for (const file of files.splice(0, 20)) {
      const path = join(folder, file);
      // A file without a time is being written, and is kept.
      const [expiresAt = ""] = (await readFile(path, "utf8").catch(() => "")).split("\n", 1);
      if (Date.parse(expiresAt) <= Date.now()) await rm(path, { force: true });
    }
  };
}

/** A digest: safe for any id, also on a disk that does not distinguish `a` from `A`. */
const fileName = (id: string) => `${createHash("sha256").update(id).digest("hex")}.claim`;

/** Makes a new file in a folder outlast a loss of power, if the platform can. */
export async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, "r");
    await folder.sync().finally(() => folder.close());
  } catch {
    // Windows opens no folders.
  }
}
