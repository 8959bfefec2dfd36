import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { findChromium } from "./browser/chromium.ts";

/**
 * Before any test: says which browser the tests use, and gives them a temporary folder of their own. It is taken away in the
 * end with all that tests, browsers and programs have left there, also when tests fail.
 */
export default async function setUp(project: TestProject): Promise<() => void> {
  const { origin, executablePath } = await findChromium();
  console.log(`Tests in a browser use the Chromium ${origin}: ${executablePath}`);
  const folder = mkdtempSync(join(tmpdir(), "ventanilla-tests-"));
  // A program that runs as another user, such as Postgres, gets through to its own folder.
  chmodSync(folder, 0o711);
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder;
  // What was built of sources that have changed since.
  project.onTestsRerun(() => {
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
  });
  return () => {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}
