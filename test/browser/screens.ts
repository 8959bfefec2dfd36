import type { Page } from "playwright-core";
import type { Path } from "ventanilla/testing";
import type { Plugin } from "vite";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { generatedPaths } from "../generated-paths.ts";
import { pageDriver } from "./driver.ts";
import { openPage } from "./page.ts";
import { testPaths } from "./paths.ts";
import { type Framework, serveBuilt, serveForDevelopment, servePage } from "./vite.ts";

/** The beginning of a path: as far as a step first shows. */
function pathTo(expected: string, isMeant: (path: Path) => boolean): Path {
  const path = [...generatedPaths.login, ...generatedPaths.link].find(isMeant);
  const length = (path?.steps ?? []).findIndex((step) => step.expected === expected) + 1;
  if (!path || length === 0) throw new Error(`No such path shows ${expected}.`);
  return { ...path, steps: path.steps.slice(0, length) } as Path;
}

const isHeldLogin = ({ request, what }: Path["faults"][number]) => request === "POST /login/" && what === "held";

/** A login that the bank never answers. */
export const heldLogin = pathTo("submitting", ({ flow, faults }) => flow === "login" && faults.some(isHeldLogin));
const endedSession = pathTo("failed", ({ name }) => name.startsWith("When the session has ended and the form is sent"));

/** Shows the end of a path. */
export async function showPath(page: Page, path: Path): Promise<void> {
  expect(await page.evaluate((shown) => window.run(shown), path)).toBeUndefined();
}

const extensions = { react: "tsx", vue: "vue", svelte: "svelte", solid: "tsx" };

/**
 * Everything that a framework's adapter and its example are held to.
 *
 * @param testMore what else is tested with the pages as a developer sees them.
 */
export function testScreens(framework: Exclude<Framework, "element">, testMore?: (url: () => string) => void): void {
  testBuiltScreens(framework, (root) => serveBuilt(framework, root));

  describe("as a developer has them", () => {
    const edited: string[] = [];
    let development: Awaited<ReturnType<typeof serveForDevelopment>>;
    beforeAll(async () => {
      development = await serveForDevelopment(framework, `test/browser/${framework}`, [
        servePage("/screens", "main"),
        servePage("/server", "hydrate", "/server"),
        servePage("/element", "element-hydrate", "/element-server"),
        edit((file) => edited.some((screen) => file.endsWith(screen))),
      ]);
    });
    afterAll(() => development.close());

    testMore?.(() => development.url);

    test("a screen is rendered on a server, and is taken up in the browser without a mismatch", async () => {
      const address = new URL("server", development.url).href;
      expect(await (await fetch(address)).text()).toContain('data-step="loadingProviders"');
      const { page, complaints } = await openPage(address);
      await page.locator('[data-choice="test"]').click();
      await page.locator('[data-step="enteringCredentials"]').waitFor();
      expect(complaints).toEqual([]);
      await page.close();
    });

    test("a hot reload starts no second login", async () => {
      const { server, url } = development;
      const { page, complaints } = await openPage(new URL("screens?loose", url).href);
      await page.waitForFunction(() => "show" in window);
      await showPath(page, heldLogin);
      for (const [component, edit] of [
        ["LoginSteps", "text=Still talking"],
        ["LoginScreen", '[data-edited="yes"]'],
      ] as const) {
        const screen = `docs/examples/${framework}/${component}.${extensions[framework]}`;
        edited.push(screen);
        const files = [...server.moduleGraph.fileToModulesMap.keys()];
        server.watcher.emit(
          "change",
          files.find((file) => file.endsWith(screen)),
        );
        await page.locator(edit).waitFor();
        // React runs the effects again after it has drawn: what they do is over with the second frame.
        await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
        expect(await page.evaluate(() => window.requests)).toEqual(["POST /login/"]);
      }
      // React mounts the screen again as it was, in the middle of its login; elsewhere it is made anew.
      if (framework === "react") expect(await page.evaluate(() => window.aborted)).toEqual([]);
      expect(complaints).toEqual([]);
      await page.close();
    });
  });
}

