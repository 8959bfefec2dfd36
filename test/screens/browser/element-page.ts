import { test as base, openPage } from "./screen-page.ts";
import { serveBuilt } from "./vite.ts";

/**
 * A test of `<bank-login>` in a browser. All tests of a file share a page, because loading it costs more than most of them; each finds
 * it as it was loaded. A test that changes what can't be reset, such as the clock, opens `url` itself.
 */
export const test = base
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from it what a fixture depends on
  .extend("url", { scope: "file" }, async ({}, { onCleanup }) => {
    const { url, close } = await serveBuilt("element", "test/screens/browser/element");
    onCleanup(close);
    return url;
  })
  .extend("shared", { scope: "file" }, async ({ url }, { onCleanup }) => {
    const shared = await openPage(url);
    onCleanup(() => shared.page.context().close());
    return shared;
  })
  .extend("element", async ({ shared }) => {
    await shared.page.setViewportSize({ width: 480, height: 900 });
    // Without motion: a step that is still moving has no place yet, and axe sees it half transparent.
    await shared.page.emulateMedia({ colorScheme: null, forcedColors: null, reducedMotion: "reduce" });
    await shared.page.evaluate(() => window.reset());
    shared.consoleErrors.length = 0;
    return shared;
  })
  .extend("page", ({ element }) => element.page);
