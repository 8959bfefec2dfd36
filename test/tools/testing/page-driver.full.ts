import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { generatedPaths } from "../../generated-paths.ts";
import { findChromium } from "../../screens/browser/chromium.ts";
import { buildPages, serveFolder, setUpServer } from "../../screens/browser/vite.ts";

// The test file opens an address without a folder.
const page = setUpServer(async () => serveFolder(await buildPages("react", ["test/tools/testing/page"])));
const root = fileURLToPath(new URL("../../../", import.meta.url));

test("the test file of docs/testing.md passes in Playwright Test, every path of it", {
  timeout: 1_200_000,
}, async () => {
  const { executablePath, environment } = await findChromium();
  const folder = await mkdtemp(join(tmpdir(), "ventanilla-playwright-"));
  const args = ["--no-sandbox", "--disable-gpu"];
  const config = {
    testDir: join(root, "docs/examples/testing"),
    outputDir: join(folder, "results"),
    workers: 2,
    fullyParallel: true,
    reporter: "line",
    timeout: 60_000,
    use: { baseURL: page().url, launchOptions: { executablePath, args, env: { ...process.env, ...environment } } },
  };
  const file = join(folder, "playwright.config.mjs");
  await writeFile(file, `export default ${JSON.stringify(config)};`);
  const { VITEST: _, NODE_ENV: __, ...env } = process.env;
  const run = spawn(process.execPath, ["node_modules/@playwright/test/cli.js", "test", "--config", file], {
    cwd: root,
    env,
  });
  let printed = "";
  run.stdout.on("data", (chunk) => (printed += chunk));
  run.stderr.on("data", (chunk) => (printed += chunk));
  const [status] = await once(run, "close");
  expect(status, printed.slice(-4000)).toBe(0);
  expect(printed).toContain(`${generatedPaths.login.length} passed`);
});
