import { readdir, readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { endpoints, relayEndpoints } from "../../src/core/api/bank-request.ts";
import { failures, type WireForms } from "../../src/core/api/failures.ts";
import { openStates } from "../../src/core/login/login-state.ts";
import { locales } from "../../src/core/texts/languages.ts";

const root = new URL("../../", import.meta.url);

/** A file, or all files of a folder. */
async function readAll(path: string): Promise<string> {
  if (!path.endsWith("/")) return readFile(new URL(path, root), "utf8");
  const files = (await listPaths(path)).filter((file) => file.endsWith(".ts"));
  return (await Promise.all(files.map(readAll))).join("\n");
}

/** The files of a folder, and its folders with a slash behind them, by their paths from the root. */
async function listPaths(folder: string): Promise<string[]> {
  const entries = await readdir(new URL(folder, root), { recursive: true, withFileTypes: true });
  const start = root.pathname.length;
  return entries.map((entry) => `${entry.parentPath}/${entry.name}${entry.isDirectory() ? "/" : ""}`.slice(start));
}

test("each file and folder that a recipe of CONTRIBUTING.md names is there, and there are six recipes", async () => {
  const text = await readFile(new URL("CONTRIBUTING.md", root), "utf8");
  const [recipes = ""] = (text.split("\n## Recipes\n")[1] ?? "").split(/\n(?=## )/);
  const all = (await Promise.all(["src", "machines", "test", "docs"].map(listPaths))).flat();
  const paths = [...all, "README.md", "CHANGELOG.md", "package.json"].filter((path) => !path.includes("node_modules"));
  const named = [...recipes.matchAll(/`([\w./-]+(?:\.(?:tsx?|mjs|md|json)|\/))`/g)].map(([, path = ""]) => path);
  // A folder without a slash behind it.
  const folders = [...recipes.matchAll(/`((?:src|test|docs|machines)\/[\w/-]+\w)`/g)].map(([, path]) => `${path}/`);
  expect(recipes.match(/^### /gm)).toHaveLength(6);
  expect(named.length).toBeGreaterThan(40);
  const isThere = (name: string) => paths.some((path) => path === name || path.endsWith(`/${name}`));
  expect([...named, ...folders].filter((name) => !isThere(name))).toEqual([]);
});

/** Where something has to be written down: what stands there of it. */
type Place = readonly [what: string, file: string, text: (name: string) => string | RegExp];

interface Recipe {
  readonly names: readonly string[];
  readonly places: readonly Place[];
  /** Names that a file does not have, each by a reason. */
  readonly without?: Readonly<Record<string, readonly string[]>>;
}

const refusals = Object.entries(failures).flatMap(([name, row]) =>
  "wire" in row ? [[name, row] as [string, { readonly wire: WireForms; readonly text?: string }]] : [],
);

/** A refusal as it is written. */
function wireForm(name: string): RegExp {
  const { status, statuses = [], codes = [], messages = [] } = refusals.find(([code]) => code === name)?.[1].wire ?? {};
  return new RegExp([...(status ? [name] : []), ...statuses, ...codes, ...messages].join("|"), "i");
}

const readText = (name: string) => refusals.find(([code]) => code === name)?.[1].text ?? name;

// Refusals of a relay, and one of a logout: that of the sandbox never fails.
const byNoBank = ["username_differs", "known_wrong"];
const notInSandbox = [...byNoBank, "logout_failed"];

const recipes: Readonly<Record<string, Recipe>> = {
  "A new refusal of the service": {
    names: refusals.map(([name]) => name),
    places: [
      ["its row in the code table", "src/core/api/failures.ts", (name) => `\n  ${name}: {`],
      ["its note for developers", "src/core/api/failure-notes.ts", (name) => `\n  ${name}: {`],
      ...locales.map(
        (locale): Place => [
          `what people read in ${locale}`,
          `src/core/texts/${locale}.ts`,
          (name) => `\n  ${readText(name)}:`,
        ],
      ),
      ["how the sandbox writes it", "src/tools/sandbox/", wireForm],
      ["the response of its user", "test/tools/sandbox/", wireForm],
      ["its row in the table by hand", "test/core/api/refusals.test.ts", (name) => `"${name}"`],
      ["its name among those of random responses", "test/core/api/reader.property.test.ts", (name) => `"${name}"`],
      ["its status or code in the appendix", "docs/contract.md", wireForm],
      ["its row in the page of codes", "docs/errors.md", (name) => `\n| \`${name}\` |`],
    ],
    without: {
      "src/tools/sandbox/": notInSandbox,
      "test/tools/sandbox/": notInSandbox,
      "docs/contract.md": byNoBank,
    },
  },
  "A new language": {
    names: locales,
    places: [
      ["its import, and its words in each table", "src/core/texts/languages.ts", (tag) => `import * as ${tag} from`],
      ["the words that its texts need and must not have", "test/core/texts/rules.test.ts", (tag) => `\n  ${tag}: {`],
      ["the errors of a form by hand", "test/core/view/form.test.ts", (tag) => new RegExp(`\\b${tag}: "`)],
      ["what a run of the kit finds", "test/tools/testing/run.test.ts", (tag) => new RegExp(`\\b${tag}: \\{`)],
    ],
  },
  "A new status that waits for a person": {
    names: openStates,
    places: [["what to do with it", "docs/guide.md", (state) => `\`${state}\``]],
  },
  "A new endpoint": {
    names: Object.keys(endpoints).filter((name) => !relayEndpoints.some((each) => each === name)),
    places: [
      ["its route in the sandbox", "src/tools/sandbox/sandbox-routes.ts", (line) => `\n    "${line}": `],
      ["its description", "docs/contract.md", (line) => line],
    ],
  },
};

describe.each(Object.entries(recipes))("%s", (title, { names, places, without = {} }) => {
  test.each(places)("has %s in $1", async (what, file, text) => {
    const written = await readAll(file);
    const missing = names.filter((name) => {
      const found = text(name);
      const isThere = typeof found === "string" ? written.includes(found) : found.test(written);
      return !isThere && !without[file]?.includes(name);
    });
    expect(missing, `${file} has ${what} of each`).toEqual([]);
  });

  test("names each of these files", async () => {
    const text = await readFile(new URL("CONTRIBUTING.md", root), "utf8");
    const [recipe = ""] = text.slice(text.indexOf(`\n### ${title}\n`) + 1).split(/\n(?=##+ )/);
    const unnamed = places
      .filter(([, file]) => !recipe.includes(/[^/]+\/?$/.exec(file)?.[0] ?? file))
      .map(([, file]) => file);
    expect(unnamed.filter((file) => !file.startsWith("src/core/texts/"))).toEqual([]);
  });
});
