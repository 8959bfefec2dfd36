import { describe, expect, test } from "vitest";
import { everyPath } from "./paths.ts";
import { openPage, type ScreenPage } from "./screen-page.ts";
import { serveBuilt, setUpServer } from "./vite.ts";

// No false alarm: right screens pass every path, however long each call of the driver takes. `VENTANILLA_RUNS=10` repeats it.
const runs = Number(process.env["VENTANILLA_RUNS"] ?? 1);
const PAGES = 5;

describe.each(["react", "vue", "svelte", "solid", "element"])("the screens of %s pass every path", (framework) => {
  const screens = setUpServer(() => serveBuilt(framework, `test/screens/browser/${framework}`));

  test.each([0, 5, 200])("with a driver that takes %i ms for each call", { timeout: 3_600_000 }, async (took) => {
    const left = Array.from({ length: runs }, () => everyPath).flat();
    const wrong: string[] = [];
    const follow = async (screen: ScreenPage) => {
      for (let path = left.shift(); path; path = left.shift()) {
        const error = await screen.page.evaluate(([path, took]) => window.run(path, 120_000, took), [
          path,
          took,
        ] as const);
        if (error !== undefined) wrong.push(`${path.flow} ${path.name}: ${error}`);
      }
      await screen.page.context().close();
    };
    const pages = await Promise.all(Array.from({ length: PAGES }, () => openPage(screens().url)));
    await Promise.all(pages.map(follow));
    expect(wrong).toEqual([]);
  });
});
