import { createHash, randomUUID } from "node:crypto";
import { link, mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
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
 * A record store in a folder, for the processes of one host: one file per text, in a folder for all ids that are equal up to their first colon. What
 * was written outlasts a loss of power. Files that have expired are removed little by little, with each text.
 *
 * @param folder as for `createFolderClaimStore`.
 * @example
 * const store = createFolderRecordStore("/var/lib/shop/logins");
 */
export function createFolderRecordStore(folder: string): RecordStore {
  const cleaners = new Map<string, () => Promise<void>>();
  /** Where an id is. `list` reads the ids of one folder, however many others there are. */
  const findFolder = (id: string) => join(folder, toHexadecimal(id.slice(0, Math.max(0, id.indexOf(":")))));
  const findPath = (id: string) => join(findFolder(id), `${toHexadecimal(id)}.record`);

  async function openFolder(id: string): Promise<string> {
    const path = findFolder(id);
    const created = await mkdir(path, { recursive: true, mode: 0o700 });
    if (created !== undefined) await syncFolder(dirname(created));
    const removeExpired = cleaners.get(path) ?? createCleaner(path, /^[0-9a-f-]+\.(record|new)$/);
    cleaners.set(path, removeExpired);
    await removeExpired();
    return path;
  }

  /** A whole file, under a name that nobody reads. */
  async function prepare(path: string, text: string, expiresAt: Date): Promise<string> {
    const written = join(path, `${randomUUID()}.new`);
    await writeFile(written, `${expiresAt.toISOString()}\n${text}`, { mode: 0o600, flush: true });
    return written;
  }

  return {
    ...createFolderClaimStore(folder),
    async write(id, text, expiresAt) {
      const path = await openFolder(id);
      const written = await prepare(path, text, expiresAt);
      try {
        // A second name for the whole file: nobody reads a part of it, and only one process can give it.
        return await isCreated(link(written, findPath(id)), path);
      } finally {
        await rm(written, { force: true });
      }
    },
    async replace(id, text, expiresAt) {
      await rename(await prepare(await openFolder(id), text, expiresAt), findPath(id));
    },
    async read(id) {
      const content = await readFile(findPath(id), "utf8").catch(ignoreMissing);
      if (content === undefined) return undefined;
      const end = content.indexOf("\n");
      return Date.parse(content.slice(0, end)) > Date.now() ? content.slice(end + 1) : undefined;
    },
    async list(prefix, limit) {
      const start = toHexadecimal(prefix);
      const names = (await readdir(findFolder(prefix)).catch(ignoreMissing)) ?? [];
      const found = names.filter((name) => name.startsWith(start) && name.endsWith(".record"));
      const ids = found.sort().slice(0, limit);
      return ids.map((name) => Buffer.from(name.slice(0, -".record".length), "hex").toString());
    },
    async delete(id) {
      await rm(findPath(id), { force: true });
      await syncFolder(findFolder(id));
    },
  };
}

/** As safe as a digest, `list` reads the id from it, and it is sorted as the id is. */
const toHexadecimal = (text: string) => Buffer.from(text).toString("hex");

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

/** A digest: safe for any id, also on a disk that does not distinguish `a` from `A`. */
const claimName = (id: string) => `${createHash("sha256").update(id).digest("hex")}.claim`;

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
