import { execFile } from "node:child_process";
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const run = promisify(execFile);

const repository = fileURLToPath(new URL("../../../", import.meta.url));

/**
 * Installs the packed package in a project, as a user would.
 *
 * @param files where files and folders of the repository are copied to, among them a `package.json` with its lock.
 * @param development development dependencies of the repository that the project needs too.
 */
export async function installPackage(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  const filter = (path: string) => !/\/(node_modules|dist)(\/|$)/.test(path.slice(repository.length - 1));
  for (const [from, to] of Object.entries(files)) {
    await cp(join(repository, from), join(folder, to), { recursive: true, filter });
  }
  const npm = (...words: string[]) => run("npm", [...words, "--no-audit", "--no-fund", "--silent"], { cwd: folder });
  await npm("ci", "--ignore-scripts");
  await run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], { cwd: repository });
  const { version } = JSON.parse(await readFile(join(repository, "package.json"), "utf8"));
  await npm("install", "--no-save", "--ignore-scripts", `./ventanilla-${version}.tgz`);
}
