// @vitest-environment happy-dom
import { readFile } from "node:fs/promises";
import type { Path } from "ventanilla/testing";
import { expect, test } from "vitest";
import { generatedPaths } from "../../../generated-paths.ts";
import { showElement } from "./element-screen.ts";
import { type Mistake, mistakes } from "./mistakes.ts";
import { runInDom } from "./open.ts";
import { showReact } from "./react-screens.tsx";

// Every mistake on every path: the table of docs/testing.md.

const screens = { react: showReact, element: showElement };

/** The names of the paths that find a mistake, with what the kit says. */
async function findOnAll(paths: readonly Path[], show: keyof typeof screens, mistake: () => Mistake) {
  const run = (path: Path, timeout: number) =>
    runInDom(path, (root, input) => screens[show](root, input, mistake()), { timeout });
  const runs = paths.map(async (path): Promise<readonly [path: string, sentence: string | undefined]> => {
    const sentence = await run(path, 5000);
    // A busy machine may be too slow for the first time-out.
    return [path.name, sentence && (await run(path, 15_000))];
  });
  return (await Promise.all(runs)).filter(([, sentence]) => sentence !== undefined);
}

test("docs/testing.md says how many paths find each mistake, and in which words", { timeout: 1_800_000 }, async () => {
  const rows: string[] = [];
  const { login, link } = generatedPaths;
  const none = (): Mistake => (view) => view;
  for (const [name, mistake] of Object.entries({ "none: a right screen": none, ...mistakes })) {
    const found = await Promise.all([
      findOnAll(login, "react", mistake),
      findOnAll(link, "react", mistake),
      findOnAll([...login, ...link], "element", mistake),
    ]);
    if (mistake === none) expect(found.flat()).toEqual([]);
    // A form is another one only where the bank can be changed.
    else expect(found.flat(), name).not.toEqual([]);
    const [[, sentence = ""] = []] = found.flat();
    const said = sentence.replace(/^.*?: (?=the (screen|bank|driver))/, "");
    rows.push(`| ${[name, ...found.map(({ length }) => length), said].join(" | ")} |`);
  }
  // From the root of the repository: in a DOM emulation a module has no address of a file.
  const text = await readFile("docs/testing.md", "utf8");
  const table = [
    "| mistake | React, login | React, link | web component, both | what the kit says |",
    "|---|---:|---:|---:|---|",
    ...rows,
  ].join("\n");
  const written = text.replace(
    /(<!-- planted: [^>]*-->\n)[\s\S]*?(<!-- end -->)/,
    (_, start: string, end: string) => `${start}\n${table}\n\n${end}`,
  );
  await expect(written).toMatchFileSnapshot("../../../../docs/testing.md");
});
