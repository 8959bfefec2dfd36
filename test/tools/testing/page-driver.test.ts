import { readFile, rm } from "node:fs/promises";
import { type Path, runPath } from "ventanilla/testing";
import { expect } from "vitest";
import { pageDriver } from "../../../docs/examples/testing/page-driver.ts";
import { generatedPaths } from "../../generated-paths.ts";
import { type ScreenPage, test } from "../../screens/browser/screen-page.ts";
import { serveBuilt, setUpServer } from "../../screens/browser/vite.ts";

// The driver that docs/testing.md names, in a real browser. `page-driver.full.ts` runs every path by Playwright Test.
const page = setUpServer(() => serveBuilt("react", "test/tools/testing/page"));

/** Shows the screen of a path on a page. */
async function show({ page: shown }: ScreenPage, path: Path) {
  await shown.addInitScript((given) => Object.assign(window, { path: given }), path);
  await shown.goto(page().url);
  return pageDriver(shown);
}

const findPath = (flow: "login" | "link", when: string): Path => {
  const found = generatedPaths[flow].find(({ name }) => name.startsWith(`When ${when}`));
  return found ?? expect.fail(`no path begins with ${when}`);
};

test.concurrent.for([
  ["login", "the bank wants the login confirmed"],
  ["login", "the bank asks for a code and a token at once"],
  ["login", "the bank asks where the code goes"],
  ["login", "the ids of the clients have letters and a client"],
  ["login", "no one answers in time"],
  ["link", "the password is wrong at first and another bank is wanted"],
] as const)("along a %s path: when %s", async ([flow, when], { open }) => {
  const path = findPath(flow, when);
  const screen = await open("about:blank");
  await runPath(path, await show(screen, path), { timeout: 90_000 });
  expect(screen.consoleErrors).toEqual([]);
});

test("it takes a picture of a screen", async ({ open }) => {
  const screen = await open("about:blank");
  const driver = await show(screen, findPath("login", "the bank asks nothing more"));
  await screen.waitForState("idle");
  const picture = (await driver.takePicture?.()) ?? "";
  expect((await readFile(picture)).subarray(1, 4).toString()).toBe("PNG");
  await rm(picture);
});
