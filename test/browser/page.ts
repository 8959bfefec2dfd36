import type { Browser, BrowserContextOptions, Page } from "playwright-core";

/** A page, and everything it complained of. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage(options);
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  // Browsers ask for it, and no page here has one.
  await page.route("**/favicon.ico", (route) => route.fulfill({ status: 204 }));
  // A development server that has just begun compiles first.
  await page.goto(url, { timeout: 100_000 });
  return { page, complaints };
}
