import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { createFolderClaimStore } from "ventanilla/tokens";

// A program that folder.test.ts runs twice: both claim the same ids, and print those that they got.

const { NAME: name = "", READY: ready = "", FOLDER: folder = "" } = process.env;
const store = createFolderClaimStore(folder);
await writeFile(join(ready, name), "");
// Both begin when both have started.
while ((await readdir(ready)).length < 2) await setImmediate();
const won: number[] = [];
for (let id = 0; id < 500; id += 1) {
  if (await store.claim(`id-${id}`, new Date(Date.now() + 60_000))) won.push(id);
}
process.stdout.write(JSON.stringify(won));
