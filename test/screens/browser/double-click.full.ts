import { describe, expect } from "vitest";
import { adapters } from "../../adapters.ts";
import { generatedPaths } from "../../generated-paths.ts";
import { clickAgainAndAgain, listButtons, testDoubleClicks } from "./double-clicks.ts";
import { test } from "./screen-page.ts";
import { serveBuilt, setUpServer } from "./vite.ts";

// Angular's own build has a test file of its own.
const builtByVite = ["element", ...adapters.filter((name) => name !== "angular")];

describe.each(builtByVite)("%s", (framework) => {
  const served = setUpServer(() => serveBuilt(framework, `test/screens/browser/${framework}`));
  testDoubleClicks(() => served().url, { isBrief: !["element", "react"].includes(framework) });
});

describe("the small login of the docs", () => {
  const served = setUpServer(() => serveBuilt("react", "test/screens/browser/react"));

  test.for([1280, 375])("logs in once for two clicks, %i pixels wide", async (width, { open }) => {
    const screen = await open(new URL("?small", served().url).href, { viewport: { width, height: 800 } });
    const { page } = screen;
    await screen.showStart({ ...generatedPaths.link[0], provider: "test", faults: [] });
    const enter = async (values: Record<string, string>, text: string, latency: number) => {
      for (const [label, value] of Object.entries(values)) await page.getByLabel(label).fill(value);
      expect(await listButtons(screen)).toEqual(['button[type="submit"]']);
      await clickAgainAndAgain(screen, 'button[type="submit"]', latency);
      await page.getByText(text).waitFor();
    };
    const readLogins = () =>
      page.evaluate(() => [window.requests.filter((sent) => sent === "POST /login/").length, window.aborted]);
    for (const latency of [50, 300, 700]) {
      await enter(
        { User: "12345otp", Password: "wrong" },
        "The user name, the password or another detail is not right. Check them and try again.",
        latency,
      );
    }
    expect(await readLogins()).toEqual([3, []]);
    await enter({ User: "12345otp", Password: "asdfg" }, "OTP required", 50);
    await enter({ "One-time code": "8888" }, "You are logged in.", 300);
    expect(await readLogins()).toEqual([5, []]);
  });
});
