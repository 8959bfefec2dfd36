import { expect, onTestFinished } from "vitest";
import { stage } from "../../servers/hosted/stage.ts";
import { test } from "./screen-page.ts";

/** Slow 3G and a processor at a quarter of its speed, as in the tools of Chromium. */
const network = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };

// A quarter of the speed of a machine that may be busy: of three openings the fastest one shows what the page needs. What does not depend on the
// machine, bytes and round trips, is in hosted.test.ts.
test("the form of a known bank is there within 3 seconds on slow 3G, in the fastest of three openings", async ({
  open,
}) => {
  const set = await stage();
  onTestFinished(() => set.hosted.finish());
  const times: number[] = [];
  for (let opening = 0; opening < 3; opening++) {
    const { url } = await set.hosted.create({ user: "42", provider: "test" });
    const { page } = await open("about:blank", { viewport: { width: 390, height: 844 } });
    const tools = await page.context().newCDPSession(page);
    await tools.send("Network.enable");
    await tools.send("Network.emulateNetworkConditions", network);
    await tools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    const begun = performance.now();
    await page.goto(url, { waitUntil: "commit" });
    await page.locator("#first-form input").first().waitFor();
    times.push(Math.round(performance.now() - begun));
    await page.close();
  }
  console.log(`first form: ${times.join(", ")} ms`);
  expect(Math.min(...times)).toBeLessThan(3_000);
});
