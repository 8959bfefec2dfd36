import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { createFolderStore } from "ventanilla/tokens";

// A program that folder.test.ts runs twice: both claim the same ids, and print those that they got, and add to the same count.

const { NAME: name = "", READY: ready = "", FOLDER: folder = "" } = process.env;
const store = createFolderStore(folder);
await writeFile(join(ready, name), "");
// Both begin when both have started.
while ((await readdir(ready)).length < 2) await setImmediate();
const won: number[] = [];
for (let id = 0; id < 200; id += 1) {
  if (await store.swap(`claim:${id}`, undefined, name, 60_000)) won.push(id);
}
for (let added = 0; added < 50; ) {
  const count = await store.read("count:all");
  if (await store.swap("count:all", count, String(Number(count ?? 0) + 1), 60_000)) added += 1;
}
process.stdout.write(JSON.stringify(won));
