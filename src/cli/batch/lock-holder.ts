import { readFile, readlink } from "node:fs/promises";
import { hostname, uptime } from "node:os";
import * as v from "valibot";
import { readErrorCode } from "../settings/private-files.ts";

const lockHolder = v.object({
  host: v.string(),
  /** The boot id; where the platform has none, when the machine was started, in seconds since 1970. */
  boot: v.union([v.string(), v.number()]),
  /** The PID namespace that `pid` belongs to: each container has its own. */
  namespace: v.string(),
  pid: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  /** When the process was started, in clock ticks since the boot: the kernel gives a PID to others later. */
  startTime: v.nullable(v.number()),
});

/** Which process has a lock, so that others can tell whether it still runs. */
export type LockHolder = Readonly<v.InferOutput<typeof lockHolder>>;

/** The holder in the text of a lock; `undefined` where the text is not from this version. */
export function parseLockHolder(text: string): LockHolder | undefined {
  try {
    const { success, output } = v.safeParse(lockHolder, JSON.parse(text));
    return success ? output : undefined;
  } catch {
    return undefined;
  }
}

/** This process. */
export async function readOwnHolder(): Promise<LockHolder> {
  const { pid, platform } = process;
  const host = hostname();
  if (platform !== "linux") {
    return { host, boot: Math.round(Date.now() / 1000 - uptime()), namespace: "", pid, startTime: null };
  }
  const [boot, namespace, own] = await Promise.all([
    readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => ""),
    readlink("/proc/self/ns/pid").catch(() => ""),
    readProcess("self"),
  ]);
  return { host, boot: boot.trim(), namespace, pid, startTime: own?.startTime ?? null };
}

/** Whether the holder still runs. `unknown` on another host, after another boot and in another PID namespace, where PIDs differ. */
export async function findHolderState(holder: LockHolder, own: LockHolder): Promise<"running" | "gone" | "unknown"> {
  if (!(await isVisible(holder, own))) return "unknown";
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if (readErrorCode(error) === "ESRCH") return "gone";
    // EPERM: it runs, under another user.
  }
  if (holder.startTime === null) return "unknown";
  const found = await readProcess(`${holder.pid}`);
  if (!found) return "unknown";
  return found.startTime === holder.startTime && !found.isZombie ? "running" : "gone";
}

async function isVisible(holder: LockHolder, own: LockHolder): Promise<boolean> {
  if (holder.host !== own.host || holder.namespace !== own.namespace) return false;
  if (process.platform === "linux") {
    // With the /proc of another namespace mounted, a PID names another process there.
    const isOwnProc = (await readProcess("self"))?.pid === own.pid;
    return isOwnProc && own.boot !== "" && own.namespace !== "" && holder.boot === own.boot;
  }
  // The clock may have been set since.
  return Math.abs(Number(holder.boot) - Number(own.boot)) < 60;
}

async function readProcess(name: string) {
  const text = await readFile(`/proc/${name}/stat`, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  // The second field is the program's name, which may have spaces and brackets in it.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return { pid: Number.parseInt(text, 10), isZombie: fields[0] === "Z", startTime: Number(fields[19]) };
}
