import { cp, mkdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import manifest from "../../../package.json" with { type: "json" };
import { sharedFolder } from "../../shared-folder.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** The package as a user has it installed: what the set-up of the tests has built, and beside it what npm installs with it. */
export async function installProgram(): Promise<{ readonly folder: string; readonly main: string }> {
  const folder = await sharedFolder("ventanilla-cli", async (fresh) => {
    for (const part of ["package.json", "dist"]) await cp(join(root, part), join(fresh, part), { recursive: true });
    await mkdir(join(fresh, "node_modules"));
    for (const name of [...Object.keys(manifest.dependencies), "xstate"]) {
      const place = join(fresh, "node_modules", name);
      await mkdir(dirname(place), { recursive: true });
      await symlink(join(root, "node_modules", name), place);
    }
  });
  return { folder, main: join(folder, "dist/src/programs/cli/main.js") };
}
