import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

/**
 * A folder that is made once in a run of the tests, by the first worker that needs it. The others wait for it; where making it
 * fails, the next one tries again. It goes with the run's temporary folder.
 */
export async function sharedFolder(name: string, make: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = join(tmpdir(), name);
  const unfinished = `${folder}-unfinished`;
  while (!existsSync(folder)) {
    const isOurs = await mkdir(unfinished).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error;
        return false;
      },
    );
    if (!isOurs) {
      await setTimeout(50);
      continue;
    }
    try {
      // Another worker may have finished it just before.
      if (existsSync(folder)) return folder;
      await make(unfinished);
      await rename(unfinished, folder);
    } finally {
      await rm(unfinished, { recursive: true, force: true });
    }
  }
  return folder;
}
