import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { BankError } from "../../index.ts";

/**
 * Where a part lies that the build puts beside `dist/src`: pages, pictures. The command is bundled into `dist/src/cli`.
 *
 * @throws {BankError} `part_missing` where it was not built.
 */
export function findBuiltPart(name: "play" | "viewer" | "diagrams", file: string): string {
  const folder = fileURLToPath(new URL(`../../${name}/`, import.meta.url));
  if (!existsSync(`${folder}${file}`)) {
    throw new BankError("part_missing", { field: name, detail: `dist/${name} has no ${file}` });
  }
  return folder;
}
