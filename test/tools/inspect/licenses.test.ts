import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "vite";
import { expect, onTestFinished, test } from "vitest";
import { licenses } from "../../../src/licenses.ts";

/** Builds a page that bundles these packages, each with the files given beside its code. @returns the folder of the build. */
async function bundle(packages: Readonly<Record<string, Readonly<Record<string, string>>>>): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "ventanilla-licenses-")));
  onTestFinished(() => rm(root, { recursive: true }));
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  };
  const names = Object.keys(packages);
  for (const [name, files] of Object.entries(packages)) {
    const manifest = { name, version: "1.2.3", license: "MIT", type: "module", main: "index.js" };
    const all = { "package.json": JSON.stringify(manifest), "index.js": `console.log("${name}");`, ...files };
    for (const [file, text] of Object.entries(all)) await write(`node_modules/${name}/${file}`, text);
  }
  await write("index.html", '<script type="module" src="./main.js"></script>');
  await write("main.js", `${names.map((name) => `import "${name}";`).join("\n")}\nconsole.log("own");`);
  const plugins = [licenses("THIRD-PARTY-LICENSES.txt")];
  await build({ root, configFile: false, logLevel: "silent", plugins });
  return join(root, "dist");
}

test("a built page has a file with the licence of each bundled package", async () => {
  const folder = await bundle({
    "first-package": { LICENSE: "Copyright (c) First\n\nPermission is hereby granted" },
    "@second/package": { "licence.md": "Copyright (c) Second" },
  });
  const notices = await readFile(join(folder, "THIRD-PARTY-LICENSES.txt"), "utf8");
  expect(notices).toContain("first-package 1.2.3 MIT\n\nCopyright (c) First\n\nPermission is hereby granted\n");
  expect(notices).toContain("@second/package 1.2.3 MIT\n\nCopyright (c) Second\n");
  expect((await readdir(folder)).sort()).toEqual(["THIRD-PARTY-LICENSES.txt", "assets", "index.html"]);
});

test.each([{}, { LICENSE: " \n" }])("a package without a licence text fails the build: %o", async (files) => {
  await expect(bundle({ bare: files, other: { LICENSE: "Copyright (c) Other" } })).rejects.toThrow(
    "Bundled without a licence text: bare.",
  );
});
