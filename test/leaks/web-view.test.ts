import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { asks } from "../bank/service.ts";
import { openChromium } from "../screens/browser/chromium.ts";
import { serveBuilt } from "../screens/browser/vite.ts";
import { watch } from "./channels.ts";
import { parrot } from "./echoes.ts";
import { type Flow, flowCanaries, sentTo } from "./flows.ts";
import { startFlow } from "./scan.ts";

const script = fileURLToPath(new URL("../../docs/examples/web-view/web-view.js", import.meta.url));
const channels = ["webkit.messageHandlers.ventanilla", "ventanilla", "ReactNativeWebView"];

test("no secret gets out of the page for the web view of an app, whose relay repeats all that it got", async () => {
  const canaries = flowCanaries();
  const { username, password, firstAnswer, firstKey, sessionKey } = canaries;
  const flow: Flow = {
    name: "wrong credentials",
    ends: "failed",
    script: () =>
      parrot([
        (echo) => asks("otp", firstKey.value, echo),
        (echo) => ({ http: 403, json: { status: "wrong_credentials", message: echo, key: sessionKey.value } }),
      ]),
  };
  const relay = await startFlow(flow, canaries);
  const pages = await serveBuilt("element", "docs/examples/element");
  onTestFinished(pages.close);
  const page = await (await openChromium()).newPage();
  onTestFinished(() => page.close());
  // From here on nothing else speaks in this process.
  const watching = watch(Object.values(canaries));
  const types: string[] = [];
  await page.exposeFunction("hear", (text: string) => {
    types.push(JSON.parse(text).type);
    watching.see("app message", text);
  });
  page.on("console", (message) => watching.see("console", message.text()));
  page.on("pageerror", (error) => watching.see("error", error));
  await page.route("**/bank/**", async (route) => {
    const { pathname, search } = new URL(route.request().url());
    const url = `${relay.url}${pathname.slice("/bank".length)}${search}`;
    await route.fulfill({ response: await route.fetch({ url }) });
  });
  await page.addInitScript((paths) => {
    const open = ([name = "", ...rest]: string[]): object =>
      name ? { [name]: open(rest) } : { postMessage: (text: string) => Reflect.get(window, "hear")(text) };
    for (const path of paths) Object.assign(window, open(path.split(".")));
  }, channels);

  await page.goto(`${pages.url}?provider=test`);
  // The page of the app is one with the component and this script.
  await page.addScriptTag({ path: script, type: "module" });
  await page.getByLabel("User name", { exact: true }).fill(username.value);
  await page.getByLabel("Password", { exact: true }).fill(password.value);
  await page.getByRole("button", { name: "Log in" }).press("Enter");
  await page.locator('bank-login [data-state="awaitingInteraction"] input').fill(firstAnswer.value);
  await page.getByRole("button", { name: "Continue" }).press("Enter");
  await page.locator('bank-login [data-state="failed"]').waitFor();
  await expect.poll(() => types.filter((type) => type === "failure")).toHaveLength(channels.length);

  const sent = sentTo(relay);
  for (const { token } of [username, password, firstAnswer, firstKey]) expect(sent).toContain(token);
  expect(watching.findings()).toEqual([]);
});
