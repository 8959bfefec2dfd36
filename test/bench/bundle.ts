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
  /** Gzipped, without what is loaded later, by `import()`. */
  readonly atOnce: number;
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
  const chunks = await buildChunks(code, bundling);
  return countBytes(joinCode(chunks), joinCode(findLoadedAtOnce(chunks)));
}

export function countBytes(text: string, loadedAtOnce = text): Size {
  const countGzipped = (code: string) => gzipSync(code, { level: 9 }).length;
  return { minified: Buffer.byteLength(text), gzipped: countGzipped(text), atOnce: countGzipped(loadedAtOnce) };
}

/** The chunk of the entry, and those that it imports, and these. */
function findLoadedAtOnce(chunks: readonly Rolldown.OutputChunk[]): readonly Rolldown.OutputChunk[] {
  const found = new Set(chunks.filter(({ isEntry }) => isEntry));
  for (const { imports } of found) for (const chunk of chunks) if (imports.includes(chunk.fileName)) found.add(chunk);
  return [...found];
}

const joinCode = (chunks: readonly Rolldown.OutputChunk[]) => chunks.map(({ code }) => code).join("\n");

/** Bundles a module for browsers, minified, with Vite as it comes. */
export async function bundle(code: string, bundling: Bundling): Promise<string> {
  return joinCode(await buildChunks(code, bundling));
}

async function buildChunks(code: string, { external, folder }: Bundling): Promise<readonly Rolldown.OutputChunk[]> {
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
    return outputs.flatMap(({ output }) => output.filter((part) => part.type === "chunk"));
  } finally {
    await rm(place, { recursive: true });
  }
}
