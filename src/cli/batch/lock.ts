import { readFile, unlink, writeFile } from "node:fs/promises";
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
    const holder = Number.parseInt(await readFile(path, "utf8").catch(() => ""), 10);
    if (isRunning(holder)) break;
    await unlink(path).catch(() => {});
  }
  throw new BankError("file_unusable", { field: "--out", detail: "another batch writes to it" });
}

function isRunning(process_: number): boolean {
  // A lock that is being written has no number in it yet.
  if (!(process_ > 0)) return true;
  try {
    process.kill(process_, 0);
    return true;
  } catch (error) {
    // Somebody else's process.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
