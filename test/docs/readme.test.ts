import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), "utf8");

// Their size in a page tells nothing.
const onServers = ["hosted", "relay", "restate", "sandbox", "testing", "tokens"];

/** Where a person or a program logs in: what to read, what it needs, the entry point, an example, the tests. */
const surfaces = [
  ["a script, a server", "docs/guide.md", "Node 20.19, Deno, Bun or a worker", "login", "login.ts", "core/login"],
  ["React", "docs/embedding.md#react", "React 18 or 19", "react", "react", "screens/browser/react.test.ts"],
  ["Angular", "docs/embedding.md#angular", "Angular 20", "angular", "angular", "screens/browser/angular.gate.ts"],
  ["Vue", "docs/embedding.md#vue", "Vue 3.3", "vue", "vue", "screens/browser/vue.test.ts"],
  ["Svelte", "docs/embedding.md#svelte", "Svelte 4 or 5", "svelte", "svelte", "screens/browser/svelte.test.ts"],
  ["Solid", "docs/embedding.md#solid", "Solid 1.8", "solid", "solid", "screens/browser/solid.test.ts"],
  ["a web component", "docs/element.md", "Lit 3", "element", "element", "screens/browser/element.test.ts"],
  [
    "a plain page",
    "docs/element.md#without-a-bundler",
    "one file",
    "dist/element.js",
    "plain",
    "screens/browser/plain-pages.gate.ts",
  ],
  [
    "React Native",
    "docs/embedding.md#react-native",
    "React Native 0.86",
    "react",
    "react-native",
    "screens/react-native",
  ],
  [
    "the web view of an app",
    "docs/web-view.md",
    "one file",
    "dist/element.js",
    "web-view",
    "screens/browser/plain-pages.gate.ts",
  ],
  ["the browser's half on a server", "docs/relay.md", "any `Request` handler", "relay", "relay.ts", "servers/relay"],
  ["a link that anyone can open", "docs/hosted.md", "Node 20.19", "hosted", "hosted.ts", "servers/hosted"],
  [
    "a back end in any language",
    "docs/hosted.md#for-any-back-end",
    "Node 20.19",
    "",
    "serve/backend.py",
    "programs/cli/serve",
  ],
  ["an AI assistant", "docs/mcp.md", "Node 20.19", "", "", "programs/mcp"],
  ["a shell", "docs/cli.md", "Node 20.19", "", "", "programs/cli"],
  ["a durable worker", "docs/scale.md", "Restate", "restate", "restate.ts", "servers/restate"],
] as const;

test("README.md has each surface and each entry point, with the size that docs/benchmarks.md gives", async () => {
  const measured = (await read("docs/benchmarks.md")).matchAll(/^\| `([\w/.]+)` \| [\d ]+ \| ([\d ]+) \|/gm);
  const sizes = new Map([...measured].map(([, name, bytes = ""]) => [name, Number(bytes.replaceAll(" ", ""))]));
  const formatSize = (name: string) => {
    const bytes = sizes.get(name);
    return bytes === undefined || onServers.includes(name) ? "" : `${Math.round(bytes / 1000)} kB`;
  };
  const described = Object.entries(manifest.exports).flatMap(([path, target]) =>
    typeof target === "string" ? [] : [[path, target.default.replace("./dist/", "").replace(/\.js$/, ".ts")] as const],
  );
  const rows = described.sort().map(async ([path, source]) => {
    const [purpose = "", peers = ""] = readPurpose(await read(source)).split(/ Peers?(?: in browsers)?: /);
    const size = formatSize(path === "." ? "core" : path.replace("./", ""));
    return `| \`${path.replace(".", manifest.name)}\` | ${purpose} | ${size} | ${peers.replace(/\.$/, "")} |`;
  });
  const table = [
    "| import from | what it has | size | peers |",
    "|---|---|---:|---|",
    ...(await Promise.all(rows)),
  ].join("\n");
  const surfaceRows = surfaces.map(([surface, page, needs, entry, example, tests]) => {
    const link = example && `[${example}](docs/examples/${example})`;
    return `| [${surface}](${page}) | ${needs} | ${formatSize(entry)} | ${link} | [${tests}](test/${tests}) |`;
  });
  const surfaceTable = ["| on | needs | size | example | tests |", "|---|---|---:|---|---|", ...surfaceRows].join("\n");
  const page = fillIn(fillIn(await read("README.md"), "surfaces", surfaceTable), "entry points", table);
  expect(page).toContain("| `ventanilla/react` |");
  await expect(page).toMatchFileSnapshot("../../README.md");
});

/** What the comment at the top of an entry point says. */
function readPurpose(source: string): string {
  const [, comment = ""] = /^\/\*\*\n([\s\S]*?)\n \*\n \* @packageDocumentation/.exec(source) ?? [];
  expect(comment).not.toBe("");
  return comment.replaceAll(/^ \* /gm, "").replaceAll("\n", " ");
}

function fillIn(page: string, part: string, text: string): string {
  const place = new RegExp(`(<!-- ${part}: [^>]*-->\\n)[\\s\\S]*?(<!-- end -->)`);
  return page.replace(place, (_, start: string, end: string) => `${start}\n${text}\n\n${end}`);
}
