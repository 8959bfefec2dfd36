import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, createServer, type PluginOption, preview } from "vite";

export const frameworks = ["react", "vue", "svelte", "solid"] as const;
export type Framework = (typeof frameworks)[number];

const folder = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const configOf = (framework: Framework) => folder(`docs/examples/${framework}/vite.config.ts`);

interface Served {
  readonly url: string;
  close(): Promise<void>;
}

/** Builds the pages in a folder with the framework's own example configuration, and serves what came out. */
export async function serveBuilt(framework: Framework, root: string, plugins: PluginOption[] = []): Promise<Served> {
  const outDir = await mkdtemp(join(tmpdir(), `ventanilla-${framework}-`));
  const config = { configFile: configOf(framework), root: folder(root), logLevel: "error", plugins } as const;
  await build({ ...config, build: { outDir, emptyOutDir: true, minify: false } });
  const server = await preview({ ...config, build: { outDir }, preview: { port: 0, host: "127.0.0.1" } });
  return { url: addressOf(server.resolvedUrls), close: () => server.close() };
}

/** Serves a folder as a developer sees it: unbuilt, and with hot reload. */
export async function serveForDevelopment(framework: Framework, root: string, plugins: PluginOption[] = []) {
  const server = await createServer({
    configFile: configOf(framework),
    root: folder(root),
    logLevel: "error",
    plugins,
    cacheDir: await mkdtemp(join(tmpdir(), `ventanilla-${framework}-`)),
    server: { port: 0, host: "127.0.0.1", fs: { strict: false } },
  });
  await server.listen();
  return { server, url: addressOf(server.resolvedUrls), close: () => server.close() };
}

function addressOf(urls: { local: string[] } | null): string {
  const [url] = urls?.local ?? [];
  if (!url) throw new Error("The pages have no address.");
  return url;
}
