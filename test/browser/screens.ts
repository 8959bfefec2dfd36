import type { Browser, Page } from "playwright-core";
import type { Path } from "ventanilla/testing";
import type { Plugin, PluginOption } from "vite";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { generatedPaths } from "../generated-paths.ts";
import { closePages, openChromium } from "./chromium.ts";
import { pageDriver } from "./driver.ts";
import { openPage } from "./page.ts";
import { testPaths } from "./paths.ts";
import { type Framework, renderedOnServer, serveBuilt, serveForDevelopment } from "./vite.ts";

type Development = Awaited<ReturnType<typeof serveForDevelopment>>;

/** The beginning of a path: as far as a step first shows. */
function pathTo(expected: string, isMeant: (path: Path) => boolean): Path {
  const path = [...generatedPaths.login, ...generatedPaths.link].find(isMeant);
  const length = (path?.steps ?? []).findIndex((step) => step.expected === expected) + 1;
  if (!path || length === 0) throw new Error(`No such path shows ${expected}.`);
  return { ...path, steps: path.steps.slice(0, length) } as Path;
}

const toHeldLogin = pathTo("submitting", ({ flow, faults }) => flow === "login" && faults.some(isHeldLogin));
const toEndedSession = pathTo("failed", ({ name }) =>
  name.startsWith("When the session has ended and the form is sent"),
);

function isHeldLogin({ request, what }: Path["faults"][number]): boolean {
  return request === "POST /login/" && what === "held";
}

async function run(page: Page, path: Path): Promise<void> {
  expect(await page.evaluate((shown) => window.run(shown), path)).toBeUndefined();
}

/**
 * Everything that a framework's adapter and its example are held to.
 *
 * @param more what else is tested with the pages as a developer sees them.
 */
export function testScreens(
  framework: Exclude<Framework, "element">,
  more?: { readonly plugin: PluginOption; test(development: () => Development): void },
): void {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(() => closePages(browser));

  testBuiltScreens(
    framework,
    () => browser,
    (root) => serveBuilt(framework, root),
  );

  describe(`the ${framework} adapter`, () => {
    const script = framework === "react" || framework === "solid" ? "tsx" : "ts";
    const edited: string[] = [];
    let development: Development;
    beforeAll(async () => {
      development = await serveForDevelopment(framework, `test/browser/${framework}`, [
        renderedOnServer("/server", `/server.${script}`, `/hydrate.${script}`),
        edit((file) => edited.some((screen) => file.endsWith(screen))),
        more?.plugin,
      ]);
    });
    afterAll(() => development.close());

    more?.test(() => development);

    test("renders on a server, and is taken up in the browser without a mismatch", async () => {
      const address = new URL("server", development.url);
      expect(await (await fetch(address)).text()).toContain('data-step="loadingProviders"');
      const { page, complaints } = await openPage(browser, address.href);
      await page.locator('[data-choice="test"]').click();
      await page.locator('[data-step="enteringCredentials"]').waitFor();
      expect(complaints).toEqual([]);
      await page.close();
    });

    test("starts no second login when a screen is hot-reloaded", async () => {
      const { server, url } = development;
      const { page, complaints } = await openPage(browser, new URL("?loose", url).href);
      await page.waitForFunction(() => "show" in window);
      await run(page, toHeldLogin);
      await page.getByText("Talking to the bank").waitFor();
      // A screen is told apart from one that was made anew by what it says.
      for (const [component, edit] of [
        ["LoginSteps", "text=Still talking"],
        ["LoginScreen", '[data-edited="yes"]'],
      ] as const) {
        const screen = `docs/examples/${framework}/${component}.${extensions[framework]}`;
        edited.push(screen);
        const updated = page.waitForEvent("console", (message) => message.text().includes("[vite] hot updated"));
        const files = [...server.moduleGraph.fileToModulesMap.keys()];
        server.watcher.emit(
          "change",
          files.find((file) => file.endsWith(screen)),
        );
        await updated;
        await page.locator(edit).waitFor();
        // React runs the effects again after it has drawn: what they do is over with the second frame.
        await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
        // React mounts the screen again as it was, in the middle of its login; elsewhere it is made anew.
        if (framework === "react") {
          await page.locator('[data-step="submitting"]').waitFor();
          expect(await page.evaluate(() => window.aborted)).toEqual([]);
        }
        expect(await page.evaluate(() => window.requests)).toEqual(["POST /login/"]);
      }
      expect(complaints).toEqual([]);
    });
  });
}

/** What of it is tested on pages that are built: the screens under test, and the example. */
export function testBuiltScreens(
  framework: string,
  openBrowser: () => Browser,
  serve: (root: string) => ReturnType<typeof serveBuilt>,
): void {
  describe(`the ${framework} screens`, () => {
    let served: Awaited<ReturnType<typeof serveBuilt>>;
    beforeAll(async () => {
      served = await serve(`test/browser/${framework}`);
    });
    afterAll(() => served.close());

    describe("follow every path of the test kit", () => {
      testPaths(() => ({ browser: openBrowser(), url: served.url }));
    });

    describe("on one page", () => {
      let page: Page;
      let complaints: readonly string[];
      beforeAll(async () => {
        ({ page, complaints } = await openPage(openBrowser(), served.url));
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
        await run(page, toEndedSession);
        expect(await page.getByRole("alert").innerText()).toMatch(/^Your session at .+ has ended\. Log in again\.$/);
        expect(await page.locator('[name="username"]').inputValue()).toBe(toEndedSession.account.username);
        expect(await page.locator('[name="password"]').inputValue()).toBe("");
        await page.locator('[name="password"]:focus').waitFor();
        expect(complaints).toEqual([]);
      });

      test("abort what is under way when they are left", async () => {
        await run(page, toHeldLogin);
        expect(await page.evaluate(() => [window.requests, window.aborted])).toEqual([["POST /login/"], []]);
        await page.evaluate(() => window.hide());
        await expect.poll(() => page.evaluate(() => window.aborted)).toEqual(["POST /login/"]);
      });
    });
  });

  test(`the ${framework} example is built, and takes a person from a bank to its destinations, by way of wrong passwords and wrong codes`, async () => {
    const served = await serve(`docs/examples/${framework}`);
    const { page, complaints } = await openPage(openBrowser(), served.url);
    const driver = pageDriver(page);
    await page.getByLabel("Bank", { exact: true }).fill("quetzal");
    await driver.choose("quetzal_mx");
    const [username, password] = [page.locator('[name="username"]'), page.locator('[name="password"]')];
    await username.fill("otp");
    for (const submit of [() => page.keyboard.press("Enter"), () => driver.submit()]) {
      await password.fill("wrong");
      await submit();
      await page.locator('[data-step="failed"]').waitFor();
      await page.locator('[name="password"]:focus').waitFor();
      expect(await username.inputValue()).toBe("otp");
      expect(await password.inputValue()).toBe("");
      await username.focus();
    }
    await password.fill("s3creto");
    await driver.submit();
    await page.locator('[data-step="answering"]').waitFor();
    await page.locator('[name="answer"]:focus').waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    for (const sent of [1, 2]) {
      await driver.answer("000000");
      await page.getByRole("alert").getByText(`Answers sent: ${sent}.`).waitFor();
    }
    await driver.answer("975310");
    await page.locator('[data-step="linked"] li').first().waitFor();
    expect(complaints).toEqual([]);
    await page.close();
    await served.close();
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

const extensions = { react: "tsx", vue: "vue", svelte: "svelte", solid: "tsx" };
