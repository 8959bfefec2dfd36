import { readFileSync } from "node:fs";

// Run from the sources, what is built lies in `dist` as well.
const folder = import.meta.url.endsWith(".ts") ? "../../dist/" : "../../";

/** The text of a file that the build made: the viewer's page, a picture. */
export function builtFile(path: "viewer/index.html" | `diagrams/${"login" | "link"}.svg`): string {
  return readFileSync(new URL(`${folder}${path}`, import.meta.url), "utf8");
}
