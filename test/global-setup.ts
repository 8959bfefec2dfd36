import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { findChromium } from "./screens/browser/chromium.ts";

/**
 * Runs before the tests: prints which browser they use, and gives them a temporary folder. The folder is removed in the end with all
 * that tests, browsers and programs have left there, also when tests fail.
 */
export default async function setUp(project: TestProject): Promise<() => void> {
  const { origin, executablePath } = await findChromium();
  console.log(`Tests in a browser use the Chromium ${origin}: ${executablePath}`);
  const folder = mkdtempSync(join(tmpdir(), "ventanilla-tests-"));
  // A program of another user, such as Postgres, can reach its own folder.
  chmodSync(folder, 0o711);
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder;
  // The sources have changed: what was built from them is removed.
  project.onTestsRerun(() => {
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
  });
  return () => {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}
