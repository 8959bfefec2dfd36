import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { bundledPackages } from "../../bundled-packages.ts";
import { minifyCss } from "../../small-styles.ts";
import { card } from "./styles/card.ts";
import { controls } from "./styles/controls.ts";
import { steps } from "./styles/steps.ts";
import { theme } from "./styles/theme.ts";

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The first form of a hosted page: the module that draws it on a server, and its style. */
export default defineConfig({
  root: file("."),
  plugins: [
    bundledPackages({ notices: "THIRD-PARTY-LICENSES.txt", bom: "sbom.cdx.json" }),
    {
      name: "style",
      generateBundle() {
        const styles = [theme, card, controls, steps].map(({ cssText }) => cssText);
        // The page hides the form until its style is there. Nothing says when a logo has loaded.
        const own = ":host { visibility: visible !important; } .logo img:not(.loaded) { opacity: 1; }";
        const source = [...styles, own].join("\n");
        this.emitFile({ type: "asset", fileName: "form.css", source: minifyCss(source) });
      },
    },
  ],
  // Of `lit` the templates alone: its elements need a stand-in for the DOM.
  resolve: { alias: [{ find: /^lit$/, replacement: "lit/html.js" }] },
  ssr: { noExternal: true },
  build: {
    ssr: true,
    outDir: file("../../../dist/hosted"),
    // After the page, which empties it.
    emptyOutDir: false,
    target: "es2023",
    minify: true,
    rolldownOptions: {
      input: file("first-form.ts"),
      output: { entryFileNames: "first-form.js", codeSplitting: false },
    },
  },
});
