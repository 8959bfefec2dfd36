import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, readlink, rename, rm, rmdir, stat, unlink, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { BankError } from "../../index.ts";
import { readErrorCode, toFileFault } from "../settings/private-files.ts";

// An attempt fails because another process was faster. So many in a row have another cause.
const ATTEMPTS = 100;

const lockHolder = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    host: v.string(),
    boot: v.string(),
    /** The PID namespace that `pid` belongs to: each container has its own. */
    namespace: v.string(),
    pid: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
    /** In clock ticks since the boot: the kernel gives a PID to others later. */
    startTime: v.nullable(v.number()),
  }),
);

/** Which process has a lock, so that others can tell whether it still runs. Only Linux says more than host and PID. */
export type LockHolder = Readonly<v.InferOutput<typeof lockHolder>>;

/**
 * Keeps a second batch from the same results, because it would send logins again: another process, another container on the volume,
 * another host. The lock is a folder. The one file in it has a random id as its name, and names the holder.
 *
 * Why no library: Node has no file locks of the system's, and those of npm trust an age. A holder that was paused loses its lock to
 * another, and of two that find the same stale lock both may get it (moxystudio/node-proper-lockfile#121). Here a file is removed by its
 * holder's id, so it is never a newer holder's, and a rename onto a folder fails unless that is empty: exactly one succeeds.
 *
 * With `force` a lock whose holder can't be seen from here is taken.
 */
export async function lock(path: string, { force = false }: { readonly force?: boolean } = {}) {
  const id = randomUUID();
  const own = await readOwnHolder();
  const prepared = `${path}.${id}`;
  try {
    await mkdir(prepared, { mode: 0o700 });
    await writeFile(join(prepared, id), `${JSON.stringify(own)}\n`, { mode: 0o600 });
    await take(path, prepared, own, force);
  } catch (error) {
    await rm(prepared, { recursive: true, force: true });
    throw toFileFault("--out", error);
  }
  return {
    /** Checks that no other process has taken the lock by force. */
    async check() {
      await stat(join(path, id)).catch((error: unknown) => {
        throw isMissing(error) ? createLockFault("another batch has taken its lock") : toFileFault("--out", error);
      });
    },
    async release() {
      await unlink(join(path, id)).catch(() => {});
      // Another process may have it already.
      await rmdir(path).catch(() => {});
    },
  };
}

async function take(path: string, prepared: string, own: LockHolder, force: boolean): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    // Windows renames nothing onto a folder, not even onto an empty one.
    await rmdir(path).catch(() => {});
    try {
      await rename(prepared, path);
      return;
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
    const files = await readdir(path).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    // Only a lock that was there at first is taken by force: of two processes with --force-lock, the slower one meets a new lock.
    for (const file of files) await removeUnlessHeld(join(path, file), own, force && attempt === 1);
  }
}

async function removeUnlessHeld(file: string, own: LockHolder, force: boolean): Promise<void> {
  const text = await readFile(file, "utf8").catch((error: unknown) => (isMissing(error) ? undefined : ""));
  if (text === undefined) return;
  const { success, output } = v.safeParse(lockHolder, text);
  const holder = success ? output : undefined;
  const state = holder ? await findHolderState(holder, own) : "unknown";
  const who = holder ? `process ${holder.pid} on ${holder.host}` : "a process that its lock does not name";
  if (state === "running") throw createLockFault(`another batch writes to it: ${who}`);
  if (state === "unknown" && !force) {
    const advice = "which can't be checked from here; once that has ended, --force-lock takes the lock";
    throw createLockFault(`another batch may write to it: ${who}, ${advice}`);
  }
  await unlink(file).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
}

/** This process. */
export async function readOwnHolder(): Promise<LockHolder> {
  const [boot, namespace, startTime] = await Promise.all([
    readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => ""),
    readlink("/proc/self/ns/pid").catch(() => ""),
    readStartTime("self"),
  ]);
  return { host: hostname(), boot: boot.trim(), namespace, pid: process.pid, startTime };
}

/** Whether the holder still runs. `unknown` on another host, after another boot and in another PID namespace, where PIDs differ. */
async function findHolderState(holder: LockHolder, own: LockHolder): Promise<"running" | "gone" | "unknown"> {
  const isHere = holder.host === own.host && holder.boot === own.boot && holder.namespace === own.namespace;
  if (!isHere) return "unknown";
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if (readErrorCode(error) === "ESRCH") return "gone";
    // EPERM: it runs, under another user.
  }
  const startTime = await readStartTime(`${holder.pid}`);
  if (startTime === null || holder.startTime === null) return "unknown";
  return startTime === holder.startTime ? "running" : "gone";
}

/** When a process was started; infinite for a zombie, which has ended. */
async function readStartTime(pid: string): Promise<number | null> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  if (text === undefined) return null;
  // The second field is the program's name, which may have spaces and brackets in it.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" ? Number.POSITIVE_INFINITY : Number(fields[19]);
}

function createLockFault(detail: string): BankError {
  return new BankError("file_unusable", { field: "--out", detail });
}

function isMissing(error: unknown): boolean {
  return readErrorCode(error) === "ENOENT";
}
