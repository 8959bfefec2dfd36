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

/** The folders whose pages are built with those of a folder: most of what they import is the same. */
function listFolders(framework: string, root: string): readonly string[] {
  // A test reads all scripts of the example.
  if (framework === "element") return [root];
  const others = framework === "react" ? ["test/tools/testing/page"] : [];
  return [`test/screens/browser/${framework}`, `docs/examples/${framework}`, ...others];
}

/**
 * Builds the pages in folders with the configuration of the framework's example, once in a run. For a folder without a page, a page
 * with its `main` script is built. The pages of several folders are in folders of these names.
 *
 * @param version of the framework, whose packages have it in their names: `react-18` in place of `react`. Its code is that for developers.
 * Default the newest, as for production.
 * @returns the folder of the built files.
 */
export async function buildPages(framework: string, folders: readonly string[], version?: number): Promise<string> {
  const root = folders.length > 1 ? "" : (folders[0] ?? "");
  const pages = await Promise.all(
    folders.map(async (name) => {
      const names = (await readdir(folder(name))).filter((name) => name.endsWith(".html"));
      return (names.length > 0 ? names : ["index.html"]).map((page) => join(folder(name), page));
    }),
  );
  const isOurs = (id: string) => pages.flat().includes(id) && !existsSync(id);
  const page: Plugin = {
    name: "page",
    resolveId: (id) => (isOurs(id) ? id : undefined),
    load: (id) => (isOurs(id) ? formatPage("main") : undefined),
  };
  const build = version === undefined ? asProduction : (work: () => Promise<unknown>) => work();
  const alias = { find: new RegExp(`^(${framework}(?:-dom)?)(?=/|$)`), replacement: `$1-${version}` };
  return sharedFolder(`ventanilla-${framework}-${root.replaceAll("/", "-")}-${version}`, (outDir) =>
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
          rolldownOptions: { input: pages.flat() },
        },
      }),
    ),
  );
}

/** Serves the pages of a folder, which are built together with the framework's others. */
export async function serveBuilt(framework: string, root: string, version?: number) {
  const folders = listFolders(framework, root);
  const { url, close } = await serveFolder(await buildPages(framework, folders, version));
  return { url: folders.length > 1 ? new URL(`${root}/`, url).href : url, close };
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
