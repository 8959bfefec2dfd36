import { expect } from "vitest";
import { generatedPaths } from "../../generated-paths.ts";
import { coveringPaths } from "./paths.ts";
import { testElement } from "./react-element.ts";
import { test as base } from "./screen-page.ts";
import { heldLogin, testBeyondPaths, testPathsAndExample } from "./screens.ts";
import { serveBuilt, setUpServer } from "./vite.ts";

const screens = setUpServer(() => serveBuilt("react", "test/screens/browser/react"));
const test = base.extend(
  "openScreens",
  ({ open }) =>
    (query: string) =>
      open(new URL(query, screens().url).href),
);

// Every path is in slow-drivers.full.ts.
testPathsAndExample("react", coveringPaths);
testBeyondPaths("react");

// Served for development: react.full.ts.
testElement("creates", () => new URL("?element", screens().url).href);

test("the component of the README logs in, and keeps the user name and the focus after a wrong password", async ({
  openScreens,
}) => {
  const screen = await openScreens("?small");
  const { page } = screen;
  const enter = async (label: string, value: string) => {
    await page.getByLabel(label).fill(value);
    await page.getByLabel(label).press("Enter");
  };
  await screen.showStart({ ...generatedPaths.login[0], provider: "test", faults: [] }, "12345otp");
  expect(await page.getByLabel("User name").inputValue()).toBe("12345otp");
  await screen.setLatency(Number.POSITIVE_INFINITY);
  await enter("Password", "wrong");
  await page.getByRole("status").waitFor();
  await screen.setLatency(0);
  await page
    .getByText("The user name, the password or another detail is not right. Check them and try again.")
    .waitFor();
  expect(await page.getByRole("status").count()).toBe(0);
  expect(await page.getByLabel("User name").inputValue()).toBe("12345otp");
  expect(await page.getByLabel("Password").inputValue()).toBe("");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("password");
  await enter("Password", "asdfg");
  await page.getByText("OTP required").waitFor();
  await enter("One-time code", "8888");
  await page.getByText("You are logged in.").waitFor();
  expect(await page.getByRole("button").count()).toBe(0);
});

test("a hidden screen aborts its login, and starts a new one when it is shown again", async ({ openScreens }) => {
  const screen = await openScreens("");
  const { page } = screen;
  const readLog = () => page.evaluate(() => [window.requests, window.aborted]);
  await screen.showEnd(heldLogin);
  await page.evaluate(() => window.setMode("hidden"));
  await expect.poll(readLog).toEqual([["GET /provider/test/", "POST /login/"], ["POST /login/"]]);
  await page.evaluate(() => window.setMode("visible"));
  await screen.waitForState("idle");
  await screen.submit({ username: "12345", password: "gfdsa" });
  await screen.waitForState("loggedIn");
  expect(await readLog()).toEqual([["GET /provider/test/", "POST /login/", "POST /login/"], ["POST /login/"]]);
});
