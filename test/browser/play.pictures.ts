import { test } from "vitest";
import { closePages, openChromium } from "./chromium.ts";
import { takePicture } from "./pictures.ts";
import { logInAsFarAsTheQuestion, servePlayground } from "./play.ts";

test("the playground, in the middle of a login", async () => {
  const { url, close } = await servePlayground();
  const browser = await openChromium();
  // The smallest window with the whole statechart in it: a README shows the picture about 830 px wide.
  const page = await browser.newPage({ viewport: { width: 1180, height: 1430 }, deviceScaleFactor: 1.5 });
  await page.goto(url);
  await logInAsFarAsTheQuestion(page);
  await page.frameLocator("iframe").getByText("awaitingInteraction").first().waitFor();
  await takePicture(page, "playground", "body");
  await closePages(browser);
  await close();
});
