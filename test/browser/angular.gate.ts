import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serveAngular } from "./angular-workspace.ts";
import { testDoubleClicks } from "./double-clicks.ts";
import { pageDriver } from "./driver.ts";
import { openPage } from "./page.ts";
import { testBuiltScreens } from "./screens.ts";

// Here, and not with the other frameworks, for the size of Angular's own build and the TypeScript that it needs.
beforeAll(() => serveAngular("docs/examples/angular").then(({ close }) => close()), 600_000);

testBuiltScreens("angular", serveAngular);

describe("the angular screens, clicked twice", () => {
  let served: Awaited<ReturnType<typeof serveAngular>>;
  beforeAll(async () => {
    served = await serveAngular("test/browser/angular");
  });
  afterAll(() => served.close());

  testDoubleClicks(() => served.url);
});

describe("the angular adapter, with zones", () => {
  test("is rendered on a server without a request, and is taken up in the browser without a mismatch", async () => {
    const served = await serveAngular("test/browser/angular", "dist-server");
    expect(await (await fetch(served.url)).text()).toContain('data-step="loadingProviders"');
    const { page, complaints } = await openPage(served.url);
    await page.locator('[data-choice="test"]').click();
    await page.locator('[data-step="enteringCredentials"]').waitFor();
    await page.locator('[name="username"]').fill("12345");
    await page.locator('[name="password"]').fill("gfdsa");
    await pageDriver(page).submit();
    await page.locator('[data-step="linked"] li').first().waitFor();
    expect(complaints).toEqual([]);
    await page.close();
    await served.close();
  });
});
