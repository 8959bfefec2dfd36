// @vitest-environment happy-dom
import type { Path } from "ventanilla/testing";
import { describe, expect, test } from "vitest";
import { formatTitle, generatedPaths } from "../../../generated-paths.ts";
import { showElement } from "./element-screen.ts";
import { changeInput, type Mistake, mistakes } from "./mistakes.ts";
import { runInDom, runOnFakeClock } from "./open.ts";
import { showExample, showReact } from "./react-screens.tsx";

// Every mistake on every path: the table of found.md.

const screens = { react: showReact, element: showElement };
const everyPath: readonly Path[] = [...generatedPaths.login, ...generatedPaths.link];
const order = everyPath.map(({ name }) => name);

const none = (): Mistake => (view) => view;
const RIGHT = "none: a right screen";
const unseen = [RIGHT, "the time to answer is not shown", "a repeated question does not say so"];
const SCREENS_AT_A_TIME = 24;
runOnFakeClock();

/** The names of the paths that find a mistake, with what the kit says. */
async function findOnAll(paths: readonly Path[], show: keyof typeof screens, name: string, mistake: () => Mistake) {
  const found: [path: string, sentence: string][] = [];
  const left = [...paths];
  const follow = async () => {
    for (let path = left.shift(); path; path = left.shift()) {
      const sentence = await runInDom(path, (root, input) => screens[show](root, changeInput(name, input), mistake()), {
        timeout: 3000,
      });
      if (sentence !== undefined) found.push([path.name, sentence]);
    }
  };
  await Promise.all(Array.from({ length: SCREENS_AT_A_TIME }, follow));
  return found.sort(([one], [other]) => order.indexOf(one) - order.indexOf(other));
}

// With the driver that docs/testing.md names.
describe("the example of React passes", () => {
  test.concurrent.each(everyPath.map((path, index) => [formatTitle(path, index), path] as const))(
    "%s",
    async (_, path) => {
      expect(await runInDom(path, showExample, { timeout: 60_000 })).toBeUndefined();
    },
  );
});

test("found.md says how many paths find each mistake, and in which words", { timeout: 1_800_000 }, async () => {
  const rows: string[] = [];
  const { login, link } = generatedPaths;
  for (const [name, mistake] of Object.entries({ [RIGHT]: none, ...mistakes })) {
    const found = [
      await findOnAll(login, "react", name, mistake),
      await findOnAll(link, "react", name, mistake),
      await findOnAll(everyPath, "element", name, mistake),
    ];
    if (unseen.includes(name)) expect(found.flat(), name).toEqual([]);
    // A form is another one only where the bank can be changed.
    else expect(found.flat(), name).not.toEqual([]);
    const [[, sentence = ""] = []] = found.flat();
    const said = sentence.replace(/^.*?: (?=the (screen|bank|driver))/, "").replaceAll(/"([^"]{80})[^"]+"/g, '"$1…"');
    rows.push(`| ${[name, ...found.map(({ length }) => length), said].join(" | ")} |`);
  }
  const page = [
    "<!-- Written by test/tools/testing/planted/planted.full.ts. -->",
    "# What the test kit finds",
    "",
    `Screens with one mistake each, on all ${login.length} paths of a login and ${link.length} of a link, in React and as a web component: how many paths find it, and what the first one says. A mistake with 0 in each column is found by no path.`,
    "",
    "| mistake | React, login | React, link | web component, both | what the kit says |",
    "|---|---:|---:|---:|---|",
    ...rows,
    "",
  ].join("\n");
  await expect(page).toMatchFileSnapshot("found.md");
});
