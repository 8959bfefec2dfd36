import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { reveal, secret } from "ventanilla";
import { expect, onTestFinished } from "vitest";
import { readFault } from "../../core/api/faults.ts";
import { type Row, seeFault } from "./row.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** A project with ventanilla and its packages, without `missing`. */
async function createProject(files: Readonly<Record<string, string>>, missing?: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "ventanilla-project-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const modules = join(folder, "node_modules");
  await mkdir(modules);
  const packages = (await readdir(join(root, "node_modules"))).filter((name) => name !== missing);
  await Promise.all(packages.map((name) => symlink(join(root, "node_modules", name), join(modules, name))));
  await mkdir(join(modules, "ventanilla"));
  for (const name of ["package.json", "dist", "machines"]) {
    await symlink(join(root, name), join(modules, "ventanilla", name));
  }
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));
  return folder;
}

/** Runs Node in a project. @returns all that it printed. */
function runNode(cwd: string, ...words: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, words, { cwd, env: { PATH: process.env["PATH"] } }, (_, stdout, stderr) =>
      resolve(`${stdout}${stderr}`),
    );
  });
}

/** Which of these texts a program printed. */
const find = (printed: string, ...texts: readonly string[]) => {
  for (const text of texts) expect(printed).toContain(text);
  return texts;
};

/** What TypeScript says of a program in a CommonJS project. */
async function compile(options: object): Promise<string> {
  const compilerOptions = { noEmit: true, skipLibCheck: true, types: [], ...options };
  const settings = JSON.stringify({ compilerOptions, files: ["login.ts"] });
  const folder = await createProject({ "package.json": manifest, "login.ts": program, "tsconfig.json": settings });
  // The declarations are made for a release alone: one of them will do.
  const dist = join(folder, "node_modules/ventanilla/dist");
  await rm(dist);
  await mkdir(join(dist, "src"), { recursive: true });
  await writeFile(join(dist, "src/index.d.ts"), "export declare const login: unknown;");
  return runNode(folder, join(root, "node_modules/typescript/bin/tsc"));
}

const manifest = '{ "type": "commonjs" }';
const program = 'import { login } from "ventanilla";\nlogin;\n';

export const install: readonly Row[] = [
  {
    row: "`ERR_REQUIRE_ESM`",
    async happen() {
      const folder = await createProject({ "login.js": 'require("ventanilla");' });
      // As a Node that is older.
      return find(await runNode(folder, "--no-experimental-require-module", "login.js"), "ERR_REQUIRE_ESM");
    },
  },
  {
    row: "Node: `Cannot use import statement",
    async happen() {
      const folder = await createProject({ "package.json": manifest, "login.js": program });
      return find(await runNode(folder, "login.js"), "Cannot use import statement outside a module");
    },
  },
  {
    row: "TypeScript: `TS1479",
    happen: async () => find(await compile({ module: "node16" }), "TS1479: The current file is a CommonJS module"),
  },
  {
    row: "TypeScript: `TS2307",
    async happen() {
      const options = { module: "esnext", moduleResolution: "node10", ignoreDeprecations: "6.0" };
      return find(await compile(options), "TS2307: Cannot find module 'ventanilla'");
    },
  },
  {
    row: "`Cannot find package 'lit'`",
    async happen() {
      const folder = await createProject({ "page.mjs": 'import "ventanilla/element";' }, "lit");
      const printed = await runNode(folder, "--preserve-symlinks", "--preserve-symlinks-main", "page.mjs");
      return find(printed, "Cannot find package 'lit'");
    },
  },
  {
    row: "A bundle for browsers fails on `node:fs`",
    async happen() {
      const folder = await createProject({
        "index.html": '<script type="module" src="/page.js"></script>',
        "page.js": 'import * as all from "ventanilla/hosted";\nconsole.log(all);',
      });
      return find(await runNode(folder, join(root, "node_modules/vite/bin/vite.js"), "build"), "node:fs");
    },
  },
  {
    row: "`secret_unavailable`, although",
    async happen() {
      // The sources beside the built package.
      const other: typeof import("../../../src/index.ts") = await import("../../../dist/src/index.js" as string);
      return seeFault(Promise.resolve().then(() => reveal(other.secret("value") as ReturnType<typeof secret>)));
    },
  },
  {
    row: "`secret_unavailable` after a reload",
    async happen() {
      const copies = [JSON.parse(JSON.stringify(secret("value"))), structuredClone(secret("value"))];
      const codes = copies.map((copy) => readFault(Promise.resolve().then(() => reveal(copy))));
      return (await Promise.all(codes)).map(({ code }) => `\`${code}\``);
    },
  },
];
