import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import platforms from "../platforms/runtimes/package.json" with { type: "json" };

const page = await readFile(new URL("../../docs/versions.md", import.meta.url), "utf8");

const toMinor = (range: string) => /\d+\.\d+/.exec(range)?.[0] ?? "";

/** The version of a package that the tests have, and that of its older copy. */
const findTested = (name: string) =>
  Object.entries(manifest.devDependencies).flatMap(([dependency, range]) =>
    dependency === name || dependency.replace(/-\d+$/, "") === name ? [toMinor(range)] : [],
  );

test("docs/versions.md has each entry point, and each peer with the versions that are tested", async () => {
  const peers = Object.entries(manifest.peerDependencies).map(
    ([name, range]) => `| \`${name}\` | \`${range.replaceAll("|", "\\|")}\` | ${findTested(name).join(", ")} |`,
  );
  expect(peers).toContain("| `react` | `^18.0.0 \\|\\| ^19.0.0` | 19.3, 18.3 |");
  const described = Object.entries(manifest.exports).flatMap(([path, target]) =>
    typeof target === "string" ? [] : [[path, target.default.replace("./dist/", "").replace(/\.js$/, ".ts")] as const],
  );
  const entryPoints = described.sort().map(async ([path, source]) => {
    const [purpose = "", needed = ""] = (await readPurpose(source)).split(/ Peers?: /);
    return `| \`${path.replace(".", manifest.name)}\` | ${purpose} | ${needed.replace(/\.$/, "")} |`;
  });
  const withEntryPoints = fillIn(page, "entry points", [
    "| import from | what it has | peers |",
    "|---|---|---|",
    ...(await Promise.all(entryPoints)),
  ]);
  const whole = fillIn(withEntryPoints, "peers", ["| package | versions | tested with |", "|---|---|---|", ...peers]);
  await expect(whole).toMatchFileSnapshot("../../docs/versions.md");
});

/** What the comment at the top of an entry point says. */
async function readPurpose(path: string): Promise<string> {
  const source = await readFile(new URL(`../../${path}`, import.meta.url), "utf8");
  const [, comment = ""] = /^\/\*\*\n([\s\S]*?)\n \*\n \* @packageDocumentation/.exec(source) ?? [];
  expect(comment).not.toBe("");
  return comment.replaceAll(/^ \* /gm, "").replaceAll("\n", " ");
}

function fillIn(text: string, part: string, table: readonly string[]): string {
  const place = new RegExp(`(<!-- ${part}: [^>]*-->\\n)[\\s\\S]*?(<!-- end -->)`);
  return text.replace(place, (_, start: string, end: string) => `${start}\n${table.join("\n")}\n\n${end}`);
}

test("docs/versions.md names the runtimes and compilers that are tested", async () => {
  const { optionalDependencies: runtimes } = platforms;
  const nodes = Object.keys(runtimes).flatMap((name) => /^node-(\d+)$/.exec(name)?.[1] ?? []);
  const [oldest = "", next] = manifest.engines.node.match(/\d+\.\d+/g) ?? [];
  const list = new Intl.ListFormat("en-GB").format([oldest.split(".")[0] ?? "", ...nodes]);
  expect(page).toContain(`| Node | ${oldest}, and ${next} and later | Node ${list} |`);
  const [deno, bun] = [runtimes["@deno/linux-x64-glibc"], runtimes["@oven/bun-linux-x64"]].map(toMinor);
  expect(page).toContain(`Deno ${deno} and Bun ${bun}`);
  const check = await readFile(new URL("../../.ci/package", import.meta.url), "utf8");
  const oldestCompiler = toMinor(/oldest@npm:typescript@([\d.]+)/.exec(check)?.[1] ?? "");
  const { typescript, "typescript-7": newest } = manifest.devDependencies;
  const compilers = [oldestCompiler, toMinor(typescript), toMinor(newest)];
  expect(page).toContain(
    `| ${oldestCompiler} and later | TypeScript ${new Intl.ListFormat("en-GB").format(compilers)} |`,
  );
});
