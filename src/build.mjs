import { fileURLToPath } from "node:url";
import { build } from "vite";

// What `npm run build` bundles, in this order: the playground has a copy of the viewer.
for (const folder of [".", "tools/inspect/viewer", "programs/play", "screens/element", "servers/hosted/page"]) {
  await build({
    configFile: fileURLToPath(new URL(`${folder}/vite.config.ts`, import.meta.url)),
    logLevel: "warn",
  });
}
