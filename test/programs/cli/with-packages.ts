import { cp, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installProgram } from "./installed-program.ts";
import { ownFolder } from "./program.ts";

/** The program with the packages of this project beside it, as where a user has installed them. */
export async function installWithPackages(): Promise<{ readonly folder: string; readonly main: string }> {
  const [installed, folder] = await Promise.all([installProgram(), ownFolder()]);
  await cp(installed.folder, folder, { recursive: true });
  await rm(join(folder, "node_modules"), { recursive: true });
  await symlink(fileURLToPath(new URL("../../../node_modules", import.meta.url)), join(folder, "node_modules"));
  return { folder, main: join(folder, "dist/src/programs/cli/main.js") };
}
