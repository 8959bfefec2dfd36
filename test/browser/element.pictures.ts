import { writeFile } from "node:fs/promises";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, test } from "vitest";
import { closePages, openChromium } from "./chromium.ts";
import { restingSteps } from "./element-steps.ts";
import { serveBuilt } from "./vite.ts";

const sizes = { phone: { width: 375, height: 760 }, desktop: { width: 1280, height: 760 } };
// What is around the card at a desktop is not shown.
const WIDTH = 520;

let browser: Browser;
let served: Awaited<ReturnType<typeof serveBuilt>>;
beforeAll(async () => {
  browser = await openChromium();
  served = await serveBuilt("element", "test/browser/element");
});
afterAll(() => Promise.all([closePages(browser), served.close()]));

// One sheet for each scheme and size, with a picture of each step in it.
test.each([
  ["light", "phone"],
  ["dark", "phone"],
  ["light", "desktop"],
  ["dark", "desktop"],
] as const)("<bank-login>, %s, %s", async (scheme, size) => {
  const page = await browser.newPage({ viewport: sizes[size], colorScheme: scheme });
  await page.goto(served.url);
  await page.addStyleTag({
    content: `:root { color-scheme: light dark; background: light-dark(#eef1f6, #0d1016) }
      main { padding: 1rem; display: grid; justify-items: center } bank-login { inline-size: 100% }`,
  });
  const pictures: string[] = [];
  const { width, height } = sizes[size];
  const shownWidth = Math.min(width, WIDTH);
  for (const [, path] of restingSteps) {
    await page.evaluate((path) => window.run(path), path);
    const clip = { x: (width - shownWidth) / 2, y: 0, width: shownWidth, height };
    const picture = await page.screenshot({ animations: "disabled", caret: "hide", clip });
    pictures.push(`data:image/png;base64,${picture.toString("base64")}`);
  }
  const sheet = await browser.newPage({ viewport: { width: shownWidth * 4, height: 400 } });
  await sheet.setContent(
    `<body style="margin:0;display:grid;grid-template-columns:repeat(4,1fr);background:${scheme === "dark" ? "#0d1016" : "#eef1f6"}">${pictures
      .map((picture) => `<img src="${picture}" style="width:100%">`)
      .join("")}</body>`,
  );
  const jpeg = await sheet.screenshot({ fullPage: true, type: "jpeg", quality: 72 });
  await writeFile(new URL(`../../docs/pictures/bank-login-${scheme}-${size}.jpg`, import.meta.url), jpeg);
});
