import { readFileSync } from "node:fs";

// What is built lies in `dist`, whether this runs from there, from the bundled command beside it or from the sources.
const folder = import.meta.url.endsWith(".ts") ? "../../dist/" : "../../";

/** The text of a file that the build made: the viewer's page, a picture. */
export function readBuiltFile(path: "viewer/index.html" | `diagrams/${"login" | "link"}.svg`): string {
  return readFileSync(new URL(`${folder}${path}`, import.meta.url), "utf8");
}
