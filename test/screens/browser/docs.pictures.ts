import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import type { Path } from "ventanilla/testing";
import { stage } from "../../servers/hosted/stage.ts";
import { stepPaths } from "./element-steps.ts";
import { toDataUrl, writePicture } from "./picture-files.ts";
import { logInUntilQuestion, servePlayground } from "./play.ts";
import { type ScreenPage, test } from "./screen-page.ts";
import { serveBuilt, setUpServer } from "./vite.ts";

const element = setUpServer(() => serveBuilt("element", "test/screens/browser/element"));
const playground = setUpServer(servePlayground);
const react = setUpServer(() => serveBuilt("react", "docs/examples/react"));

// A moving spinner or cursor would make another picture on each run.
const still = { animations: "disabled", caret: "hide" } as const;
const colorSchemes = ["light", "dark"] as const;
type ColorScheme = (typeof colorSchemes)[number];

/** The site shows the dark picture in place of the other one while its page is dark. */
const toName = (name: string, colorScheme: ColorScheme) =>
  colorScheme === "dark" ? name.replace(".", "-dark.") : name;

test.for(colorSchemes)("the React example, step by step, %s", async (colorScheme, { open }) => {
  const screen = await open(react().url, { viewport: { width: 400, height: 640 }, colorScheme });
  const take = async (name: string) =>
    writePicture(toName(name, colorScheme), await screen.page.locator("main").screenshot(still));
  await screen.page.getByLabel("Bank", { exact: true }).fill("banco");
  await take("react-1-bank.webp");
  await screen.page.getByLabel("Bank", { exact: true }).fill("");
  await screen.choose("test");
  await screen.fill({ username: "12345otp", password: "asdfg" });
  await take("react-2-credentials.webp");
  await screen.press("submit");
  await screen.waitForState("awaitingInteraction");
  await screen.page.locator("form input").fill("8888");
  await take("react-3-question.webp");
});

// A sheet with a picture of each step.
test.for(colorSchemes)("<bank-login> on a phone, %s", async (colorScheme, { open }) => {
  const [width, height] = [375, 760];
  const screen = await open(element().url, { viewport: { width, height }, colorScheme });
  await screen.page.addStyleTag({
    content: `:root { color-scheme: light dark; background: light-dark(#eef1f6, #0d1016) }
      main { padding: 1rem; display: grid; justify-items: center } bank-login { inline-size: 100% }`,
  });
  const pictures: string[] = [];
  for (const path of stepPaths.values()) {
    await screen.showEnd(path);
    pictures.push(toDataUrl(await screen.page.screenshot(still)));
  }
  const { page: sheet } = await open("about:blank", { viewport: { width: width * 4, height: 400 } });
  await drawSheet(sheet, pictures, 4, colorScheme === "dark" ? "#0d1016" : "#eef1f6");
  await writePicture(toName("bank-login-phone.webp", colorScheme), await sheet.screenshot({ fullPage: true }));
});

/** Fills a page with pictures, side by side. */
const drawSheet = (sheet: Page, pictures: readonly string[], columns: number, background: string) =>
  sheet.setContent(
    `<body style="margin:0;display:grid;grid-template-columns:repeat(${columns},1fr);background:${background}">
      ${pictures.map((picture) => `<img src="${picture}" style="width:100%">`).join("")}</body>`,
  );

// A row for each theme: a class of docs/examples/element/themes.css, with the colour of a page around it.
test("<bank-login> in three themes", async ({ open }) => {
  const [width, height] = [480, 700];
  const screen = await open(element().url, { viewport: { width, height } });
  const themes = await readFile(new URL("../../../docs/examples/element/themes.css", import.meta.url), "utf8");
  const pictures: string[] = [];
  for (const [theme, colorScheme, background] of [
    ["own", "light", "#eef1f6"],
    ["ledger", "light", "#e9efe9"],
    ["mandarina", "light", "#f6e3d3"],
    ["mandarina", "dark", "#150e0a"],
  ]) {
    const style = await screen.page.addStyleTag({
      content: `:root { color-scheme: ${colorScheme}; background: ${background} } body { margin: 0 }
        main { padding: 1.5rem 2rem } ${themes}`,
    });
    for (const step of ["choosingProvider", "failed", "awaitingInteraction", "linked"]) {
      await screen.showEnd(stepPaths.get(step) as Path);
      await screen.page.locator("bank-login").evaluate((shown, theme) => shown.classList.add(String(theme)), theme);
      pictures.push(toDataUrl(await screen.page.screenshot(still)));
    }
    await style.evaluate((tag) => (tag as HTMLElement).remove());
  }
  const { page: sheet } = await open("about:blank", { viewport: { width: width * 3, height: 400 } });
  await drawSheet(sheet, pictures, 4, "#fff");
  await writePicture("bank-login-themes.webp", await sheet.screenshot({ fullPage: true }));
});

