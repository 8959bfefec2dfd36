import type { BrowserContextOptions, Page } from "playwright-core";
import { openChromium } from "./chromium.ts";

/** A page, and everything it complained of. */
export interface Opened {
  readonly page: Page;
  readonly complaints: string[];
}

/** Opens an address in a page of its own, in the Chromium of this process. */
export async function openPage(url: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const page = await (await openChromium()).newPage(options);
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
