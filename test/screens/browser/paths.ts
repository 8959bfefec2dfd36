import type { FailureCode } from "ventanilla";
import type { Path } from "ventanilla/testing";
import { expect } from "vitest";
import { generatedPaths } from "../../generated-paths.ts";
import { test } from "./screen-page.ts";

export const everyPath: readonly Path[] = [...generatedPaths.login, ...generatedPaths.link];

/** The milliseconds that each call of a driver takes: in the page, in a browser, in a browser far away. */
export const delays = [0, 5, 200];

/** The states that a path shows and the verbs that it uses, each with its flow. */
export const listParts = ({ flow, start, steps }: Path): string[] =>
  [start, ...steps.flatMap(({ action, expected }) => [expected, action.type])].map((part) => `${flow}: ${part}`);

/** What each verb of a path leads to: a state, and the failure that it shows. */
export const listResults = ({ flow, start, startScreen, steps }: Path): string[] => [
  `${flow}: ${start} ${startScreen.failure?.code}`,
  ...steps.map(({ action, expected, failure }) => `${flow}: ${action.type} to ${expected} ${failure?.code}`),
];

/** Few paths that show every state and use every verb of a login and of a link. */
export const coveringPaths: readonly Path[] = chooseCover(listParts);
/** Those on which each verb leads to each state and each failure that it can lead to. */
export const resultPaths: readonly Path[] = chooseCover(listResults);

function chooseCover(listParts: (path: Path) => string[]): Path[] {
  const left = new Set(everyPath.flatMap(listParts));
  const countNew = (path: Path) => new Set(listParts(path).filter((part) => left.has(part))).size;
  const chosen: Path[] = [];
  while (left.size > 0) {
    const next = everyPath.reduce((best, path) => (countNew(path) > countNew(best) ? path : best));
    chosen.push(next);
    for (const part of listParts(next)) left.delete(part);
  }
  return chosen;
}

/** Follows paths of the test kit on the screens of a page, many at a time; their drivers take no time, some, or much. */
export function testPaths(url: () => string, paths = everyPath): void {
  const which = paths === everyPath ? "every path" : `${paths.length} paths`;
  test(`the screens follow ${which} of the test kit, however long a call of the driver takes`, async ({ open }) => {
    const { page, consoleErrors } = await open(url());
    const runs = paths.map((path, index) => ({ path, took: delays[index % delays.length] ?? 0 }));
    expect(await page.evaluate((runs) => window.runAll(runs), runs)).toEqual([]);
    expect(consoleErrors).toEqual([]);
  });
}

/**
 * The shortest way to a state: a path, cut off where the state first shows.
 *
 * @param code of the failure that it shows. Default any.
 */
export function findPath(state: string, paths: readonly Path[], code?: FailureCode): Path {
  const isShown = ({ expected, failure }: Path["steps"][number]) =>
    expected === state && (code === undefined || failure?.code === code);
  const beginnings = paths
    .map((path) => ({ ...path, steps: path.steps.slice(0, path.steps.findIndex(isShown) + 1) }))
    .filter((path) => path.start === state || path.steps.length > 0)
    .sort((one, other) => one.steps.length - other.steps.length);
  const [path] = beginnings;
  if (!path) throw new Error(`No path shows ${state}.`);
  return path as Path;
}
