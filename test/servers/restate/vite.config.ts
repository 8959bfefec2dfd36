import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { sources } from "../../../docs/examples/sources.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// The programs that run as processes of their own, for Node 20, which reads no TypeScript.
export default defineConfig({
  root: here("."),
  resolve: { alias: sources },
  build: {
    ssr: true,
    outDir: here("dist"),
    emptyOutDir: true,
    target: "node20",
    rolldownOptions: {
      input: [
        ...["worker", "demonstration", "kills", "measure"].map((name) => here(`${name}.ts`)),
        here("../../../docs/examples/restate.ts"),
        here("../../../src/programs/cli/main.ts"),
      ],
      output: { entryFileNames: "[name].mjs" },
    },
  },
});
