import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type LinkPath, type LoginPath, linkPaths, loginPaths } from "ventanilla/testing";
import { sharedFolder } from "./shared-folder.ts";

const folder = await sharedFolder("ventanilla-paths", (fresh) =>
  writeFile(join(fresh, "paths.json"), JSON.stringify({ login: loginPaths(), link: linkPaths() })),
);

/** The paths of the test kit, generated once in a run: that takes seconds. */
export const generatedPaths = JSON.parse(await readFile(join(folder, "paths.json"), "utf8")) as {
  readonly login: readonly [LoginPath, ...LoginPath[]];
  readonly link: readonly [LinkPath, ...LinkPath[]];
};
