import { beforeAll, describe, expect } from "vitest";
import { serveAngular } from "./angular-workspace.ts";
import { testDoubleClicks } from "./double-clicks.ts";
import { test } from "./screen-page.ts";
import { testBuiltScreens } from "./screens.ts";
import { setUpServer } from "./vite.ts";

// Not one of `npm test` because of the size of Angular's own build, and because it needs another TypeScript.
beforeAll(() => serveAngular("docs/examples/angular").then(({ close }) => close()), 600_000);

testBuiltScreens("angular", serveAngular);

describe("the angular screens, clicked twice", () => {
  const screens = setUpServer(() => serveAngular("test/screens/browser/angular"));
  testDoubleClicks(() => screens().url, { isBrief: true });
});

describe("the angular adapter, with zones", () => {
  const rendered = setUpServer(() => serveAngular("test/screens/browser/angular", "dist-server"));

  test("is rendered on a server, and hydrated in the browser without a mismatch", async ({ open }) => {
    expect(await (await fetch(rendered().url)).text()).toContain('data-state="loadingProviders"');
    const screen = await open(rendered().url);
    await screen.page.locator('[data-choice="test"]').click();
    await screen.submit({ username: "12345", password: "gfdsa" });
    await screen.waitForState("linked");
    expect(screen.consoleErrors).toEqual([]);
  });
});
