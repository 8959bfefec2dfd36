import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

export const pathOfPicture = (file: string) => fileURLToPath(new URL(`../../docs/pictures/${file}`, import.meta.url));

/** Takes a picture of what the page shows, for docs/pictures. */
export async function takePicture(page: Page, name: string, selector = "main"): Promise<void> {
  // A focus ring or a cursor would be another picture on each run.
  await page
    .locator(selector)
    .first()
    .screenshot({ path: pathOfPicture(`${name}.png`), animations: "disabled", caret: "hide" });
}
