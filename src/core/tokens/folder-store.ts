import { randomUUID } from "node:crypto";
import { link, mkdir, open, readdir, readFile, rename, rm, rmdir, truncate, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Store } from "./store.ts";

/** Milliseconds between two sweeps of a folder. */
const SWEEP_INTERVAL = 60_000;

/** Milliseconds after which a draft was left by a process that was killed. */
const LONGEST_DRAFT = 3_600_000;

// A row is a folder with a file for each version, `<life>.<version>`. Each change is one operation that only one process can complete:
// - A new row is a folder with version 0, renamed to a path that does not exist or is an empty folder.
// - A new version is a hard link to a complete file. The previous version is emptied and keeps its name: a process that was suspended
//   after it read the row can't create the same version.
// - A row is removed with its version 0. That needs no room on the disk. An expired row is closed before by an empty version, because another process
//   may write it again at the same time.
// A process that was suspended while a row was removed and created again finds that its version belongs to no row.

/** A row as it was read. */
interface Row {
  /** All files in its folder. */
  readonly names: readonly string[];
  /** The random name of the row, another one each time it is created; empty if there is none. */
  readonly life: string;
  /** The number of the newest version. */
  readonly version: number;
  /** Of the newest version. Missing if the row was closed. */
  readonly content?: { readonly writtenAt: number; readonly lifetime: number; readonly text: string };
}

const ROW = ".row";
const DRAFT = ".new";

/**
 * The store in a folder, for the processes of one host. Written rows survive a loss of power. Expired rows are removed a few at a time, with each
 * change.
 *
 * @param folder a separate folder on a local disk, created if it is missing. Not a network share: some of them can't create a file
 * exclusively.
 * @example
 * const store = createFolderStore("/var/lib/shop/logins");
 */
export function createFolderStore(folder: string): Store {
  const sweepers = new Map<string, () => Promise<void>>();
  /** The folder of an id. `list` reads the ids of one folder only. */
  const findFolder = (id: string) => join(folder, toHexadecimal(id.slice(0, Math.max(0, id.indexOf(":")))));
  const findPath = (id: string) => join(findFolder(id), `${toHexadecimal(id)}${ROW}`);

  async function openFolder(path: string): Promise<void> {
    const created = await mkdir(path, { recursive: true, mode: 0o700 });
    if (created !== undefined) await syncFolder(dirname(created));
    const sweep = sweepers.get(path) ?? createSweeper(path);
    sweepers.set(path, sweep);
    // What can't be removed only takes space on the disk.
    await sweep().catch(() => {});
  }

  return {
    read: async (id) => readText(await readRow(findPath(id))),
    async swap(id, expected, text, lifetime) {
      await openFolder(findFolder(id));
      for (;;) {
        const row = await readRow(findPath(id));
        if (readText(row) !== expected) return false;
        if (await writeVersion(findPath(id), row, text, lifetime)) return true;
      }
    },
    async delete(id) {
      await remove(findPath(id), await findNewest(findPath(id)));
      await syncFolder(findFolder(id));
    },
    async list(prefix, limit) {
      const start = toHexadecimal(prefix);
      const found = (await readNames(findFolder(prefix))).filter(
        (name) => name.startsWith(start) && name.endsWith(ROW),
      );
      const ids = found.sort().slice(0, limit);
      return ids.map((name) => Buffer.from(name.slice(0, -ROW.length), "hex").toString());
    },
  };
}

/** Safe for any id, even on a file system that ignores case. `list` reads the id from it, and it sorts as the id does. */
const toHexadecimal = (text: string) => Buffer.from(text).toString("hex");

const toName = ({ life, version }: Pick<Row, "life" | "version">) => `${life}.${version}`;

const readNames = async (path: string) => (await readdir(path).catch(ignoreMissing)) ?? [];

const readText = ({ content }: Row) =>
  content && content.writtenAt + content.lifetime > Date.now() ? content.text : undefined;

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

async function findNewest(path: string): Promise<Row> {
  const names = await readNames(path);
  const life = names.find((name) => name.endsWith(".0"))?.slice(0, -".0".length) ?? "";
  const versions = names.filter((name) => name.startsWith(life)).map((name) => Number(name.slice(life.length + 1)));
  return { names, life, version: Math.max(...versions) };
}

