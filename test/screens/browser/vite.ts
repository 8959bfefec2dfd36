import { existsSync } from "node:fs";
import { mkdtemp, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  build as buildWithVite,
  createServer,
  type Plugin,
  type PluginOption,
  preview,
  type Rolldown,
  type ViteDevServer,
} from "vite";
import { afterAll, beforeAll } from "vitest";
import { sharedFolder } from "../../shared-folder.ts";

const folder = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const findConfig = (framework: string) => folder(`docs/examples/${framework}/vite.config.ts`);

/** A page with the script of that name. */
const formatPage = (script: string, { head = "", body = "" } = {}) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Screens under test</title>${head}</head><body>${body}<script type="module" src="./${script}"></script></body></html>`;

/** Starts a server for the tests of a file or a `describe`. */
export function setUpServer<Server extends { readonly url: string; close(): unknown }>(start: () => Promise<Server>) {
  let server: Server;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.close());
  return () => server;
}

/** In a test run Vite would build the packages' code for developers. */
export async function asProduction(work: () => Promise<unknown>): Promise<void> {
  const environment = process.env["NODE_ENV"];
  process.env["NODE_ENV"] = "production";
  await work();
  process.env["NODE_ENV"] = environment;
}

/**
 * Builds the pages in a folder with the configuration of the framework's example, once in a run. For a folder without a page, a page
 * with its `main` script is built.
 *
 * @param version of the framework, whose packages have it in their names: `react-18` in place of `react`. Its code is that for developers.
 * Default the newest, as for production.
 * @returns the folder of the built files.
 */
export async function buildPages(framework: string, root: string, version?: number): Promise<string> {
  const names = (await readdir(folder(root))).filter((name) => name.endsWith(".html"));
  const main = join(folder(root), "index.html");
  const page: Plugin = {
    name: "page",
    resolveId: (id) => (id === main && !existsSync(main) ? main : undefined),
    load: (id) => (id === main && !existsSync(main) ? formatPage("main") : undefined),
  };
  const build = version === undefined ? asProduction : (work: () => Promise<unknown>) => work();
  const alias = { find: new RegExp(`^(${framework}(?:-dom)?)(?=/|$)`), replacement: `$1-${version}` };
  return sharedFolder(`ventanilla-${root.replaceAll("/", "-")}-${version}`, (outDir) =>
    build(() =>
      buildWithVite({
        configFile: findConfig(framework),
        root: folder(root),
        logLevel: "error",
        plugins: [page],
        resolve: { alias: version === undefined ? [] : [alias] },
        build: {
          outDir,
          emptyOutDir: true,
          rolldownOptions: { input: names.length > 0 ? names.map((name) => join(folder(root), name)) : main },
        },
      }),
    ),
  );
}

/** Builds the pages in a folder, and serves them. */
export async function serveBuilt(framework: string, root: string, version?: number) {
  return serveFolder(await buildPages(framework, root, version));
}

/** The library for a page without modules, as the global `ventanilla`. */
export async function buildCore(): Promise<string> {
  const output = await buildWithVite({
    configFile: false,
    logLevel: "silent",
    build: { write: false, lib: { entry: folder("src/index.ts"), formats: ["iife"], name: "ventanilla" } },
  });
  return (output as Rolldown.RolldownOutput[])[0]?.output[0].code ?? "";
}

/** Serves the files in a folder. */
export async function serveFolder(outDir: string) {
  const server = await preview({
    configFile: false,
    root: outDir,
    logLevel: "error",
    build: { outDir },
    preview: { port: 0, host: "127.0.0.1" },
  });
  return { url: readAddress(server), close: () => server.close() };
}

/** Serves a folder as a developer sees it: unbuilt, and with hot reload. */
export async function serveForDevelopment(framework: string, root: string, plugins: PluginOption[] = []) {
  const server = await createServer({
    configFile: findConfig(framework),
    root: folder(root),
    logLevel: "error",
    plugins,
    // Two servers that share a cache of prepared packages delete each other's files.
    cacheDir: await mkdtemp(join(tmpdir(), "ventanilla-packages-")),
    // Without an entry, Vite would find packages late, and reload the page in the middle of a test.
    optimizeDeps: { entries: ["*.html", "main.*", "*hydrate.*"] },
    server: { port: 0, host: "127.0.0.1", fs: { strict: false } },
  });
  await server.listen();
  return { server, url: readAddress(server), close: () => server.close() };
}

/** Serves a page at a path: what the module `server` renders, if it is given, and a script. */
export function servePage(path: string, script: string, server?: string): Plugin {
  return {
    name: `page ${path}`,
    configureServer(development) {
      development.middlewares.use(path, async (request, response, next) => {
        if (request.url?.split("?")[0] !== "/") return next();
        const { render = () => "" } = server ? await development.ssrLoadModule(server) : {};
        const [body, head = ""] = [await render()].flat();
        const page = formatPage(script, { head, body: server && `<main>${body}</main>` });
        response.setHeader("content-type", "text/html").end(await development.transformIndexHtml(path, page));
      });
    },
  };
}

function readAddress({ resolvedUrls }: Pick<ViteDevServer, "resolvedUrls">): string {
  const [url] = resolvedUrls?.local ?? [];
  if (!url) throw new Error("The pages have no address.");
  return url;
}
