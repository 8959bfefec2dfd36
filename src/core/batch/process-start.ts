/**
 * When a process of this machine began, as a text: if its id is used again, the new process has another text. `undefined` if there is no such process. If the
 * platform does not say when it began, the text is empty.
 */
export async function findStart(id: number): Promise<string | undefined> {
  try {
    process.kill(id, 0);
  } catch (error) {
    // A process of another user exists, too.
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return undefined;
  }
  return process.platform === "linux" ? readStart(id) : askStart(id);
}

async function readStart(id: number): Promise<string | undefined> {
  const { readFile } = process.getBuiltinModule("node:fs/promises");
  const status = await readFile(`/proc/${id}/stat`, "utf8").catch(() => undefined);
  if (status === undefined) return undefined;
  // The second member is the name in brackets, which may contain anything. The time is in ticks since the machine was started.
  const [state = "", ...members] = status.slice(status.lastIndexOf(")") + 2).split(" ");
  if (isDead(state)) return undefined;
  return `${(await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim()} ${members[18]}`;
}

function askStart(id: number): Promise<string | undefined> {
  const { execFile } = process.getBuiltinModule("node:child_process");
  return new Promise((resolve) => {
    // Windows has no such program.
    execFile("ps", ["-o", "state=,lstart=", "-p", `${id}`], (error, stdout) => {
      const [state = "", ...since] = error ? [] : stdout.trim().split(/\s+/);
      resolve(isDead(state) ? undefined : since.join(" "));
    });
  });
}

/** It was killed, and its parent has not read its exit status. */
const isDead = (state: string) => /^[ZX]/.test(state);
