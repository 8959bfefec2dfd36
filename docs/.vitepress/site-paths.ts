import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";

/** The repository. */
export const root = new URL("../../", import.meta.url);

// Some file systems take docs/security.md and SECURITY.md for one name.
const renamed: Readonly<Record<string, string>> = {
  "README.md": "readme.md",
  "CHANGELOG.md": "changelog.md",
  "CONTRIBUTING.md": "contributing.md",
  "SECURITY.md": "reporting-a-vulnerability.md",
};

/** Where a page of the repository is on the site. */
export const toSitePath = (page: string) => renamed[page] ?? page.replace(/^docs\//, "");

/** The id of a heading, as GitHub names it. */
export const slugify = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");

/** The groups of pages that README.md lists at its end: the site's sidebar. */
export async function listGroups() {
  const [, list = ""] = (await readFile(new URL("README.md", root), "utf8")).split("## Documentation\n");
  return list.split(/^- /m).flatMap((group) => {
    const [, text, links = ""] = /^([^:]+): ([\s\S]+)/.exec(group) ?? [];
    const items = [...links.matchAll(/\[`?([^\]`]+)`?\]\(([^)]+)\)/g)].map(([, title = "", path = ""]) => ({
      text: title,
      link: toSiteLink(path),
      file: path,
    }));
    return text === undefined ? [] : [{ text, items }];
  });
}

/** The address of a file of the repository. A page shows the files of a folder. */
export function toSiteLink(file: string): string {
  if (file.endsWith(".md")) return `/${toSitePath(file)}`;
  if (file.startsWith("docs/pictures/")) return `/${toSitePath(file)}`;
  const isFolder = statSync(new URL(file, root), { throwIfNoEntry: false })?.isDirectory();
  if (isFolder || file === "LICENSE") return `/reference/files/${file}.md`;
  // A page shows the files of a folder of examples, with those of its folders.
  const [, folder = "", name = ""] = /^(machines|docs\/examples(?:\/[^/]+)?)\/(.+)$/.exec(file) ?? [];
  return `/reference/files/${folder}.md#${slugify(name)}`;
}
