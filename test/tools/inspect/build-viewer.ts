import { cp } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { sharedFolder } from "../../shared-folder.ts";

const folder = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const files = ["viewer/index.html", "diagrams/login.svg", "diagrams/link.svg"];

/** Builds the viewer and the pictures as `npm run build` does, to where the sources look for them: once in a run. */
export async function buildViewer(): Promise<void> {
  await sharedFolder("ventanilla-viewer", async (outDir) => {
    await build({
      configFile: folder("src/tools/inspect/viewer/vite.config.ts"),
      logLevel: "silent",
      build: { outDir },
    });
    for (const file of files) await cp(join(outDir, file), folder(`dist/${file}`));
  });
}
