import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { test } from "vitest";
import { closePages, openChromium } from "./chromium.ts";
import { pathOfPicture, takePicture } from "./pictures.ts";
import { logInAsFarAsTheQuestion, servePlayground } from "./play.ts";

// The smallest window that shows the whole statechart: a README shows the picture about 830 px wide.
const SIZE = { width: 1280, height: 1240 };

test("the playground, in the middle of a login", async () => {
  const { url, close } = await servePlayground();
  const browser = await openChromium();
  const page = await browser.newPage({ viewport: SIZE, deviceScaleFactor: 1.5 });
  await page.goto(url);
  await logInAsFarAsTheQuestion(page);
  await page.frameLocator("iframe").getByText("awaitingInteraction").first().waitFor();
  await takePicture(page, "playground", "body");
  await closePages(browser);
  await close();
});

test("a login, from the form to the session", async () => {
  const { url, close } = await servePlayground();
  const browser = await openChromium();
  const page = await browser.newPage({ viewport: SIZE });
  const frames: Frame[] = [];
  const takeFrame = async (delay: number) => {
    const picture = await page.screenshot({ animations: "disabled", caret: "hide" });
    frames.push({ data: `data:image/png;base64,${picture.toString("base64")}`, delay });
  };
  const state = (name: string) => page.frameLocator("iframe").locator("#state").getByText(name).waitFor();
  await page.goto(url);
  await takeFrame(1000);
  await logInAsFarAsTheQuestion(page, () => takeFrame(2000));
  await state("awaitingInteraction");
  await takeFrame(2500);
  await page.locator('[name="otp"]').fill("8888");
  await takeFrame(1000);
  await page.locator('[data-verb="answer"]').press("Enter");
  await page.locator('bank-login [data-step="linked"]').waitFor();
  await state("linked");
  await takeFrame(4000);
  await writeFile(pathOfPicture("login.gif"), await animate(browser, frames));
  await closePages(browser);
  await close();
});

interface Frame {
  /** A picture as a `data:` address. */
  readonly data: string;
  /** Milliseconds. */
  readonly delay: number;
}

/** Encodes frames as an animated picture, in a page, which can decode them. */
async function animate(browser: Browser, frames: readonly Frame[]): Promise<Buffer> {
  const page = await browser.newPage();
  await page.addScriptTag({
    path: fileURLToPath(new URL("../../node_modules/modern-gif/dist/index.js", import.meta.url)),
  });
  const encoded = await page.evaluate(
    async ({ frames, size }) => {
      const decoded = frames.map(async ({ data, delay }) => ({
        data: await createImageBitmap(await (await fetch(data)).blob()),
        delay,
      }));
      const blob = await window.modernGif.encode({ ...size, frames: await Promise.all(decoded), format: "blob" });
      const bytes = new Uint8Array(await blob.arrayBuffer());
      return btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ""));
    },
    { frames: [...frames], size: SIZE },
  );
  return Buffer.from(encoded, "base64");
}

declare global {
  interface Window {
    readonly modernGif: typeof import("modern-gif");
  }
}
