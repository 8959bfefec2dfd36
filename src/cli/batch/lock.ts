import { link, readFile, rename, unlink, writeFile } from "node:fs/promises";
import { BankError } from "../../index.ts";
import { fileFault } from "../settings/files.ts";

/**
 * Keeps two batches from the same results, which would send logins twice. The lock of a process that is gone is taken over.
 *
 * @returns what gives the lock back.
 * @throws {BankError} `file_unusable` while another process has it.
 */
export async function lock(path: string): Promise<() => Promise<void>> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      await writeFile(path, `${process.pid}\n`, { flag: "wx", mode: 0o600 });
      return async () => unlink(path).catch(() => {});
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw fileFault("--out", error);
    }
    const holder = await holderOf(path);
    if (isRunning(holder) || !(await takenAway(path, holder))) break;
  }
  throw new BankError("file_unusable", { field: "--out", detail: "another batch writes to it" });
}

async function holderOf(path: string): Promise<number> {
  return Number.parseInt(await readFile(path, "utf8").catch(() => ""), 10);
}

/** Takes the lock of a dead process away; whether it was still that one, and not the fresh lock of somebody faster. */
async function takenAway(path: string, holder: number): Promise<boolean> {
  const aside = `${path}.${process.pid}`;
  try {
    await rename(path, aside);
  } catch {
    // Somebody else has it, and the next try to lock decides.
    return true;
  }
  const isDead = (await holderOf(aside)) === holder;
  if (!isDead) await link(aside, path).catch(() => {});
  await unlink(aside).catch(() => {});
  return isDead;
}

function isRunning(process_: number): boolean {
  // A lock that is being written has no number in it yet.
  if (!(process_ > 0)) return true;
  // In a container every run can have the same number: this one has no lock yet.
  if (process_ === process.pid) return false;
  try {
    process.kill(process_, 0);
    return true;
  } catch (error) {
    // Somebody else's process.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
