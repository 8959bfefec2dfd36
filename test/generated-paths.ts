import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type LinkPath, type LoginPath, linkPaths, loginPaths, type Path } from "ventanilla/testing";
import { sharedFolder } from "./shared-folder.ts";

const folder = await sharedFolder("ventanilla-paths", (fresh) =>
  writeFile(join(fresh, "paths.json"), JSON.stringify({ login: loginPaths(), link: linkPaths() })),
);

/** The paths of the test kit, generated once in a run: that takes seconds. */
export const generatedPaths = JSON.parse(await readFile(join(folder, "paths.json"), "utf8")) as {
  readonly login: readonly [LoginPath, ...LoginPath[]];
  readonly link: readonly [LinkPath, ...LinkPath[]];
};

/** A title of one line for a path: its number, and its sentence without what is done in between. */
export const formatTitle = ({ flow, name }: Path, index: number): string =>
  `${flow} ${index + 1}: ${name.replace(/(, | and ).*(?=, )/, ", …")}`;
