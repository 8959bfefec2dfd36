import { readFile } from "node:fs/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { field, type Service, startService } from "../../bank/service.ts";
import { listen, stage } from "../../servers/relay/stage.ts";
import { openPage } from "./screen-page.ts";

// Rows of docs/troubleshooting.md that only a browser has.

const element = await readFile(new URL("../../../dist/element.js", import.meta.url));

/** Opens a page with the built component, and follows its failures in the page's title. */
function servePage(body: string, policy = "default-src * 'unsafe-inline'"): Promise<string> {
  return listen(({ url }, response) => {
    const isElement = url === "/element.js";
    response.setHeader("content-type", isElement ? "text/javascript" : "text/html");
    response.setHeader("content-security-policy", policy);
    const listener = "addEventListener('failure', ({ detail }) => { document.title = detail.code; })";
    response.end(
      isElement
        ? element
        : `<!doctype html><script>${listener}</script><script type="module" src="/element.js"></script>${body}`,
    );
  });
}

/** A relay that lists these origins, itself on another one. */
async function serveRelay(allowedOrigins: readonly string[], bank?: Service) {
  // It warns of an origin that is not listed.
  const warning = vi.spyOn(console, "warn").mockReturnValue();
  onTestFinished(() => warning.mockRestore());
  const { url } = await stage({ allowedOrigins }, { ...(bank && { bank }) });
  return url;
}

describe("`network_failed`, and the console shows", () => {
  test.each<[string, policy: string | undefined, says: RegExp]>([
    ["a CORS error: the page's origin is not listed", undefined, /blocked by CORS policy/],
    [
      "a violation of the content security policy",
      "default-src 'self' 'unsafe-inline'",
      /violates the following Content Security Policy directive/,
    ],
  ])("%s", async (_, policy, says) => {
    const relay = await serveRelay(["https://shop.example"]);
    const url = await servePage(`<bank-login relay="${relay}/"></bank-login>`, policy);
    const { page, consoleErrors } = await openPage(url);
    onTestFinished(() => page.context().close());
    await page.waitForFunction(() => document.title === "network_failed");
    expect(consoleErrors.join("\n")).toMatch(says);
  });
});

test("a frame without allow-forms: the button does nothing, and the console shows a blocked form", async () => {
  const framed = await servePage("<form onsubmit='document.title = 1'><button>Log in</button></form>");
  const url = await servePage(`<iframe sandbox="allow-scripts" src="${framed}"></iframe>`);
  const { page, consoleErrors } = await openPage(url);
  onTestFinished(() => page.context().close());
  await page.frameLocator("iframe").getByRole("button").click();
  await expect.poll(() => consoleErrors.join("\n")).toMatch(/Blocked form submission .* 'allow-forms'/);
});

test.each([
  ["initials, of a logo of another origin", "", 0],
  ["the logo, with remote-logos", "remote-logos", 1],
])("shows %s", async (_, attribute, logos) => {
  const auth_fields = [field({ name: "username" })];
  const provider = { name: "Bank", country: "UY", logo: "https://cdn.example/bank.png", auth_fields };
  const bank = await startService(() => ({ json: { status: "success", provider } }));
  const url = await servePage(`<bank-login provider="test" ${attribute}></bank-login>`);
  const relay = await serveRelay([url], bank);
  const { page } = await openPage(url);
  onTestFinished(() => page.context().close());
  await page.evaluate((relay) => document.querySelector("bank-login")?.setAttribute("relay", relay), `${relay}/`);
  await page.locator('[data-state="idle"]').waitFor();
  expect(await page.locator("bank-login img").count()).toBe(logos);
});
