import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build as buildWithVite } from "vite";

const folder = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const files = ["viewer/index.html", "diagrams/login.svg", "diagrams/link.svg"];

let building: Promise<void> | undefined;

/** Builds the viewer and the pictures as `npm run build` does, to where the sources look for them: once for each worker. */
export function buildViewer(): Promise<void> {
  building ??= build();
  return building;
}

async function build(): Promise<void> {
  const dist = folder("dist");
  await mkdir(dist, { recursive: true });
  // Test files run at the same time: each file is put in place whole.
  const own = await mkdtemp(join(dist, ".viewer-"));
  try {
    await buildWithVite({
      configFile: folder("src/inspect/viewer/vite.config.ts"),
      logLevel: "silent",
      build: { outDir: own },
    });
    for (const file of files) {
      await mkdir(join(dist, file, ".."), { recursive: true });
      await rename(join(own, file), join(dist, file));
    }
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}
