import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Rolldown } from "vite";
import { built, root } from "./entries.ts";

/** Bytes of a bundle that an application would ship. */
export interface Size {
  readonly minified: number;
  readonly gzipped: number;
}

/** Where a package ends and its user begins. */
export interface Bundling {
  /** Module names that stay out. */
  readonly external: (id: string) => boolean;
  /** Where packages are looked up. Default: the repository. */
  readonly folder?: string;
}

/** What a module weighs in a browser. */
export async function measureSize(code: string, bundling: Bundling): Promise<Size> {
  return countBytes(await bundle(code, bundling));
}

export function countBytes(text: string): Size {
  return { minified: Buffer.byteLength(text), gzipped: gzipSync(text, { level: 9 }).length };
}

/** Bundles a module for browsers, minified, with Vite as it comes. */
export async function bundle(code: string, { external, folder }: Bundling): Promise<string> {
  // Modules are looked up from where the entry stands.
  const place = await mkdtemp(join(folder ?? fileURLToPath(new URL("node_modules/", root)), ".size-"));
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
          external: (id) => id.startsWith("node:") || external(id),
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
