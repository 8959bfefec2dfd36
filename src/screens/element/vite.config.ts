import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { bundledPackages } from "../../bundled-packages.ts";
import { smallStyles, smallTemplates } from "../../small-styles.ts";

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** `<bank-login>` with all that it imports in one file, for pages without a bundler. */
export default defineConfig({
  root: file("."),
  plugins: [
    smallStyles,
    smallTemplates,
    bundledPackages({ notices: "element.licenses.txt", bom: "element.cdx.json" }),
    {
      name: "types",
      // For an `import` of the file in TypeScript, which defines the tag and exports nothing.
      generateBundle() {
        this.emitFile({ type: "asset", fileName: "element.d.ts", source: "export {};\n" });
      },
    },
  ],
  // As the field `browser` of package.json does it for the built package.
  resolve: { alias: [{ find: /^.*\/load-ofetch\.ts$/, replacement: file("../../core/api/ofetch.ts") }] },
  build: {
    outDir: file("../../../dist"),
    emptyOutDir: false,
    target: "es2023",
    modulePreload: false,
    rolldownOptions: {
      input: file("plain-page.ts"),
      output: { entryFileNames: "element.js", codeSplitting: false },
    },
  },
});
