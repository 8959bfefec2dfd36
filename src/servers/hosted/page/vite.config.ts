import { copyFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The script and the style of the page of a hosted login. `<bank-login>` is a file of its own. */
export default defineConfig({
  root: file("."),
  build: {
    outDir: file("../../../../dist/hosted"),
    emptyOutDir: true,
    target: "es2023",
    modulePreload: false,
    rolldownOptions: { input: file("main.ts"), output: { entryFileNames: "page.js" } },
  },
  plugins: [{ name: "style", writeBundle: ({ dir = "" }) => copyFile(file("page.css"), `${dir}/page.css`) }],
});
