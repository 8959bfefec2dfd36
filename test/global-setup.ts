import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { findChromium } from "./screens/browser/chromium.ts";

/**
 * Runs before the tests. It builds `dist` from today's sources, prints which browser the tests use, and gives them a temporary folder. The
 * folder is removed in the end with all that tests, browsers and programs have left there, also when tests fail.
 */
export default async function setUp(project: TestProject): Promise<() => void> {
  const origin = await prepare();
  console.log(origin);
  const folder = mkdtempSync(join(tmpdir(), "ventanilla-tests-"));
  // A program of another user, such as Postgres, can reach its own folder.
  chmodSync(folder, 0o711);
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder;
  // The sources have changed: what was built from them is built again.
  project.onTestsRerun(async () => {
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
    await buildPackage();
  });
  return () => {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}

/** What the tests need and npm does not bring. Without it no test runs: the reason is the first line that is printed. */
async function prepare(): Promise<string> {
  try {
    const [{ origin, executablePath }] = await Promise.all([findChromium(), buildPackage()]);
    return `Tests in a browser use the Chromium ${origin}: ${executablePath}`;
  } catch (error) {
    console.error(`No test was run. ${error instanceof Error ? error.message : error}`);
    process.exit(1);
  }
}

/** As `npm run build`, without the declarations. In a process of its own: Vitest has set `NODE_ENV`, which would change what is built. */
async function buildPackage(): Promise<void> {
  const { NODE_ENV: _, VITEST: __, ...env } = process.env;
  const build = fileURLToPath(new URL("../src/build.mjs", import.meta.url));
  await promisify(execFile)(process.execPath, [build], { env }).catch((error) => {
    throw new Error(`The package can't be built:\n${error.stderr}`);
  });
}
