import { existsSync } from "node:fs";
import { BankError } from "../../core/api/errors.ts";

// What is built lies in `dist`, whether this runs from there, from the bundled command beside it or from the sources.
const dist = new URL(import.meta.url.endsWith(".ts") ? "../../../dist/" : "../../../", import.meta.url);

/** The address of a file that the build puts into `dist`: a page, a picture. Throws `part_missing` where it is not built. */
export function findBuiltFile(part: "play" | "viewer" | "diagrams", file: string): URL {
  const address = new URL(`${part}/${file}`, dist);
  if (existsSync(address)) return address;
  throw new BankError("part_missing", { field: part, detail: `dist/${part} has no ${file}` });
}