async function readRow(path: string): Promise<Row> {
  for (;;) {
    const row = await findNewest(path);
    if (row.life === "") return row;
    const written = await readFile(join(path, toName(row)), "utf8").catch(ignoreMissing);
    const [, writtenAt, lifetime, length, text = ""] = /^(\d+) (\S+) (\d+)\n(.*)$/s.exec(written ?? "") ?? [];
    if (length !== undefined && text.length === Number(length)) {
      return { ...row, content: { writtenAt: Number(writtenAt), lifetime: Number(lifetime), text } };
    }
    // A newer version has emptied it, or the row was removed.
    if (toName(await findNewest(path)) !== toName(row)) continue;
    if (written === "") return row;
    throw new Error("a file of the store was changed by another program");
  }
}

/** Writes a new version of a row. @returns whether the row was unchanged since it was read. */
async function writeVersion(path: string, row: Row, text: string, lifetime: number): Promise<boolean> {
  const draft = join(dirname(path), `${Date.now()}-${randomUUID()}${DRAFT}`);
  const file = join(draft, toName({ life: randomUUID(), version: 0 }));
  try {
    await mkdir(draft, { mode: 0o700 });
    // With its length, because a file may be emptied while it is read.
    await writeFile(file, `${Date.now()} ${lifetime} ${text.length}\n${text}`, { mode: 0o600, flush: true });
    if (row.content) {
      if (!(await append(path, row, (name) => link(file, name)))) return false;
      await syncFolder(path);
      await truncate(join(path, toName(row))).catch(ignoreMissing);
      return true;
    }
    await remove(path, row);
    await syncFolder(draft);
    const isMade = await rename(draft, path).then(
      () => true,
      async (error: NodeJS.ErrnoException) => {
        // Another process has created the row, or has not removed all of it. Windows has no code of its own for that.
        if (error.code === "ENOTEMPTY" || (await readNames(path)).length > 0) return false;
        throw error;
      },
    );
    await syncFolder(dirname(path));
    return isMade;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Adds a version to a row. @returns whether it follows the version that was read. */
async function append(path: string, row: Row, create: (name: string) => Promise<void>): Promise<boolean> {
  const name = join(path, toName({ ...row, version: row.version + 1 }));
  try {
    await create(name);
  } catch (error) {
    if (["EEXIST", "ENOENT"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
  // This process may have been suspended before: the row may have been removed, and replaced.
  if ((await findNewest(path)).life === row.life) return true;
  await rm(name, { force: true });
  return false;
}

/** Removes a row, unless it was changed since it was read. */
async function close(path: string, row: Row): Promise<void> {
  const isOurs = !row.content || (await append(path, row, (name) => writeFile(name, "", { flag: "wx", mode: 0o600 })));
  if (isOurs) await remove(path, row);
}

/** Removes a row, whatever its version is now, and its folder. A new row at this path has other names, and stays. */
async function remove(path: string, { life, names }: Row): Promise<void> {
  await rm(join(path, toName({ life, version: 0 })), { force: true });
  // Another process may have written a version before that, and none after it.
  const left = life === "" ? names : (await readNames(path)).filter((name) => name.startsWith(life));
  for (const name of left) await rm(join(path, name), { force: true });
  await rmdir(path).catch(() => {});
}

/** Removes expired rows in a folder, a few with each call. A time in the future comes from a wrong clock and is not trusted. */
function createSweeper(folder: string): () => Promise<void> {
  let names: string[] = [];
  let sweptAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = Date.now();
    if (names.length === 0) {
      if (Math.abs(now - sweptAt) < SWEEP_INTERVAL) return;
      sweptAt = now;
      names = await readdir(folder);
    }
    for (const name of names.splice(0, 20)) {
      const path = join(folder, name);
      if (name.endsWith(DRAFT) && Math.abs(now - Number.parseInt(name, 10)) > LONGEST_DRAFT)
        await rm(path, { recursive: true, force: true });
      if (!name.endsWith(ROW)) continue;
      const row = await readRow(path);
      if (readText(row) === undefined) await close(path, row);
      // Its lifetime counts from now.
      else if (row.content && row.content.writtenAt > now + SWEEP_INTERVAL) {
        await writeVersion(path, row, row.content.text, row.content.lifetime);
      }
    }
  };
}

/** Makes a new file in a folder survive a loss of power, if the platform can. */
export async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, "r");
    await folder.sync().finally(() => folder.close());
  } catch {
    // Windows can't open folders.
  }
}
