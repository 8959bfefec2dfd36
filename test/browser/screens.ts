import type { Browser } from "playwright-core";
import { runPath } from "ventanilla/testing";
import type { Plugin } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generatedPaths } from "../generated-paths.ts";
import { closePages, openChromium } from "./chromium.ts";
import { pageDriver } from "./driver.ts";
import { type Opened, openPage, reloadPage } from "./page.ts";
import { testPaths } from "./paths.ts";
import { type Framework, renderedOnServer, serveBuilt, serveForDevelopment } from "./vite.ts";

const held = generatedPaths.login.find(({ steps }) => steps.some(({ expected }) => expected === "submitting"));

/** Everything that a framework's adapter and its example are held to. */
export function testScreens(framework: Exclude<Framework, "element">): void {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(() => closePages(browser));

  describe(`the ${framework} screens`, () => {
    let served: Awaited<ReturnType<typeof serveBuilt>>;
    beforeAll(async () => {
      served = await serveBuilt(framework, `test/browser/${framework}`);
    });
    afterAll(() => served.close());

    testPaths(() => ({ browser, url: served.url }));

    test.each([
      ["login", { ...generatedPaths.login[0], settings: {} }],
      ["link", { ...generatedPaths.link[0], settings: { provider: "test" } }],
    ] as const)("begin a %s with the user name that the page knows", async (_flow, path) => {
      const { page, complaints } = await openPage(browser, served.url);
      await page.evaluate((shown) => window.show(shown, "12345"), path);
      await page.locator('[data-step="enteringCredentials"]').waitFor();
      expect(await page.locator('[name="username"]').inputValue()).toBe("12345");
      await page.locator('[name="password"]').fill("gfdsa");
      await pageDriver(page).submit();
      await page.locator('[data-step="loggedIn"], [data-step="linked"]').waitFor();
      expect(complaints).toEqual([]);
    });

    test("lead back to the form when the session has ended, with the user name and what happened", async () => {
      const ended = generatedPaths.link.find(({ name }) =>
        name.startsWith("When the session has ended and the form is sent"),
      );
      if (!ended) throw new Error("In no path a session ends.");
      const toForm = ended.steps.findIndex(({ expected }) => expected === "failed") + 1;
      const { page, complaints } = await openPage(browser, served.url);
      await page.evaluate((shown) => window.show(shown), ended);
      await runPath({ ...ended, steps: ended.steps.slice(0, toForm) }, pageDriver(page), { timeout: 60_000 });
      expect(await page.getByRole("alert").innerText()).toMatch(/^Your session at .+ has ended\. Log in again\.$/);
      expect(await page.locator('[name="username"]').inputValue()).toBe(ended.account?.username);
      expect(await page.locator('[name="password"]').inputValue()).toBe("");
      await page.locator('[name="password"]:focus').waitFor();
      expect(complaints).toEqual([]);
    });

    test("abort what is under way when they are left", async () => {
      if (!held) throw new Error("No path holds a login.");
      const { page } = await openPage(browser, served.url);
      await page.evaluate((shown) => window.show(shown), held);
      const [fill, submit] = held.steps;
      await runPath({ ...held, steps: [fill, submit].filter((step) => step !== undefined) }, pageDriver(page), {
        timeout: 60_000,
      });
      expect(await page.evaluate(() => [window.requests, window.aborted])).toEqual([["POST /login/"], []]);
      await page.evaluate(() => window.hide());
      await expect.poll(() => page.evaluate(() => window.aborted)).toEqual(["POST /login/"]);
    });
  });

  describe(`the ${framework} example`, () => {
    test("is built, and takes a person from a bank to its destinations", async () => {
      const served = await serveBuilt(framework, `docs/examples/${framework}`);
      const { page, complaints } = await openPage(browser, served.url);
      const driver = pageDriver(page);
      await page.getByLabel("Bank", { exact: true }).fill("prueba");
      await driver.choose("test");
      await page.locator('[name="username"]').fill("12345otp");
      await page.locator('[name="password"]').fill("asdfg");
      await driver.submit();
      await page.locator('[data-step="answering"]').waitFor();
      await page.locator('[name="answer"]:focus').waitFor();
      await driver.answer("8888");
      await page.locator('[data-step="linked"] li').first().waitFor();
      expect(complaints).toEqual([]);
      await served.close();
    });

    test("keeps the user name after wrong credentials, and puts the focus where the password goes", async () => {
      const served = await serveBuilt(framework, `docs/examples/${framework}`);
      const { page } = await openPage(browser, served.url);
      const driver = pageDriver(page);
      await driver.choose("test");
      for (const submit of [() => page.keyboard.press("Enter"), () => driver.submit()]) {
        await page.locator('[name="username"]').fill("12345");
        await page.locator('[name="password"]').fill("wrong");
        await submit();
        await page.locator('[data-step="failed"]').waitFor();
        await page.locator('[name="password"]:focus').waitFor();
        expect(await page.locator('[name="username"]').inputValue()).toBe("12345");
        expect(await page.locator('[name="password"]').inputValue()).toBe("");
        await page.locator('[name="username"]').focus();
      }
      await page.close();
      await served.close();
    });

    test("says that a code is asked again, and how many were sent", async () => {
      const served = await serveBuilt(framework, `docs/examples/${framework}`);
      const { page, complaints } = await openPage(browser, served.url);
      const driver = pageDriver(page);
      await page.getByLabel("Bank", { exact: true }).fill("quetzal");
      await driver.choose("quetzal_mx");
      await page.locator('[name="username"]').fill("otp");
      await page.locator('[name="password"]').fill("s3creto");
      await driver.submit();
      await page.locator('[data-step="answering"]').waitFor();
      expect(await page.getByRole("alert").count()).toBe(0);
      for (const sent of [1, 2]) {
        await driver.answer("000000");
        await page.getByRole("alert").getByText(`Answers sent: ${sent}.`).waitFor();
      }
      await driver.answer("975310");
      await page.locator('[data-step="linked"] li').first().waitFor();
      expect(complaints).toEqual([]);
      await served.close();
    });
  });

  describe(`the ${framework} adapter`, () => {
    let edited: string | undefined;
    let development: Awaited<ReturnType<typeof serveForDevelopment>>;
    // Loaded anew, a page takes the packages from the browser's cache.
    let opened: Opened | undefined;
    beforeAll(async () => {
      development = await serveForDevelopment(framework, `test/browser/${framework}`, [
        renderedOnServer(serverOf(framework), hydrateOf(framework)),
        edit((file) => edited !== undefined && file.endsWith(edited)),
      ]);
    });
    afterAll(() => development.close());

    test("renders on a server, and is taken up in the browser without a mismatch", async () => {
      const address = new URL("server", development.url);
      expect(await (await fetch(address)).text()).toContain('data-step="loadingProviders"');
      opened = await reloadPage(opened, browser, address.href);
      const { page, complaints } = opened;
      await page.locator('[data-choice="test"]').click();
      await page.locator('[data-step="enteringCredentials"]').waitFor();
      expect(complaints).toEqual([]);
    });

    test.each(["LoginSteps", "LoginScreen"])("starts no second login when %s is hot-reloaded", async (component) => {
      if (!held) throw new Error("No path holds a login.");
      const { server, url } = development;
      edited = undefined;
      server.moduleGraph.invalidateAll();
      opened = await reloadPage(opened, browser, new URL("?loose", url).href);
      const { page, complaints } = opened;
      await page.waitForFunction(() => "show" in window);
      await page.evaluate((shown) => window.show(shown), held);
      const [fill, submit] = held.steps;
      await runPath({ ...held, steps: [fill, submit].filter((step) => step !== undefined) }, pageDriver(page), {
        timeout: 60_000,
      });
      await page.getByText("Talking to the bank").waitFor();
      const screen = exampleOf(framework, component);
      edited = screen;
      const updated = page.waitForEvent("console", (message) => message.text().includes("[vite] hot updated"));
      server.watcher.emit(
        "change",
        [...server.moduleGraph.fileToModulesMap.keys()].find((file) => file.endsWith(screen)),
      );
      await updated;
      // The screen is told apart from one that was made anew by what it says.
      await page.locator(component === "LoginSteps" ? "text=Still talking" : '[data-edited="yes"]').waitFor();
      // React runs the effects again after it has drawn: what they do is over with the second frame.
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      // React mounts the screen again as it was, in the middle of its login; elsewhere it is made anew.
      if (framework === "react") {
        await page.locator('[data-step="submitting"]').waitFor();
        expect(await page.evaluate(() => window.aborted)).toEqual([]);
      }
      expect(await page.evaluate(() => window.requests)).toEqual(["POST /login/"]);
      expect(complaints).toEqual([]);
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

const serverOf = (framework: Framework) => `/server.${framework === "react" || framework === "solid" ? "tsx" : "ts"}`;
const hydrateOf = (framework: Framework) => `/hydrate.${framework === "react" || framework === "solid" ? "tsx" : "ts"}`;
const extensions = { react: "tsx", vue: "vue", svelte: "svelte", solid: "tsx" };
const exampleOf = (framework: keyof typeof extensions, component: string) =>
  `docs/examples/${framework}/${component}.${extensions[framework]}`;
