import { readFile } from "node:fs/promises";
import type { Locator } from "playwright-core";
import { describe, expect, onTestFinished } from "vitest";
import { field, startService } from "../../bank/service.ts";
import { stage as stageHosted } from "../../servers/hosted/stage.ts";
import { logoPng, serveLogos } from "../../servers/relay/logo-host.ts";
import { listen, stage } from "../../servers/relay/stage.ts";
import { type ScreenPage, test } from "./screen-page.ts";

const CDN = "cdn.bank.example";
const element = await readFile(new URL("../../../dist/element.js", import.meta.url));

/** A service with a bank that has a logo, and the host of the logo. */
async function startBank(answer: () => Response) {
  const asked = serveLogos(CDN, answer);
  const auth_fields = [field({ name: "username" }), field({ name: "password", type: "password" })];
  const provider = { name: "Banco Mandarina", country: "UY", logo: `https://${CDN}/mandarina.png`, auth_fields };
  return { asked, bank: await startService(() => ({ json: { status: "success", provider } })) };
}

/** A page with the built component and a relay of its own, whose policy has no other origin for pictures. */
async function servePage(answer: () => Response): Promise<{ readonly url: string; readonly relay: string }> {
  const { bank } = await startBank(answer);
  let relay = "";
  const url = await listen(({ url }, response) => {
    const isElement = url === "/element.js";
    response.setHeader("content-type", isElement ? "text/javascript" : "text/html");
    response.setHeader("content-security-policy", `script-src 'self'; img-src ${relay}`);
    const tag = `<bank-login provider="mandarina" relay="${relay}/"></bank-login>`;
    response.end(
      isElement ? element : `<!doctype html><html lang="es"><script type="module" src="/element.js"></script>${tag}`,
    );
  });
  relay = (await stage({ allowedOrigins: [url], logoHosts: [CDN] }, { bank })).url;
  return { url, relay };
}

/** Opens the form of the bank, whose logo is held. @returns how far something has moved since. */
async function openForm(screen: ScreenPage, url: string, relay: string) {
  const { page } = screen;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`${relay}/logo/**`, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(url);
  await page.locator('[data-state="idle"]').waitFor();
  // What has moved until here is drawn, and does not count.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  return { release, readShift: await screen.watchShift() };
}

/** What a face shows: its initials, the opacity of the logo over them and its pixels; and its box. */
const readFace = (face: Locator) =>
  face.evaluate((face) => {
    const image = face.querySelector("img");
    const { x, y, width, height } = face.getBoundingClientRect();
    return {
      initials: face.textContent?.trim(),
      opacity: image && getComputedStyle(image).opacity,
      pixels: image?.naturalWidth,
      box: [x, y, width, height],
    };
  });

describe("the logo of a bank, from the relay,", () => {
  test.for([320, 390, 1280])("is drawn over its initials, and nothing moves (%i px)", async (width, { open }) => {
    const { url, relay } = await servePage(() => new Response(logoPng));
    const screen = await open("about:blank", { viewport: { width, height: 844 } });
    const { page, consoleErrors } = screen;
    const { release, readShift } = await openForm(screen, url, relay);
    const face = page.locator("bank-login .logo");
    const before = await readFace(face);
    expect(before).toMatchObject({ initials: "Ma", opacity: "0", pixels: 0 });
    release();
    await expect.poll(() => readFace(face)).toEqual({ ...before, opacity: "1", pixels: 96 });
    expect(await readShift()).toBe(0);
    expect(consoleErrors).toEqual([]);
  });

  test.for([
    ["is an SVG", () => new Response("<svg xmlns='http://www.w3.org/2000/svg'/>")],
    ["does not exist", () => new Response(null, { status: 404 })],
  ] as const)("that %s leaves the initials", async ([, answer], { open }) => {
    const { url, relay } = await servePage(answer);
    const screen = await open("about:blank");
    const { page } = screen;
    const { release, readShift } = await openForm(screen, url, relay);
    const face = page.locator("bank-login .logo");
    const before = await readFace(face);
    const logo = page.waitForResponse(/\/logo\//);
    release();
    expect((await logo).status()).toBe(404);
    await face.locator("img").evaluate((image: HTMLImageElement) => image.decode().catch(() => undefined));
    expect(await readFace(face)).toEqual(before);
    expect(await readShift()).toBe(0);
  });

  test("is on a hosted page, whose policy has its own origin alone", async ({ open }) => {
    const { asked, bank } = await startBank(() => new Response(logoPng));
    const set = await stageHosted({ logoHosts: [CDN] }, { bank });
    onTestFinished(() => set.hosted.finish());
    const { url } = await set.hosted.create({ user: "42", provider: "mandarina" });
    const { page, consoleErrors } = await open("about:blank", { viewport: { width: 390, height: 844 } });
    await page.goto(url);
    await page.locator('bank-login [data-state="idle"]').waitFor();
    const face = page.locator("bank-login .logo").last();
    await expect.poll(() => readFace(face)).toMatchObject({ initials: "Ma", opacity: "1", pixels: 96 });
    expect(asked).toHaveLength(1);
    expect(consoleErrors).toEqual([]);
  });

  test("of the page's owner is in the first form of a hosted page, and in the component's", async ({ open }) => {
    const { bank } = await startBank(() => new Response(null, { status: 404 }));
    const shop = await listen((_, response) => response.setHeader("content-type", "image/png").end(logoPng));
    const set = await stageHosted({ logo: `${shop}/logo.png` }, { bank });
    onTestFinished(() => set.hosted.finish());
    const { url } = await set.hosted.create({ user: "42", provider: "mandarina" });
    const { page } = await open("about:blank");
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/element.js?*", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(url, { waitUntil: "commit" });
    const shown = { initials: "Sh", opacity: "1", pixels: 96 };
    await expect.poll(() => readFace(page.locator("#first-form .logo").first())).toMatchObject(shown);
    release();
    await expect.poll(() => readFace(page.locator("bank-login .logo").first())).toMatchObject(shown);
  });
});
