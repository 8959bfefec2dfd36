import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generatedPaths } from "../generated-paths.ts";
import { clickAgainAndAgain, listButtons, testDoubleClicks } from "./double-clicks.ts";
import { openPage } from "./page.ts";
import { serveBuilt } from "./vite.ts";

describe.each(["element", "react", "vue", "svelte", "solid"] as const)("%s", (framework) => {
  let served: Awaited<ReturnType<typeof serveBuilt>>;
  beforeAll(async () => {
    served = await serveBuilt(framework, `test/browser/${framework}`);
  });
  afterAll(() => served.close());

  testDoubleClicks(() => served.url);
});

test.each([1280, 375])("the small login of the docs logs in once for two clicks, %i pixels wide", async (width) => {
  const served = await serveBuilt("react", "test/browser/react");
  const { page } = await openPage(new URL("?small", served.url).href, { viewport: { width, height: 800 } });
  const [path] = generatedPaths.link;
  await page.evaluate((shown) => window.show(shown), { ...path, provider: "test", faults: [] });
  const enter = async (values: Record<string, string>, text: string, latency: number) => {
    for (const [label, value] of Object.entries(values)) await page.getByLabel(label).fill(value);
    expect(await listButtons(page)).toEqual(['button[type="submit"]']);
    await clickAgainAndAgain(page, 'button[type="submit"]', latency);
    await page.getByText(text).waitFor();
  };
  const logins = () => page.evaluate(() => [window.requests.filter((sent) => sent === "POST /login/"), window.aborted]);
  for (const latency of [50, 300, 700]) {
    await enter({ User: "12345otp", Password: "wrong" }, "The user name or the password is not right.", latency);
  }
  expect(await logins()).toEqual([Array(3).fill("POST /login/"), []]);
  await enter({ User: "12345otp", Password: "asdfg" }, "OTP required", 50);
  await enter({ "One-time code": "8888" }, "You are logged in.", 300);
  expect(await logins()).toEqual([Array(5).fill("POST /login/"), []]);
  await page.close();
  await served.close();
});
