import { test } from "vitest";
import { openChromium } from "./chromium.ts";
import { takePicture } from "./pictures.ts";
import { logInAsFarAsTheQuestion, servePlayground } from "./play.ts";

test("the playground, in the middle of a login", async () => {
  const { url, close } = await servePlayground();
  const browser = await openChromium();
  const page = await browser.newPage({ viewport: { width: 1600, height: 900 } });
  await page.goto(url);
  await logInAsFarAsTheQuestion(page);
  await page.frameLocator("iframe").getByText("awaitingInteraction").first().waitFor();
  await takePicture(page, "playground", "body");
  await browser.close();
  await close();
});