/** Changes what a screen says, as a developer who edits its file. */
function edit(isEdited: (file: string) => boolean): Plugin {
  const change = (code: string) =>
    code.replaceAll("Talking to the bank", "Still talking").replaceAll("<section", '<section data-edited="yes"');
  return {
    name: "edit",
    enforce: "pre",
    transform: (code, id) => (isEdited(id) ? change(code) : undefined),
    // Vue reads the file once more, to see which of its blocks were edited.
    handleHotUpdate: {
      order: "pre",
      handler: (update) => {
        const { read } = update;
        update.read = async () => change(await read());
      },
    },
  };
}

/** What of it is tested on pages that are built: the screens under test, and the example. */
export function testBuiltScreens(framework: string, serve: (root: string) => ReturnType<typeof serveBuilt>): void {
  let served: Awaited<ReturnType<typeof serveBuilt>>;
  beforeAll(async () => {
    served = await serve(`test/browser/${framework}`);
  });
  afterAll(() => served.close());

  describe("the screens follow every path of the test kit", () => {
    testPaths(() => served.url);
  });

  describe("on one page the screens", () => {
    let page: Page;
    let complaints: readonly string[];
    beforeAll(async () => {
      ({ page, complaints } = await openPage(served.url));
    });
    beforeEach(() => page.evaluate(() => window.reset()));
    afterAll(() => page.close());

    test.each([
      ["login", { ...generatedPaths.login[0], settings: {} }],
      ["link", { ...generatedPaths.link[0], settings: { provider: "test" } }],
    ] as const)("begin a %s with the user name that the page knows", async (_flow, path) => {
      await page.evaluate((shown) => window.show(shown, "12345"), path);
      await page.locator('[data-step="enteringCredentials"]').waitFor();
      expect(await page.locator('[name="username"]').inputValue()).toBe("12345");
      await page.locator('[name="password"]').fill("gfdsa");
      await pageDriver(page).submit();
      await page.locator('[data-step="loggedIn"], [data-step="linked"]').waitFor();
      expect(complaints).toEqual([]);
    });

    test("lead back to the form when the session has ended, with the user name and what happened", async () => {
      await showPath(page, endedSession);
      expect(await page.getByRole("alert").innerText()).toMatch(/^Your session at .+ has ended\. Log in again\.$/);
      expect(await page.locator('[name="username"]').inputValue()).toBe(endedSession.account.username);
      expect(await page.locator('[name="password"]').inputValue()).toBe("");
      await page.locator('[name="password"]:focus').waitFor();
      expect(complaints).toEqual([]);
    });

    test("abort what is under way when they are left", async () => {
      await showPath(page, heldLogin);
      expect(await page.evaluate(() => [window.requests, window.aborted])).toEqual([["POST /login/"], []]);
      await page.evaluate(() => window.hide());
      await expect.poll(() => page.evaluate(() => window.aborted)).toEqual(["POST /login/"]);
    });
  });

  test("the example is built, and takes a person from a bank to its destinations, by way of a wrong password and a wrong code", async () => {
    const { url, close } = await serve(`docs/examples/${framework}`);
    const { page, complaints } = await openPage(url);
    const driver = pageDriver(page);
    await page.getByLabel("Bank", { exact: true }).fill("quetzal");
    await driver.choose("quetzal_mx");
    await driver.fill({ username: "otp", password: "wrong" });
    await page.keyboard.press("Enter");
    await page.locator('[data-step="failed"]').waitFor();
    await page.locator('[name="password"]:focus').waitFor();
    expect(await page.locator('[name="username"]').inputValue()).toBe("otp");
    await driver.fill({ password: "s3creto" });
    await driver.submit();
    await page.locator('[name="answer"]:focus').waitFor();
    await driver.answer("000000");
    await page.getByRole("alert").getByText("Answers sent: 1.").waitFor();
    await driver.answer("975310");
    await page.locator('[data-step="linked"] li').first().waitFor();
    expect(complaints).toEqual([]);
    await page.close();
    await close();
  });
}
