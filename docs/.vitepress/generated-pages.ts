import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, extname } from "node:path";
import { fileURLToPath } from "node:url";
import { Application } from "typedoc";
import { MarkdownPageEvent } from "typedoc-plugin-markdown";
import manifest from "../../package.json" with { type: "json" };

const root = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const folder = root("docs/reference");

// Git knows none of these pages, and would be asked for each of them when it was changed last.
const unknownToGit = "lastUpdated: false";

/** An entry point: what an application imports from, and its source. */
const entryPoints = Object.entries(manifest.exports).flatMap(([path, target]) =>
  typeof target === "string"
    ? []
    : [{ name: path.replace(".", manifest.name), source: target.default.replace("./dist/", "").replace(/js$/, "ts") }],
);

/**
 * Writes the pages that no person writes, to `docs/reference`: one for each entry point and each of its exports, and one for each folder of
 * files that the pages link to.
 *
 * @returns the entry points, for the sidebar
 */
export async function writeGeneratedPages() {
  await rm(folder, { recursive: true, force: true });
  await writeReference();
  const examples = await readdir(root("docs/examples"), { withFileTypes: true });
  const folders = examples.filter((entry) => entry.isDirectory()).map(({ name }) => `docs/examples/${name}`);
  await Promise.all(["machines", "docs/examples", ...folders].map((path) => writeFolderPage(path)));
  await writePage("LICENSE", `# Licence\n\n${await readFile(root("LICENSE"), "utf8")}`);
  return entryPoints.map(({ name }) => ({ text: name, link: `/reference/${name}/` }));
}

const isShown = (path: string) => !/node_modules|package-lock\.json|\.(png|jpg)$/.test(path);

async function writeReference(): Promise<void> {
  const application = await Application.bootstrapWithPlugins({
    plugin: ["typedoc-plugin-markdown"],
    entryPoints: entryPoints.map(({ source }) => root(source)),
    tsconfig: root("tsconfig.json"),
    out: folder,
    readme: "none",
    name: "Reference",
    router: "member",
    entryFileName: "index",
    indexFormat: "table",
    hideBreadcrumbs: true,
    hidePageHeader: true,
    disableSources: true,
    excludeExternals: true,
    excludePrivate: true,
    sanitizeComments: true,
    useHTMLEncodedBrackets: true,
    // `npm run types` checks them.
    skipErrorChecking: true,
    logLevel: "Error",
  });
  application.renderer.on(MarkdownPageEvent.END, (page) => {
    page.contents = `---\n${unknownToGit}\n---\n\n${page.contents}`;
  });
  const project = await application.convert();
  if (!project) throw new Error("The reference can't be generated: see the errors above.");
  for (const module of project.children ?? []) {
    // TypeDoc calls a module like its folder.
    const entryPoint = entryPoints.find(({ source }) => source.replace(/(\/index)?\.ts$/, "") === module.name);
    if (!entryPoint) throw new Error(`The reference has no entry point for ${module.name}.`);
    module.name = entryPoint.name;
  }
  await application.generateOutputs(project);
}

/** A page that shows the files of a folder, and of the folders in it. */
async function writeFolderPage(path: string): Promise<void> {
  const entries = await readdir(root(path), { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && isShown(`${entry.parentPath}/${entry.name}`))
    .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(root(path).length + 1))
    .filter((name) => path !== "docs/examples" || !name.includes("/"));
  const sections = names.sort().map(async (name) => {
    const code = await readFile(root(`${path}/${name}`), "utf8");
    return `## ${name}\n\n\`\`\`\`${languages[extname(name)] ?? "txt"}\n${code}\`\`\`\``;
  });
  await writePage(path, [`# ${path.replace("docs/", "")}`, ...(await Promise.all(sections))].join("\n\n"));
}

/** Files are not pages of the guide: a search for a word would find most of them. */
async function writePage(path: string, text: string): Promise<void> {
  const page = `${folder}/files/${path}.md`;
  await mkdir(dirname(page), { recursive: true });
  await writeFile(page, `---\nsearch: false\n${unknownToGit}\n---\n\n${text}\n`);
}

const languages: Readonly<Record<string, string>> = {
  ".ts": "ts",
  ".tsx": "tsx",
  ".js": "js",
  ".vue": "vue",
  ".svelte": "svelte",
  ".html": "html",
  ".css": "css",
  ".json": "json",
  ".py": "python",
};
