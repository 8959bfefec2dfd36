import { describe, expect, test } from "vitest";
import { adapters } from "../../adapters.ts";
import { serveAngular } from "./angular-workspace.ts";
import { delays, everyPath } from "./paths.ts";
import { openPage } from "./screen-page.ts";
import { serveBuilt, setUpServer } from "./vite.ts";

// No false alarm: right screens pass every path, however long each call of the driver takes. `VENTANILLA_RUNS=10` repeats it.
const runs = Number(process.env["VENTANILLA_RUNS"] ?? 1);

describe.each([...adapters, "element"])("the %s screens pass every path", (name) => {
  const root = `test/screens/browser/${name}`;
  const served = setUpServer(() => (name === "angular" ? serveAngular(root) : serveBuilt(name, root)));

  test.each(delays)("with a driver that takes %i ms for each call", { timeout: 3_600_000 }, async (took) => {
    const { page, consoleErrors } = await openPage(served().url);
    // One screen at a time where no time is waited for.
    const screens = took === 0 ? 1 : everyPath.length;
    const left = Array.from({ length: runs }, () => everyPath.map((path) => ({ path, took }))).flat();
    const count = left.length;
    while (left.length > 0) {
      const batch = left.splice(0, screens);
      expect(await page.evaluate((batch) => window.runAll(batch), batch)).toEqual([]);
    }
    console.log(`${name}, ${took} ms: ${count} runs without a false alarm`);
    expect(consoleErrors).toEqual([]);
    await page.context().close();
  });
});
