import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { build } from "vite";
import { expect, onTestFinished, test } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import { bundledPackages } from "../../../src/bundled-packages.ts";

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
  const plugins = [bundledPackages({ notices: "THIRD-PARTY-LICENSES.txt", bom: "sbom.cdx.json" })];
  await build({ root, configFile: false, logLevel: "silent", plugins });
  return join(root, "dist");
}

const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);

test("a built page has a file with the licence of each bundled package", async () => {
  const folder = await bundle({
    "first-package": { LICENSE: "Copyright (c) First\n\nPermission is hereby granted" },
    "@second/package": { "licence.md": "Copyright (c) Second" },
  });
  const notices = await readFile(join(folder, "THIRD-PARTY-LICENSES.txt"), "utf8");
  expect(notices).toContain("first-package 1.2.3 MIT\n\nCopyright (c) First\n\nPermission is hereby granted\n");
  expect(notices).toContain("@second/package 1.2.3 MIT\n\nCopyright (c) Second\n");
  const bom = await readFile(join(folder, "sbom.cdx.json"), "utf8");
  expect(await validator.validate(bom)).toBeNull();
  expect(JSON.parse(bom).components).toMatchObject([
    { name: "@second/package", version: "1.2.3", purl: "pkg:npm/%40second/package@1.2.3" },
    { name: "first-package", version: "1.2.3", purl: "pkg:npm/first-package@1.2.3" },
  ]);
  expect((await readdir(folder)).sort()).toEqual(["THIRD-PARTY-LICENSES.txt", "assets", "index.html", "sbom.cdx.json"]);
});

test.each([{}, { LICENSE: " \n" }])("a package without a licence text fails the build: %o", async (files) => {
  await expect(bundle({ bare: files, other: { LICENSE: "Copyright (c) Other" } })).rejects.toThrow(
    "Bundled without a licence text: bare.",
  );
});

const built = (path: string) => readFile(new URL(`../../../dist/${path}`, import.meta.url), "utf8");

test.each([
  ["sbom.cdx.json", "THIRD-PARTY-LICENSES.txt"],
  ["element.cdx.json", "element.licenses.txt"],
  ["viewer/sbom.cdx.json", "viewer/THIRD-PARTY-LICENSES.txt"],
  ["play/sbom.cdx.json", "play/THIRD-PARTY-LICENSES.txt"],
])("dist/%s is CycloneDX and names the packages whose licences are beside it", async (list, notices) => {
  const bom = await built(list);
  expect(await validator.validate(bom)).toBeNull();
  const components: { name: string; version: string }[] = JSON.parse(bom).components;
  const licensed = [...(await built(notices)).matchAll(/^-{80}\n\n(\S+ \S+)/gm)].map(([, name]) => name);
  expect(components.map(({ name, version }) => `${name} ${version}`)).toEqual(licensed);
});

test("the package lists what is built into the command: each package that is not a dependency", async () => {
  const names: string[] = JSON.parse(await built("sbom.cdx.json")).components.map(({ name }: { name: string }) => name);
  for (const name of ["zod", "ws", "otpauth", "@modelcontextprotocol/server", "@clack/prompts", "commander"]) {
    expect(names).toContain(name);
    expect(Object.keys(manifest.dependencies)).not.toContain(name);
  }
});
