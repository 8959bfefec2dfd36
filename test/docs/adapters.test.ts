import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { adapters } from "../adapters.ts";
import budget from "../bench/budget.json" with { type: "json" };

const root = new URL("../../", import.meta.url);
const read = (path: string) => readFile(new URL(path, root), "utf8");

// Angular's own build compiles its example, with another TypeScript.
const compiledByTheirBuild = ["angular"];

/** Where an adapter has to be written down: what stands there of it. */
const places: Readonly<Record<string, (name: string) => Promise<unknown>>> = {
  "an entry point in `exports` of package.json": async (name) => Object.keys(manifest.exports).includes(`./${name}`),
  "a peer, named in its first comment": async (name) => peersOf(name),
  "an example of its own in docs/examples": async (name) =>
    (await readdir(new URL("docs/examples/", root))).includes(name),
  "the types of the example, checked by `npm run types:examples`": async (name) =>
    compiledByTheirBuild.includes(name) || manifest.scripts["types:examples"].includes(`docs/examples/${name}`),
  "the page, `main`, that its tests in test/screens/browser open": async (name) =>
    (await readdir(new URL(`test/screens/browser/${name}/`, root)).catch(() => [])).find((file) =>
      file.startsWith("main."),
    ),
  "tests of its screens in test/screens/browser": async (name) =>
    (await readdir(new URL("test/screens/browser/", root))).find((file) =>
      [`${name}.test.ts`, `${name}.full.ts`].includes(file),
    ),
  "a budget of bytes in test/bench/budget.json": async (name) => Object.keys(budget).includes(name),
  "a section in docs/steps.md": async (name) => new RegExp(`^### ${name}$`, "im").test(await read("docs/steps.md")),
  "a row of the frameworks in docs/steps.md": async (name) =>
    (await read("docs/steps.md")).includes(`[${name}](examples/${name}) |`),
  "its name on the first page, docs/index.md": async (name) => new RegExp(name, "i").test(await read("docs/index.md")),
  "a row of `surfaces` in test/docs/readme.test.ts": async (name) =>
    (await read("test/docs/readme.test.ts")).includes(`"steps.md#${name}"`),
};

const rows = adapters.flatMap((name) => Object.keys(places).map((place) => [name, place] as const));

test.each(rows)("the adapter for %s has %s", async (name, place) => {
  expect(await places[place]?.(name)).toBeTruthy();
});

test.each(adapters)("npm installs the peers of the adapter for %s only for those who want it", async (name) => {
  const optional = Object.entries(manifest.peerDependenciesMeta).flatMap(([peer, meta]) =>
    meta.optional ? [peer] : [],
  );
  expect(optional).toEqual(expect.arrayContaining(await peersOf(name)));
  expect(Object.keys(manifest.peerDependencies)).toEqual(expect.arrayContaining(await peersOf(name)));
});

/** The packages that the first comment of an adapter names after "Peers:". */
async function peersOf(name: string): Promise<string[]> {
  const [, peers = ""] = / Peers?: ((?:`[^`]+`(?:, )?)+)/.exec(await read(`src/screens/adapters/${name}.ts`)) ?? [];
  return [...peers.matchAll(/`([^`]+)`/g)].map(([, peer = ""]) => peer);
}
