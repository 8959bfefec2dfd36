import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const places = [
  process.env["CHROMIUM"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** A real Chromium. Without one the tests fail and say how to get it; they are never skipped. */
export async function openChromium(): Promise<Browser> {
  const executablePath = places.find((place) => place !== undefined && existsSync(place));
  if (!executablePath) {
    throw new Error("No Chromium found: `sudo apt-get install -y chromium`, or name yours in the variable CHROMIUM.");
  }
  return chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
