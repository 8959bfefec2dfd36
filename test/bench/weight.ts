import { execFileSync } from "node:child_process";
import { lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Counts what `npm install ventanilla xstate` brings into an empty project, and fails where it is too much. Given a `node_modules`, it
// counts there. Otherwise it packs this package and installs it into a project of its own (`npm run bench -- weight`).

const MOST_PACKAGES = 10;
const MOST_BYTES = 4_000_000;

const [installed] = process.argv.slice(2);
if (installed === undefined) checkEmptyProject();
else check(installed);

function checkEmptyProject(): void {
  const project = mkdtempSync(join(tmpdir(), "ventanilla-weight-"));
  try {
    const npm = (...words: readonly string[]) =>
      execFileSync("npm", words, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
    const name = npm("pack", "--silent", "--pack-destination", project).trim().split("\n").at(-1) ?? "";
    writeFileSync(join(project, "package.json"), '{ "name": "empty", "private": true }');
    npm("install", "--silent", "--prefix", project, join(project, name), "xstate");
    check(join(project, "node_modules"));
  } finally {
    rmSync(project, { recursive: true });
  }
}

function check(modules: string): void {
  const packages = packagesIn(modules);
  const own = bytesIn(join(modules, "ventanilla"));
  process.stdout.write(`${packages.length} packages, at most ${MOST_PACKAGES}: ${packages.join(", ")}\n`);
  process.stdout.write(`${own} bytes of ours, at most ${MOST_BYTES}; ${bytesIn(modules)} in all\n`);
  if (packages.length > MOST_PACKAGES || own > MOST_BYTES) process.exitCode = 1;
}

/** The packages in a `node_modules`, those inside of others included. */
function packagesIn(modules: string): string[] {
  return readdirSync(modules, { recursive: true, encoding: "utf8" })
    .filter((path) => /(^|\/node_modules\/)(@[^/]+\/)?[^@./][^/]*\/package\.json$/.test(path))
    .map((path) => path.replace(/\/package\.json$/, ""))
    .sort();
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => lstatSync(join(folder, path)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
}