test.for(colorSchemes)("the page of a hosted login, %s", async (colorScheme, { open }) => {
  const { hosted } = await stage({ url: "https://login.shop.example/bank", returnTo: ["https://shop.example"] });
  const { url } = await hosted.create({ user: "42", provider: "faro_uy", returnTo: "https://shop.example/done" });
  const viewport = { width: 400, height: 560 };
  const screen = await open("about:blank", { viewport, deviceScaleFactor: 2, colorScheme });
  // The address that people see, without a server there.
  await screen.page.route("https://login.shop.example/**", async (route) => {
    const headers = await route.request().allHeaders();
    const response = await hosted.handle(new Request(route.request().url(), { headers }));
    const body = Buffer.from(await response.arrayBuffer());
    await route.fulfill({ status: response.status, headers: Object.fromEntries(response.headers), body });
  });
  await screen.page.goto(url);
  await screen.waitForState("idle");
  await writePicture(toName("hosted.webp", colorScheme), await screen.page.screenshot(still));
});

// The smallest window that shows the whole statechart: a README shows the picture about 830 px wide.
const viewport = { width: 1280, height: 1240 };
const waitForState = ({ page }: ScreenPage, name: string) =>
  page.frameLocator("iframe").locator("#state").getByText(name).waitFor();

test.for(colorSchemes)("the playground, in the middle of a login, %s", async (colorScheme, { open }) => {
  const screen = await open(playground().url, { viewport, colorScheme });
  await logInUntilQuestion(screen);
  await waitForState(screen, "awaitingInteraction");
  await writePicture(toName("playground.webp", colorScheme), await screen.page.locator("body").screenshot(still));
});

test("a login in the playground, from the form to the session", async ({ open }) => {
  const screen = await open(playground().url, { viewport });
  const frames: { data: string; delay: number }[] = [];
  /** @param delay how long the frame is shown, in milliseconds. */
  const takeFrame = async (delay: number) => {
    frames.push({ data: toDataUrl(await screen.page.screenshot(still)), delay });
  };
  await takeFrame(1000);
  await logInUntilQuestion(screen, () => takeFrame(2000));
  await waitForState(screen, "awaitingInteraction");
  await takeFrame(2500);
  await screen.fill({ otp: "8888" });
  await takeFrame(1000);
  await screen.press("answer");
  await screen.waitForState("linked");
  await waitForState(screen, "linked");
  await takeFrame(4000);
  const { page } = await open("about:blank");
  await writeFile(new URL("../../../docs/pictures/login.gif", import.meta.url), await encodeGif(page, frames));
});

/** Encodes frames as an animated picture, in a page, because it can decode them. */
async function encodeGif(page: Page, frames: { data: string; delay: number }[]): Promise<Buffer> {
  await page.addScriptTag({
    path: fileURLToPath(new URL("../../../node_modules/modern-gif/dist/index.js", import.meta.url)),
  });
  const encoded = await page.evaluate(
    async ({ frames, viewport }) => {
      const decoded = frames.map(async ({ data, delay }) => ({
        data: await createImageBitmap(await (await fetch(data)).blob()),
        delay,
      }));
      const blob = await window.modernGif.encode({ ...viewport, frames: await Promise.all(decoded), format: "blob" });
      const bytes = new Uint8Array(await blob.arrayBuffer());
      return btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ""));
    },
    { frames, viewport },
  );
  return Buffer.from(encoded, "base64");
}

declare global {
  interface Window {
    readonly modernGif: typeof import("modern-gif");
  }
}
