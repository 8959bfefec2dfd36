import type { Page } from "playwright-core";
import { type LinkDriver, linkPaths, loginPaths, type Path, runPath } from "ventanilla/testing";
import { expect, test } from "vitest";

/** Leads the screens of a page along every path of the test kit, one after the other. */
export function testPaths(
  shown: (path: Path) => { readonly page: Page; readonly complaints: readonly string[]; readonly driver: LinkDriver },
): void {
  const paths: readonly Path[] = [...loginPaths(), ...linkPaths()];
  test.each(paths.map((path) => [path.flow, path.name, path] as const))("%s: %s", async (_flow, _name, path) => {
    const { page, complaints, driver } = shown(path);
    await page.evaluate((opened) => window.show(opened), path);
    await runPath(path, driver);
    expect(complaints).toEqual([]);
  });
}
