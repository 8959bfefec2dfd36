import { afterAll, beforeAll, expect, test } from "vitest";
import { generatedPaths } from "../generated-paths.ts";
import { type Opened, openPage } from "./page.ts";

// A screen waits for its frames more than for a core.
const PAGES = 4;

/** Leads the screens of a framework along every path of the test kit, on a few pages at a time. */
export function testPaths(url: () => string): void {
  const paths = [...generatedPaths.login, ...generatedPaths.link];
  const free: Opened[] = [];
  const waiting: ((opened: Opened) => void)[] = [];

  beforeAll(async () => {
    free.push(...(await Promise.all(Array.from({ length: PAGES }, () => openPage(url())))));
  });

  // A page that is open goes on drawing.
  afterAll(() => Promise.all(free.map(({ page }) => page.context().close())));

  const take = () => free.pop() ?? new Promise<Opened>((resolve) => waiting.push(resolve));
  const giveBack = (opened: Opened) => {
    const next = waiting.shift();
    if (next) next(opened);
    else free.push(opened);
  };

  test.concurrent.each(paths.map((path) => [path.flow, path.name, path] as const))(
    "%s: %s",
    async (_flow, _name, path) => {
      const opened = await take();
      const { page, complaints } = opened;
      try {
        expect(await page.evaluate((shown) => window.run(shown), path)).toBeUndefined();
        expect(complaints.splice(0)).toEqual([]);
      } finally {
        giveBack(opened);
      }
    },
  );
}
