import type { Path } from "ventanilla/testing";
import type { Plugin } from "vite";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { generatedPaths } from "../../generated-paths.ts";
import { everyPath, findPath, testPaths } from "./paths.ts";
import { openPage, type ScreenPage, test } from "./screen-page.ts";
import { serveBuilt, serveForDevelopment, servePage, setUpServer } from "./vite.ts";

const isHeldLogin = ({ request, what }: Path["faults"][number]) => request === "POST /login/" && what === "held";

/** A login to which the bank never responds. */
export const heldLogin = findPath(
  "submitting",
  generatedPaths.login.filter(({ faults }) => faults.some(isHeldLogin)),
);
const endedSession = findPath(
  "linkFailed",
  generatedPaths.link.filter(({ name }) => name.startsWith("When the session has ended,")),
);

/**
 * Tests the pages of a framework as a developer sees them: unbuilt, and with hot reload.
 *
 * @param testMore further tests of these pages.
 */
export function testDevelopment(framework: string, testMore?: (url: () => string) => void): void {
  describe("served for development", () => {
    const edited: string[] = [];
    const development = setUpServer(() =>
      serveForDevelopment(framework, `test/screens/browser/${framework}`, [
        servePage("/screens", "main"),
        servePage("/server", "hydrate", "/server"),
        servePage("/element", "element-hydrate", "/element-server"),
        editScreens((file) => edited.includes(file)),
      ]),
    );

    testMore?.(() => development().url);

    test("a screen is rendered on a server, and hydrated in the browser without a mismatch", async ({ open }) => {
      const address = new URL("server", development().url).href;
      expect(await (await fetch(address)).text()).toContain('data-state="loadingProviders"');
      const { page, consoleErrors } = await open(address);
      await page.locator('[data-choice="test"]').click();
      await page.locator('[data-state="idle"]').waitFor();
      expect(consoleErrors).toEqual([]);
    });

    test("a hot reload starts no second login", async ({ open }) => {
      const { server, url } = development();
      const screen = await open(new URL("screens?loose", url).href);
      const { page, consoleErrors } = screen;
      await page.waitForFunction(() => "show" in window);
      await screen.showEnd(heldLogin);
      for (const [component, change] of [
        [framework === "vue" ? "PlainForm" : "LoginSteps", "text=Still talking"],
        ["LoginScreen", '[data-edited="yes"]'],
      ] as const) {
        const files = [...server.moduleGraph.fileToModulesMap.keys()];
        const file = files.find((path) => path.includes(`/docs/examples/${framework}/${component}.`)) ?? "";
        edited.push(file);
        server.watcher.emit("change", file);
        await page.locator(change).waitFor();
        // React runs the effects again after drawing; they have run by the second frame.
        await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
        expect(await screen.readRequests()).toEqual(["GET /provider/test/", "POST /login/"]);
      }
      // React mounts the same screen again, in the middle of its login; the other frameworks create a new one.
      if (framework === "react") expect(await page.evaluate(() => window.aborted)).toEqual([]);
      expect(consoleErrors).toEqual([]);
    });
  });
}

