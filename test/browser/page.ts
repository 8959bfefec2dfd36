import type { Browser, BrowserContextOptions, Page } from "playwright-core";

/** A page, and everything it complained of. */
export interface Opened {
  readonly page: Page;
  readonly complaints: string[];
}

export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const page = await browser.newPage(options);
  // A busy machine comes to it later, not never.
  page.setDefaultTimeout(100_000);
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    // Some browsers ask for an icon, and no page here has one.
    if (message.location().url.endsWith("/favicon.ico")) return;
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  await page.goto(url);
  return { page, complaints };
}
