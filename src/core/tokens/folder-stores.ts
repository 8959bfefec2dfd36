import { createHash, randomUUID } from "node:crypto";
import { link, mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ClaimStore } from "./claim-store.ts";
import type { RecordStore } from "./record-store.ts";

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
      const path = join(folder, claimName(id));
      return isCreated(writeFile(path, expiresAt.toISOString(), { flag: "wx", mode: 0o600, flush: true }), folder);
    },
  };
}

/**
 * A record store in a folder, for the processes of one host: one file per text. What was written outlasts a loss of power. Files that
 * have expired are removed little by little, with each text.
 *
 * @param folder as for `createFolderClaimStore`.
 * @example
 * const store = createFolderRecordStore("/var/lib/shop/logins");
 */
export function createFolderRecordStore(folder: string): RecordStore {
  const removeExpired = createCleaner(folder, /^[0-9a-f-]+\.(record|new)$/);
  /** A whole file, under a name that nobody reads. */
  const prepare = async (text: string, expiresAt: Date) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await removeExpired();
    const written = join(folder, `${randomUUID()}.new`);
    await writeFile(written, `${expiresAt.toISOString()}\n${text}`, { mode: 0o600, flush: true });
    return written;
  };
  return {
    ...createFolderClaimStore(folder),
    async write(id, text, expiresAt) {
      const written = await prepare(text, expiresAt);
      try {
        // A second name for the whole file: nobody reads a part of it, and only one process can give it.
        return await isCreated(link(written, join(folder, recordName(id))), folder);
      } finally {
        await rm(written, { force: true });
      }
    },
    async replace(id, text, expiresAt) {
      await rename(await prepare(text, expiresAt), join(folder, recordName(id)));
    },
    async read(id) {
      const content = await readFile(join(folder, recordName(id)), "utf8").catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return undefined;
        throw error;
      });
      if (content === undefined) return undefined;
      const end = content.indexOf("\n");
      return Date.parse(content.slice(0, end)) > Date.now() ? content.slice(end + 1) : undefined;
    },
    async list() {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const names = (await readdir(folder)).filter((name) => name.endsWith(".record"));
      return names.map((name) => Buffer.from(name.slice(0, -".record".length), "hex").toString());
    },
  };
}

/** A digest: safe for any id, also on a disk that does not distinguish `a` from `A`. */
const claimName = (id: string) => `${createHash("sha256").update(id).digest("hex")}.claim`;

/** Hexadecimal: as safe, and `list` reads the id from it. */
const recordName = (id: string) => `${Buffer.from(id).toString("hex")}.record`;

/** Whether a file was created that only one process can create. */
async function isCreated(creation: Promise<void>, folder: string): Promise<boolean> {
  try {
    await creation;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
  await syncFolder(folder);
  return true;
}

/** Removes files whose first line is a time that has passed, a few with each call. @param names which files are the store's. */
function createCleaner(folder: string, names: RegExp): () => Promise<void> {
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

/** Makes a new file in a folder outlast a loss of power, if the platform can. */
export async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, "r");
    await folder.sync().finally(() => folder.close());
  } catch {
    // Windows opens no folders.
  }
}
