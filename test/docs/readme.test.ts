import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), "utf8");

/** Where a person or a program logs in: what to read, when to choose it, what it needs, the entry point whose size counts, an example. */
const surfaces = [
  [
    "a script, a server",
    "guide.md",
    "your program has user name and password, and no page asks for them",
    "Node 20.19, Deno, Bun or an edge worker",
    "login",
    "login.ts",
  ],
  ["React", "steps.md#react", "you write the screen yourself, in React", "React 18 or 19", "react", "react"],
  ["Angular", "steps.md#angular", "… in Angular", "Angular 20 and later", "angular", "angular"],
  ["Vue", "steps.md#vue", "… in Vue", "Vue 3.3 and later", "vue", "vue"],
  ["Svelte", "steps.md#svelte", "… in Svelte", "Svelte 4 or 5", "svelte", "svelte"],
  ["Solid", "steps.md#solid", "… in Solid", "Solid 1.8 and later", "solid", "solid"],
  ["React Native", "apps.md#react-native", "… in an app for phones", "tested with 0.86", "react", "react-native"],
  ["a web component", "element.md", "you want a finished screen, in any framework", "Lit 3", "element", "element"],
  ["a plain page", "element.md#without-a-bundler", "… and have no bundler", "one file", "dist/element.js", "plain"],
  [
    "the web view of an app",
    "apps.md#web-view",
    "… in an app for phones of any kind",
    "one file",
    "dist/element.js",
    "web-view",
  ],
  [
    "the server behind a browser login",
    "relay.md",
    "you have chosen one of the nine above: it keeps the API key",
    "any `Request` handler",
    "",
    "relay.ts",
  ],
  [
    "an address that you send",
    "hosted.md",
    "you have no front end, or want no password on your pages",
    "Node 20.19",
    "",
    "hosted.ts",
  ],
  [
    "a back end in any language",
    "hosted.md#ventanilla-serve",
    "your back end is in Python, PHP, Go or another language",
    "Node 20.19",
    "",
    "serve/backend.py",
  ],
  ["an AI assistant", "mcp.md", "an assistant begins logins, and may see no password", "Node 20.19", "", ""],
  ["a shell", "cli.md", "you want to try it, or have scripts and lists of logins", "Node 20.19", "", ""],
  ["a durable worker", "scale.md", "a login has to outlive the process that runs it", "Restate", "", "restate.ts"],
] as const;

/** The kilobytes that a page loads at once, as CONTRIBUTING.md has them. */
async function readSizes(): Promise<(name: string) => string> {
  const rows = (await read("CONTRIBUTING.md")).matchAll(/^\| `([\w/.]+)` \| [\d ]+ \| ([\d ]+) \|/gm);
  const sizes = new Map([...rows].map(([, name, bytes = ""]) => [name, Number(bytes.replaceAll(" ", ""))]));
  return (name) => {
    const bytes = sizes.get(name);
    return bytes === undefined ? "" : `${Math.round(bytes / 1000)} kB`;
  };
}

test("README.md has each surface, with the size that CONTRIBUTING.md gives", async () => {
  const formatSize = await readSizes();
  const rows = surfaces.map(([surface, page, reason, needs, entry, example]) => {
    const link = example && `[${example}](docs/examples/${example})`;
    return `| [${surface}](docs/${page}) | ${reason} | ${needs} | ${formatSize(entry)} | ${link} |`;
  });
  const table = ["| on | choose this if | needs | size | example |", "|---|---|---|---:|---|", ...rows].join("\n");
  const filled = (await read("README.md")).replace(
    /(<!-- surfaces: [^>]*-->\n)[\s\S]*?(<!-- end -->)/,
    (_, start: string, end: string) => `${start}\n${table}\n\n${end}`,
  );
  await expect(filled).toMatchFileSnapshot("../../README.md");
});

test("each command of README.md that sets up a clone is a check of .ci/run", async () => {
  const [readme, gate] = await Promise.all([read("README.md"), read(".ci/run")]);
  const commands = [...readme.matchAll(/^npm ci && (npm (?:start|test))(?= )/gm)].map(([, command = ""]) => command);
  expect(commands).toEqual(["npm start", "npm test"]);
  const checks = [...gate.matchAll(/^check "[^"]*" (?:tests |bare )*(npm \w+)/gm)].map(([, command = ""]) => command);
  expect(checks).toEqual(expect.arrayContaining(["npm ci", ...commands]));
});
