import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), "utf8");

// Their size in a page tells nothing.
const onServers = ["relay", "restate", "sandbox", "testing", "tokens"].map((name) => `ventanilla/${name}`);

test("README.md has each entry point, with the size that docs/benchmarks.md gives", async () => {
  const measured = (await read("docs/benchmarks.md")).matchAll(/^\| `([\w/]+)` \| [\d ]+ \| ([\d ]+) \|/gm);
  const sizes = new Map([...measured].map(([, name, bytes = ""]) => [name, Number(bytes.replaceAll(" ", ""))]));
  const sizeOf = (name: string) => {
    const bytes = sizes.get(name === "ventanilla" ? "core" : name.replace("ventanilla/", ""));
    return bytes === undefined || onServers.includes(name) ? "" : `${Math.round(bytes / 1000)} kB`;
  };
  const described = (await read("docs/reference/README.md")).matchAll(/^\| \[([\w/]+)\]\((\S+)\) \| (.+) \|$/gm);
  const rows = [...described].map(([, name = "", page, text = ""]) => {
    const [purpose = "", peers = ""] = text
      .replace(/ \(\w+\.md, section [\d.]+\)/, "")
      .split(/ Peers?(?: in browsers)?: /);
    return `| [\`${name}\`](docs/reference/${page}) | ${purpose} | ${sizeOf(name)} | ${peers.replace(/\.$/, "")} |`;
  });
  const table = ["| import from | what it has | size | peers |", "|---|---|---:|---|", ...rows].join("\n");
  const page = (await read("README.md")).replace(
    /(<!-- entry points: [^>]*-->\n)[\s\S]*?(<!-- end -->)/,
    (_, start: string, end: string) => `${start}\n${table}\n\n${end}`,
  );
  expect(page).toContain("| [`ventanilla/react`]");
  await expect(page).toMatchFileSnapshot("../../README.md");
});
