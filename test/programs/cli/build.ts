import { cp, mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import manifest from "../../../package.json" with { type: "json" };
import { sharedFolder } from "../../shared-folder.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** The program, bundled from the current sources as for the package, so that the tests don't depend on `dist`. */
export async function buildProgram(): Promise<{ readonly folder: string; readonly main: string }> {
  const folder = await sharedFolder("ventanilla-cli", async (fresh) => {
    await cp(join(root, "package.json"), join(fresh, "package.json"));
    await build({
      configFile: join(root, "src/vite.config.ts"),
      logLevel: "error",
      build: { outDir: join(fresh, "dist") },
    });
    await mkdir(join(fresh, "node_modules"));
    // What npm installs with the package, and nothing else.
    for (const name of [...Object.keys(manifest.dependencies), "xstate"]) {
      const place = join(fresh, "node_modules", name);
      await mkdir(dirname(place), { recursive: true });
      await symlink(join(root, "node_modules", name), place);
    }
    await addParts(fresh);
  });
  return { folder, main: join(folder, "dist/src/programs/cli/main.js") };
}

/** What the package's build adds: stand-ins, for the parts have tests of their own. */
async function addParts(fresh: string): Promise<void> {
  const parts = {
    "viewer/index.html": "<body>viewer</body>",
    "hosted/page.css": "",
    "hosted/page.js": "",
    "element.js": "",
    "diagrams/login.svg": "<svg/>",
    "diagrams/link.svg": "<svg/>",
  };
  for (const [name, content] of Object.entries(parts)) {
    await mkdir(dirname(join(fresh, "dist", name)), { recursive: true });
    await writeFile(join(fresh, "dist", name), content);
  }
}
