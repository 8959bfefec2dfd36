import { copyFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { bundledPackages } from "../../bundled-packages.ts";

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The playground as static files in `dist/play`; the viewer, which is built before it, is copied beside its page. */
export default defineConfig({
  root: folder("."),
  base: "./",
  build: { outDir: folder("../../../dist/play"), emptyOutDir: true, modulePreload: false },
  plugins: [
    bundledPackages({ notices: "THIRD-PARTY-LICENSES.txt", bom: "sbom.cdx.json" }),
    {
      name: "viewer",
      async writeBundle({ dir = "" }) {
        await copyFile(folder("../../../dist/viewer/index.html"), `${dir}/viewer.html`);
      },
    },
  ],
});
