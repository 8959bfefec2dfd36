import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

/** Takes a picture of what the page shows, for docs/pictures. */
export async function takePicture(page: Page, name: string, selector = "main"): Promise<void> {
  const path = fileURLToPath(new URL(`../../docs/pictures/${name}.png`, import.meta.url));
  // A focus ring or a cursor would be another picture on each run.
  await page.locator(selector).first().screenshot({ path, animations: "disabled", caret: "hide" });
}
