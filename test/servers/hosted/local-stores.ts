import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFolderStore, createMemoryStore, type Store } from "ventanilla/tokens";
import { onTestFinished } from "vitest";

/** The stores that need no server, each as several instances see it. */
export const localStores: readonly (readonly [name: string, prepare: () => Promise<() => Store>])[] = [
  [
    "memory",
    async () => {
      const store = createMemoryStore({ rows: new Map() });
      return () => store;
    },
  ],
  [
    "a folder",
    async () => {
      const folder = await mkdtemp(join(tmpdir(), "ventanilla-hosted-"));
      onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
      return () => createFolderStore(folder);
    },
  ],
];
