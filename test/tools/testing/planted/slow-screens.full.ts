// @vitest-environment happy-dom
import { fetchFor, type LinkDriver, PathError, runPath } from "ventanilla/testing";
import { expect, test } from "vitest";
import { domDriver } from "../../../../docs/examples/testing/dom-driver.ts";
import { generatedPaths } from "../../../generated-paths.ts";
import { showElement } from "./element-screen.ts";
import { openRoot, type Show } from "./open.ts";
import { showExample } from "./react-screens.tsx";

// No false alarm with the default time-out: right screens pass every path, however long each call of the driver takes, one path at a time and eight,
// and all of these at the same time. `VENTANILLA_RUNS=3` repeats it.
const runs = Number(process.env["VENTANILLA_RUNS"] ?? 1);
const everyPath = [...generatedPaths.login, ...generatedPaths.link];

const screens: Readonly<Record<string, Show>> = {
  react: showExample,
  element: (root, input) => showElement(root, input, (view) => view),
};
const settings = Object.keys(screens).flatMap((name) =>
  [0, 50, 200].flatMap((took) => [1, 8].map((count) => [name, took, count] as const)),
);

/** Delays each call of a driver. */
function slowDown(driver: LinkDriver, took: number): LinkDriver {
  if (took === 0) return driver;
  const methods = Object.entries(driver).map(([name, call]) => [
    name,
    async (...given: unknown[]) => {
      await new Promise((resolve) => setTimeout(resolve, took));
      return (call as (...given: unknown[]) => unknown)(...given);
    },
  ]);
  return Object.fromEntries(methods) as LinkDriver;
}

test.concurrent.each(settings)(
  "%s, a driver that takes %i ms, %i at a time",
  { timeout: 7_200_000 },
  async (name, took, count) => {
    const errors: string[] = [];
    const left = Array.from({ length: runs }, () => everyPath).flat();
    const follow = async () => {
      for (let path = left.shift(); path; path = left.shift()) {
        const bank = fetchFor(path);
        const { root, input, close } = openRoot(path, bank);
        const remove = screens[name]?.(root, input);
        const driver = domDriver(root.firstElementChild?.shadowRoot ?? root, bank);
        await runPath(path, slowDown(driver, took)).catch((error: unknown) => {
          errors.push(`${path.flow} ${path.number}: ${error instanceof PathError ? error.message : error}`);
        });
        remove?.();
        close();
      }
    };
    await Promise.all(Array.from({ length: count }, follow));
    console.log(
      `${name}, ${took} ms, ${count} at a time: ${errors.length} of ${runs * everyPath.length} runs are red\n${errors.join("\n")}`,
    );
    expect(errors).toEqual([]);
  },
);
