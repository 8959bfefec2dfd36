import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Rolldown } from "vite";
import { built, root } from "./entries.ts";

/** What a module weighs in a browser: bytes of its bundle, minified and gzipped. */
export async function measureSize(code: string, isExternal: (id: string) => boolean): Promise<number> {
  return countBytes(await bundle(code, isExternal));
}

export const countBytes = (text: string): number => gzipSync(text, { level: 9 }).length;

/**
 * Bundles a module for browsers, minified, with Vite as it comes.
 *
 * @param isExternal whether the module of that name stays out. Default none does.
 */
export async function bundle(code: string, isExternal: (id: string) => boolean = () => false): Promise<string> {
  // Modules are looked up from where the entry stands.
  const place = await mkdtemp(join(fileURLToPath(new URL("node_modules/", root)), ".size-"));
  try {
    await writeFile(join(place, "entry.js"), code);
    const result = await build({
      root: place,
      configFile: false,
      logLevel: "silent",
      mode: "production",
      resolve: { alias: built },
      build: {
        write: false,
        minify: true,
        modulePreload: { polyfill: false },
        rolldownOptions: {
          input: join(place, "entry.js"),
          external: (id) => id.startsWith("node:") || isExternal(id),
          preserveEntrySignatures: "strict",
          output: { format: "es" },
        },
      },
    });
    const outputs = [result].flat() as Rolldown.RolldownOutput[];
    const chunks = outputs.flatMap(({ output }) => output.filter((part) => part.type === "chunk"));
    return chunks.map((chunk) => chunk.code).join("\n");
  } finally {
    await rm(place, { recursive: true });
  }
}
