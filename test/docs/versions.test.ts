import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import platforms from "../platforms/package.json" with { type: "json" };

const page = await readFile(new URL("../../docs/versions.md", import.meta.url), "utf8");

const toMinor = (range: string) => /\d+\.\d+/.exec(range)?.[0] ?? "";

/** The version of a package that the tests have, and that of its older copy. */
const findTested = (name: string) =>
  Object.entries(manifest.devDependencies).flatMap(([dependency, range]) =>
    dependency === name || dependency.replace(/-\d+$/, "") === name ? [toMinor(range)] : [],
  );

test("docs/versions.md has each peer, with the versions that are allowed and those of the tests", async () => {
  const rows = Object.entries(manifest.peerDependencies).map(
    ([name, range]) => `| \`${name}\` | \`${range.replaceAll("|", "\\|")}\` | ${findTested(name).join(", ")} |`,
  );
  expect(rows).toContain("| `react` | `^18.0.0 \\|\\| ^19.0.0` | 19.3, 18.3 |");
  const table = ["| package | versions | tested with |", "|---|---|---|", ...rows].join("\n");
  const filled = page.replace(
    /(<!-- peers: [^>]*-->\n)[\s\S]*?(<!-- end -->)/,
    (_, start: string, end: string) => `${start}\n${table}\n\n${end}`,
  );
  await expect(filled).toMatchFileSnapshot("../../docs/versions.md");
});

test("docs/versions.md names the runtimes and compilers that are tested", () => {
  const { optionalDependencies: runtimes } = platforms;
  const nodes = Object.keys(runtimes).flatMap((name) => /^node-(\d+)$/.exec(name)?.[1] ?? []);
  const [oldest = ""] = /\d+\.\d+/.exec(manifest.engines.node) ?? [];
  const list = new Intl.ListFormat("en-GB").format([oldest.split(".")[0] ?? "", ...nodes]);
  expect(page).toContain(`| Node | ${oldest} and later | Node ${list} |`);
  const [deno, bun] = [runtimes["@deno/linux-x64-glibc"], runtimes["@oven/bun-linux-x64"]].map(toMinor);
  expect(page).toContain(`Deno ${deno} and Bun ${bun}`);
  // .ci/package compiles with both.
  expect(page).toContain(`| 5.4 and later | TypeScript 5.4 and ${toMinor(manifest.devDependencies.typescript)} |`);
});
