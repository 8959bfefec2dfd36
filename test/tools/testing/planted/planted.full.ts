// @vitest-environment happy-dom
import { readFile } from "node:fs/promises";
import type { Path } from "ventanilla/testing";
import { expect, test } from "vitest";
import { generatedPaths } from "../../../generated-paths.ts";
import { showElement } from "./element-screen.ts";
import { type MistakeName, mistakes } from "./mistakes.ts";
import { runInDom } from "./open.ts";
import { showReact } from "./react-screens.tsx";

// Every mistake on every path: the table of docs/testing.md.

const screens = { react: showReact, element: showElement };
const names = Object.keys(mistakes) as MistakeName[];

/** What the kit says of a mistake on all paths: the sentences by the names of the paths. */
async function findOnAll(paths: readonly Path[], show: keyof typeof screens, name: MistakeName | undefined) {
  const run = (path: Path, timeout: number) => {
    const mistake = name === undefined ? <View>(view: View) => view : mistakes[name]();
    return runInDom(path, (root, input) => screens[show](root, input, mistake), { timeout });
  };
  const found: [path: string, sentence: string][] = [];
  for (let index = 0; index < paths.length; index += 30) {
    const batch = paths.slice(index, index + 30).map(async (path) => {
      if (name === undefined) return [path, await run(path, 60_000)] as const;
      // A busy machine may be too slow for the first time-out.
      return [path, (await run(path, 2000)) && (await run(path, 6000))] as const;
    });
    for (const [path, sentence] of await Promise.all(batch)) if (sentence) found.push([path.name, sentence]);
  }
  return found;
}

test("screens without a mistake pass every path", { timeout: 600_000 }, async () => {
  for (const show of ["react", "element"] as const) {
    expect(await findOnAll([...generatedPaths.login, ...generatedPaths.link], show, undefined)).toEqual([]);
  }
});

test("docs/testing.md says how many paths find each mistake, and in which words", { timeout: 1_200_000 }, async () => {
  const rows: string[] = [];
  for (const name of names) {
    const login = await findOnAll(generatedPaths.login, "react", name);
    const link = await findOnAll(generatedPaths.link, "react", name);
    const element = await findOnAll(generatedPaths.login, "element", name);
    // A form is another one only where the bank can be changed.
    expect(login.length + link.length, name).toBeGreaterThan(0);
    const [[, sentence = ""] = ["", ""]] = [...login, ...link];
    rows.push(
      `| ${name} | ${login.length} | ${link.length} | ${element.length} | ${sentence.replace(/^.*?: (?=the (screen|bank|driver))/, "")} |`,
    );
  }
  // From the root of the repository: in a DOM emulation a module has no address of a file.
  const text = await readFile("docs/testing.md", "utf8");
  const table = [
    "| mistake | login | link | web component | what the kit says |",
    "|---|---:|---:|---:|---|",
    ...rows,
  ].join("\n");
  const written = text.replace(
    /(<!-- planted: [^>]*-->\n)[\s\S]*?(<!-- end -->)/,
    (_, start: string, end: string) => `${start}\n${table}\n\n${end}`,
  );
  await expect(written).toMatchFileSnapshot("../../../../docs/testing.md");
});