/** Changes the texts of a screen, like a developer who edits its file. */
function editScreens(isEdited: (file: string) => boolean): Plugin {
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

type Serve = (root: string) => ReturnType<typeof serveBuilt>;

/** Tests a framework's adapter and its example on built pages. */
export function testBuiltScreens(framework: string, serve?: Serve): void {
  testPathsAndExample(framework, everyPath, serve);
  testBeyondPaths(framework, serve);
}

/** Of the tests on built pages the two that find the most: paths on one page, and the example as a person uses it. */
export function testPathsAndExample(
  framework: string,
  paths: readonly Path[],
  serve: Serve = (root) => serveBuilt(framework, root),
): void {
  const screens = setUpServer(() => serve(`test/screens/browser/${framework}`));
  const example = setUpServer(() => serve(`docs/examples/${framework}`));

  testPaths(() => screens().url, paths);

  test("the example goes from a bank to its destinations, past a wrong password and a wrong code", async ({ open }) => {
    const screen = await open(example().url);
    const { page } = screen;
    await page.getByLabel("Bank", { exact: true }).fill("quetzal");
    await screen.choose("quetzal_mx");
    // A phone would begin the name with a capital, or make another word of it.
    const readHints = (input: HTMLInputElement) => [
      input.autocapitalize,
      input.spellcheck,
      input.closest("[autocorrect]")?.getAttribute("autocorrect"),
    ];
    expect(await page.locator('[name="username"]').evaluate(readHints)).toEqual(["none", false, "off"]);
    await screen.fill({ username: "otp", password: "wrong" });
    await page.keyboard.press("Enter");
    await screen.waitForState("failed");
    await page.locator('[name="password"]:focus').waitFor();
    expect(await screen.valueOf("username")).toBe("otp");
    await screen.submit({ password: "s3creto" });
    await page.locator('[name="otp"]:focus').waitFor();
    await screen.answer("000000");
    await page.getByRole("alert").getByText("Tries so far: 1.").waitFor();
    // A phone copies the code with its message. What was wrong with the text before is not said any more.
    await screen.answer("no llegó nada");
    await screen.paste("otp", "Su código es 975310. No lo comparta.");
    expect(await screen.valueOf("otp")).toBe("975310");
    await screen.press("answer");
    await page.locator('[data-state="linked"] li').first().waitFor();
    expect(screen.consoleErrors).toEqual([]);
  });
}

/**
 * Tests on built pages what no path shows. A screen takes the place of the one before on the same page, because opening one costs more than
 * most of these tests.
 */
export function testBeyondPaths(framework: string, serve: Serve = (root) => serveBuilt(framework, root)): void {
  const screens = setUpServer(() => serve(`test/screens/browser/${framework}`));

  let shared: ScreenPage;
  beforeAll(async () => {
    shared = await openPage(screens().url);
  });
  afterAll(() => shared.page.context().close());
  const showNothing = async () => {
    await shared.page.evaluate(() => window.hide());
    shared.consoleErrors.length = 0;
    return shared;
  };

  test.for([
    ["login", { ...generatedPaths.login[0], settings: {} }, "loggedIn"],
    ["link", { ...generatedPaths.link[0], settings: { provider: "test" } }, "linked"],
  ] as const)("the screens start a %s with a known user name", async ([_flow, path, end]) => {
    const screen = await showNothing();
    await screen.showStart(path, "12345");
    await screen.waitForState("idle");
    expect(await screen.valueOf("username")).toBe("12345");
    await screen.submit({ password: "gfdsa" });
    await screen.waitForState(end);
    expect(screen.consoleErrors).toEqual([]);
  });

  test("after the session has ended, the screens say so, and lead to the form with the user name", async () => {
    const screen = await showNothing();
    await screen.showEnd(endedSession);
    expect(await screen.page.getByRole("alert").innerText()).toBe("Your session has expired. Log in again.");
    await screen.page.locator('[data-verb="retry"]').click();
    await screen.waitForState("idle");
    expect(await screen.valueOf("username")).toBe(endedSession.account.username);
    expect(await screen.valueOf("password")).toBe("");
    await screen.page.locator('[name="password"]:focus').waitFor();
    expect(screen.consoleErrors).toEqual([]);
  });

  test("the screens keep the focus at a second click, and drop what was typed as the person leaves", async () => {
    const screen = await showNothing();
    const { page } = screen;
    await screen.showForm("test");
    await screen.fill({ username: "12345otp", password: "asdfg" });
    const submit = page.locator('[data-verb="submit"]');
    await submit.click({ trial: true });
    const { x = 0, y = 0 } = (await submit.boundingBox()) ?? {};
    await page.mouse.click(x + 5, y + 5);
    const answer = page.locator('[name="otp"]:focus');
    await answer.waitFor();
    await page.mouse.click(x + 5, y + 5);
    await page.keyboard.type("88");
    expect(await answer.inputValue()).toBe("88");
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true })));
    expect(await screen.valueOf("otp")).toBe("");
  });

  test("without a connection the screens send nothing and keep what was typed, and go on when it is back", async () => {
    const screen = await showNothing();
    const { page } = screen;
    const context = page.context();
    const countLogins = async () => (await screen.readRequests()).filter((line) => line === "POST /login/").length;
    const readRefusal = (verb: string) =>
      page.locator(`[data-verb="${verb}"]`).evaluate((button: HTMLButtonElement) => button.validationMessage);
    const refusal = "You are offline, so nothing was sent. Continue when the connection is back.";
    await screen.showForm("test");
    await context.setOffline(true);
    await screen.submit({ username: "12345otp", password: "asdfg" });
    await expect.poll(() => readRefusal("submit")).toBe(refusal);
    expect(await countLogins()).toBe(0);
    expect(await screen.valueOf("password")).toBe("asdfg");
    await context.setOffline(false);
    await screen.press("submit");
    await screen.waitForState("awaitingInteraction");
    await context.setOffline(true);
    await screen.answer("8888");
    await expect.poll(() => readRefusal("answer")).toBe(refusal);
    expect(await countLogins()).toBe(1);
    await context.setOffline(false);
    await screen.press("answer");
    await screen.waitForState("linked");
    expect(await countLogins()).toBe(2);
    expect(screen.consoleErrors).toEqual([]);
  });

  test("the screens go on where their page was left, and send nothing", async ({ open }) => {
    const screen = await open(new URL("?relay", screens().url).href);
    await screen.page.evaluate(() => {
      const login = { version: 2, id: "a-login", token: "t".repeat(43), number: 1, provider: "test" };
      for (const name of ["test", null])
        sessionStorage.setItem(`ventanilla ${JSON.stringify(["http://bank.test", null, name])}`, JSON.stringify(login));
    });
    await screen.showStart({ ...generatedPaths.login[0], faults: [] });
    await screen.page.locator('[data-state="awaitingInteraction"]').getByText("A code").waitFor();
    const requests = await screen.readRequests();
    expect(requests).toContain("GET /submit/");
    expect(requests).not.toContain("POST /login/");
    expect(screen.consoleErrors).toEqual([]);
  });

  test("the screens abort their request when they are removed", async () => {
    const screen = await showNothing();
    await screen.showEnd(heldLogin);
    const readAborted = () => screen.page.evaluate(() => window.aborted);
    expect([await screen.readRequests(), await readAborted()]).toEqual([["GET /provider/test/", "POST /login/"], []]);
    await screen.page.evaluate(() => window.hide());
    await expect.poll(readAborted).toEqual(["POST /login/"]);
  });
}
