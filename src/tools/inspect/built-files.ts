import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { BankError } from "../../core/api/errors.ts";

/** The address of a file that the build writes to `dist`: a page, a picture. Throws `invalid_setup` if it was not built. */
export function findBuiltFile(part: "play" | "viewer" | "diagrams" | "hosted", file: string): URL {
  // With the package's own name: this runs from `dist`, and in tests from the sources.
  const manifest = createRequire(import.meta.url).resolve("ventanilla/package.json");
  const address = new URL(`dist/${part}/${file}`, pathToFileURL(manifest));
  if (existsSync(address)) return address;
  throw new BankError("invalid_setup", { field: part, detail: `dist/${part} has no ${file}` });
}
