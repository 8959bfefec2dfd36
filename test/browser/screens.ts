import type { Browser } from "playwright-core";
import { loginPaths, runPath } from "ventanilla/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openChromium } from "./chromium.ts";
import { pageDriver } from "./driver.ts";
import { openPage } from "./page.ts";
import { testPaths } from "./paths.ts";
import { type Framework, serveBuilt, serveForDevelopment } from "./vite.ts";

const held = loginPaths().find(({ steps }) => steps.some(({ expected }) => expected === "submitting"));

/** Everything that a framework's adapter and its example are held to. */
export function testScreens(framework: Exclude<Framework, "element">): void {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(() => browser.close());

  describe(`the ${framework} screens`, () => {
    let served: Awaited<ReturnType<typeof serveBuilt>>;
    beforeAll(async () => {
      served = await serveBuilt(framework, `test/browser/${framework}`);
    });
    afterAll(() => served.close());

    testPaths(() => ({ browser, url: served.url }));

    test("abort what is under way when they are left", async () => {
      if (!held) throw new Error("No path holds a login.");
      const { page } = await openPage(browser, served.url);
      await page.evaluate((shown) => window.show(shown), held);
      const [fill, submit] = held.steps;
      await runPath({ ...held, steps: [fill, submit].filter((step) => step !== undefined) }, pageDriver(page));
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
      await driver.answer("8888");
      await page.locator('[data-step="linked"] li').first().waitFor();
      expect(complaints).toEqual([]);
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
    test("renders on a server, and is taken up in the browser without a mismatch", async () => {
      const { url, close } = await serveForDevelopment(framework, `test/browser/${framework}`, [
        {
          name: "server-rendering",
          configureServer(development) {
            development.middlewares.use("/server", async (_request, response) => {
              const { render } = await development.ssrLoadModule(serverOf(framework));
              const [body, head = ""] = [await render()].flat();
              response.setHeader("content-type", "text/html");
              response.end(
                await development.transformIndexHtml(
                  "/server",
                  `<!doctype html><html lang="en"><head><meta charset="utf-8">${head}</head><body><main>${body}</main><script type="module" src="${hydrateOf(framework)}"></script></body></html>`,
                ),
              );
            });
          },
        },
      ]);
      const sent = await (await fetch(new URL("server", url))).text();
      expect(sent).toContain('data-step="loadingProviders"');
      const { page, complaints } = await openPage(browser, new URL("server", url).href);
      await page.locator('[data-choice="test"]').click();
      await page.locator('[data-step="enteringCredentials"]').waitFor();
      expect(complaints).toEqual([]);
      await close();
    });

    test.each(["LoginSteps", "LoginScreen"])("starts no second login when %s is hot-reloaded", async (component) => {
      if (!held) throw new Error("No path holds a login.");
      let edited = false;
      const screen = exampleOf(framework, component);
      const edit = (code: string) =>
        code.replaceAll("Talking to the bank", "Still talking").replaceAll("<section", '<section data-edited="yes"');
      const { server, url, close } = await serveForDevelopment(framework, `test/browser/${framework}`, [
        {
          name: "edit",
          enforce: "pre",
          transform: (code, id) => (edited && id.endsWith(screen) ? edit(code) : undefined),
          // Vue reads the file once more, to see which of its blocks were edited.
          handleHotUpdate: {
            order: "pre",
            handler: (update) => {
              const { read } = update;
              update.read = async () => edit(await read());
            },
          },
        },
      ]);
      const { page, complaints } = await openPage(browser, new URL("?loose", url).href);
      await page.waitForFunction(() => "show" in window);
      await page.evaluate((shown) => window.show(shown), held);
      const [fill, submit] = held.steps;
      await runPath({ ...held, steps: [fill, submit].filter((step) => step !== undefined) }, pageDriver(page));
      await page.getByText("Talking to the bank").waitFor();
      edited = true;
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
      await close();
    });
  });
}

const serverOf = (framework: Framework) => `/server.${framework === "react" || framework === "solid" ? "tsx" : "ts"}`;
const hydrateOf = (framework: Framework) => `/hydrate.${framework === "react" || framework === "solid" ? "tsx" : "ts"}`;
const extensions = { react: "tsx", vue: "vue", svelte: "svelte", solid: "tsx" };
const exampleOf = (framework: keyof typeof extensions, component: string) =>
  `docs/examples/${framework}/${component}.${extensions[framework]}`;
