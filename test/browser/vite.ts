import { mkdtemp, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build as buildWithVite, createServer, type PluginOption, preview } from "vite";
import { sharedFolder } from "../shared-folder.ts";

export type Framework = "react" | "vue" | "svelte" | "solid" | "element";

const folder = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const findConfig = (framework: Framework) => folder(`docs/examples/${framework}/vite.config.ts`);

interface Served {
  readonly url: string;
  close(): Promise<void>;
}

/** Of a test run Vite would build what is for developers. */
export async function asProduction(work: () => Promise<unknown>): Promise<void> {
  const environment = process.env["NODE_ENV"];
  process.env["NODE_ENV"] = "production";
  await work();
  process.env["NODE_ENV"] = environment;
}

/** Builds the pages in a folder with the framework's own example configuration, once in a run. @returns where they lie. */
export async function buildPages(framework: Framework, root: string): Promise<string> {
  const names = (await readdir(folder(root))).filter((name) => name.endsWith(".html"));
  return sharedFolder(`ventanilla-${root.replaceAll("/", "-")}`, (outDir) =>
    asProduction(() =>
      buildWithVite({
        configFile: findConfig(framework),
        root: folder(root),
        logLevel: "error",
        build: {
          outDir,
          emptyOutDir: true,
          rolldownOptions: { input: names.map((name) => join(folder(root), name)) },
        },
      }),
    ),
  );
}

/** The same, served. */
export async function serveBuilt(framework: Framework, root: string): Promise<Served> {
  return serveFolder(await buildPages(framework, root));
}

/** Serves what lies in a folder, as it is. */
export async function serveFolder(outDir: string): Promise<Served> {
  const server = await preview({
    configFile: false,
    root: outDir,
    logLevel: "error",
    build: { outDir },
    preview: { port: 0, host: "127.0.0.1" },
  });
  return { url: readAddress(server.resolvedUrls), close: () => server.close() };
}

/** Serves a folder as a developer sees it: unbuilt, and with hot reload. */
export async function serveForDevelopment(framework: Framework, root: string, plugins: PluginOption[] = []) {
  const server = await createServer({
    configFile: findConfig(framework),
    root: folder(root),
    logLevel: "error",
    plugins,
    // Two servers that share a folder for prepared packages take each other's away.
    cacheDir: await mkdtemp(join(tmpdir(), "ventanilla-packages-")),
    // Without a page to begin at, packages would be found late: Vite would reload the page in the middle of a test.
    optimizeDeps: { entries: ["*.html", "*hydrate.*"] },
    server: { port: 0, host: "127.0.0.1", fs: { strict: false } },
  });
  await server.listen();
  return { server, url: readAddress(server.resolvedUrls), close: () => server.close() };
}

/** Serves at a path what a module renders on the server, and the module that hydrates it. */
export function renderedOnServer(path: string, server: string, hydrate: string): PluginOption {
  return {
    name: `server-rendering ${path}`,
    configureServer(development) {
      development.middlewares.use(path, async (_request, response) => {
        const { render } = await development.ssrLoadModule(server);
        const [body, head = ""] = [await render()].flat();
        response.setHeader("content-type", "text/html");
        response.end(
          await development.transformIndexHtml(
            path,
            `<!doctype html><html lang="en"><head><meta charset="utf-8">${head}</head><body><main>${body}</main><script type="module" src="${hydrate}"></script></body></html>`,
          ),
        );
      });
    },
  };
}

function readAddress(urls: { local: string[] } | null): string {
  const [url] = urls?.local ?? [];
  if (!url) throw new Error("The pages have no address.");
  return url;
}
