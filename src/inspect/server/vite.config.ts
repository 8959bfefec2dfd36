import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { licenses } from "../../../.ci/licenses.ts";

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** What `ventanilla/inspect` serves WebSockets with: `ws` itself, in place of what the compiler wrote there. */
export default defineConfig({
  root: file("."),
  plugins: [licenses("THIRD-PARTY-LICENSES.txt")],
  ssr: { noExternal: true },
  build: {
    ssr: file("websocket-server.ts"),
    outDir: file("../../../dist/src/inspect/server"),
    // What the compiler put there stays.
    emptyOutDir: false,
    target: "node20",
    minify: true,
  },
});
