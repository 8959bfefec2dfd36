import { rm } from "node:fs/promises";
import { join } from "node:path";
import { sharedFolder } from "../../shared-folder.ts";
import { installPackage, run } from "../embedding/packed-package.ts";
import { serveFolder } from "./vite.ts";

const angular = "docs/examples/angular";
const sources = [
  "docs/examples",
  "test/screens/browser/angular",
  "test/screens/browser/harness.ts",
  "test/screens/browser/screen-driver.ts",
  "test/screens/browser/wrongly-shown.ts",
];

/**
 * Builds the example and the screens under test by Angular's own build. Angular needs another TypeScript than this repository, so all of it
 * is in a folder of its own, under the same paths.
 */
const buildWorkspace = () =>
  sharedFolder("ventanilla-angular", async (folder) => {
    const manifests = ["package.json", "package-lock.json"].map((name) => [`${angular}/${name}`, name]);
    const files = Object.fromEntries([...sources.map((path) => [path, path]), ...manifests]);
    await installPackage(folder, files);
    const build = (root: string, project: string) =>
      run(join(folder, "node_modules/.bin/ng"), ["build", project, "--progress=false"], { cwd: join(folder, root) });
    await build(angular, "example");
    await build("test/screens/browser/angular", "screens");
    await build("test/screens/browser/angular", "server");
    // Removing these thousands of files at the end of the run would hold up everything.
    await rm(join(folder, "node_modules"), { recursive: true });
  });

/** Serves what Angular has built of a folder; `dist-server` was rendered on a server. */
export async function serveAngular(root: string, output: "dist" | "dist-server" = "dist") {
  return serveFolder(join(await buildWorkspace(), root, output));
}
