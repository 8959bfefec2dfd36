import { findChromium } from "./chromium.ts";

/** Before any test: says which browser the tests use, and has it unpacked by then. */
export default async function announceBrowser(): Promise<void> {
  const { origin, executablePath } = await findChromium();
  console.log(`Tests in a browser use the Chromium ${origin}: ${executablePath}`);
}
