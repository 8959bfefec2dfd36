import { execFile } from "node:child_process";
import { cp, mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { sharedFolder } from "../shared-folder.ts";
import { serveFolder } from "./vite.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const run = promisify(execFile);

/**
 * Installs the packed package with Angular, as a user would, and builds the example and the screens under test by Angular's own
 * build. Angular needs another TypeScript than this repository, so all of it lies in a folder of its own, under the same paths.
 */
const buildWorkspace = () =>
  sharedFolder("ventanilla-angular", async (folder) => {
    await mkdir(join(folder, "test/browser"), { recursive: true });
    const isSource = (path: string) => !/\/(node_modules|dist)(\/|$)/.test(path.slice(repository.length - 1));
    for (const path of [
      "docs/examples",
      "test/browser/angular",
      "test/browser/harness.ts",
      "test/browser/screen-driver.ts",
    ])
      await cp(join(repository, path), join(folder, path), { recursive: true, filter: isSource });
    for (const name of ["package.json", "package-lock.json"])
      await cp(join(repository, "docs/examples/angular", name), join(folder, name));
    const npm = (...words: string[]) => run("npm", [...words, "--no-audit", "--no-fund", "--silent"], { cwd: folder });
    await npm("ci", "--ignore-scripts");
    await run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], { cwd: repository });
    const { version, devDependencies } = JSON.parse(await readFile(join(repository, "package.json"), "utf8"));
    const graph = `@xstate/graph@${devDependencies["@xstate/graph"]}`;
    await npm("install", "--no-save", "--ignore-scripts", `./ventanilla-${version}.tgz`, graph);
    const build = (place: string, project: string) =>
      run(join(folder, "node_modules/.bin/ng"), ["build", project, "--progress=false"], { cwd: join(folder, place) });
    await build("docs/examples/angular", "example");
    await build("test/browser/angular", "screens");
    await build("test/browser/angular", "server");
    // Thousands of files that nobody needs any more would be taken away at the end of the run, while everything waits.
    await rm(join(folder, "node_modules"), { recursive: true });
  });

/** Serves what Angular has built of a folder; `dist-server` was rendered on a server. */
export async function serveAngular(root: string, output: "dist" | "dist-server" = "dist") {
  return serveFolder(join(await buildWorkspace(), root, output));
}
