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

/** A peer, the versions that its range allows, and those that are tested. */
function formatPeer(name: string): string {
  const range = manifest.peerDependencies[name as keyof typeof manifest.peerDependencies];
  return `\`${name}\` ${range.replaceAll("|", "\\|")} (${findTested(name).join(", ")})`;
}

test("docs/versions.md has each entry point, and each peer with the versions that are tested", async () => {
  expect(formatPeer("react")).toBe("`react` ^18.0.0 \\|\\| ^19.0.0 (19.3, 18.3)");
  const described = Object.entries(manifest.exports).flatMap(([path, target]) =>
    typeof target === "string" ? [] : [[path, target.default.replace("./dist/", "").replace(/\.js$/, ".ts")] as const],
  );
  const listed = new Set(["xstate"]);
  const rows: string[] = [];
  const others: string[] = [];
  for (const [path, source] of described.sort()) {
    const [, needed] = (await readPurpose(source)).split(/ Peers?: /);
    const name = `\`${path.replace(".", manifest.name)}\``;
    if (needed === undefined) {
      others.push(name);
      continue;
    }
    // The versions once, at the first entry point that needs the peer.
    const peers = needed.replace(/\.$/, "").replaceAll(/`([^`]+)`/g, (quoted, peer) => {
      const isListed = listed.has(peer);
      listed.add(peer);
      return isListed ? quoted : formatPeer(peer);
    });
    rows.push(`| ${name} | ${peers} |`);
  }
  expect([...listed].sort()).toEqual(Object.keys(manifest.peerDependencies).sort());
  expect(page).toContain(formatPeer("xstate"));
  const head = ["| import from | peers, with their versions (tested) |", "|---|---|"];
  const whole = fillIn(page, "entry points", [...head, ...rows, "", `Without one: ${others.join(", ")}.`]);
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
