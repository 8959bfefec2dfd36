import { randomUUID } from "node:crypto";
import { link, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createCleaner, createFolderClaimStore, syncFolder } from "./folder-claim-store.ts";
import type { RecordStore } from "./record-store.ts";

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
  return {
    ...createFolderClaimStore(folder),
    async write(id, text, expiresAt) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await removeExpired();
      const written = join(folder, `${randomUUID()}.new`);
      await writeFile(written, `${expiresAt.toISOString()}\n${text}`, { mode: 0o600, flush: true });
      try {
        // A second name for the whole file: nobody reads a part of it, and only one process can give it.
        await link(written, join(folder, fileName(id)));
        await syncFolder(folder);
        return true;
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
        throw error;
      } finally {
        await rm(written, { force: true });
      }
    },
    async read(id) {
      const content = await readFile(join(folder, fileName(id)), "utf8").catch((error: NodeJS.ErrnoException) => {
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

/** Hexadecimal: safe for any id, also on a disk that does not distinguish `a` from `A`, and `list` reads the id from it. */
const fileName = (id: string) => `${Buffer.from(id).toString("hex")}.record`;
