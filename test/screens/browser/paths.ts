import type { Path } from "ventanilla/testing";
import { afterAll, expect, test } from "vitest";
import { formatTitle, generatedPaths } from "../../generated-paths.ts";
import { openPage, type ScreenPage } from "./screen-page.ts";

export const everyPath: readonly Path[] = [...generatedPaths.login, ...generatedPaths.link];

/** Runs paths of the test kit on the screens of a page. */
export function testPaths(url: () => string, paths: readonly Path[]): void {
  const idle: ScreenPage[] = [];
  // An open page goes on drawing.
  afterAll(() => Promise.all(idle.map(({ page }) => page.context().close())));

  test.concurrent.for(paths.map((path, index) => [formatTitle(path, index), path] as const))("%s", async ([, path]) => {
    // As many pages as tests at a time.
    const screen = idle.pop() ?? (await openPage(url()));
    try {
      await screen.showEnd(path);
      expect(screen.consoleErrors.splice(0)).toEqual([]);
    } finally {
      idle.push(screen);
    }
  });
}

/** The shortest way to each step. */
export function findShortestPaths(): readonly Path[] {
  const steps = new Set(everyPath.flatMap((path) => path.steps.map(({ expected }) => expected)));
  return [...steps].map((step) => findPath(step, everyPath));
}

/** The shortest way to a step: a path, cut off where the step first shows. */
export function findPath(step: string, paths: readonly Path[]): Path {
  const beginnings = paths
    .map((path) => ({
      ...path,
      steps: path.steps.slice(0, path.steps.findIndex(({ expected }) => expected === step) + 1),
    }))
    .filter((path) => path.start === step || path.steps.length > 0)
    .sort((one, other) => one.steps.length - other.steps.length);
  const [path] = beginnings;
  if (!path) throw new Error(`No path shows ${step}.`);
  return path as Path;
}
