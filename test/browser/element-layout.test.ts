import type { Browser, Page } from "playwright-core";
import type { Fault, LinkPath } from "ventanilla/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { generatedPaths } from "../generated-paths.ts";
import { closePages, openChromium } from "./chromium.ts";
import { pageDriver } from "./driver.ts";
import { elementDriver } from "./element-driver.ts";
import { restingSteps, showStep, wayTo } from "./element-steps.ts";
import { type Opened, reloadPage } from "./page.ts";
import { serveBuilt } from "./vite.ts";

const PHONE = 375;
const DESKTOP = 1280;

let browser: Browser;
let served: Awaited<ReturnType<typeof serveBuilt>>;
let opened: Opened | undefined;
let page: Page;
beforeAll(async () => {
  browser = await openChromium();
  served = await serveBuilt("element", "test/browser/element");
});
afterAll(() => Promise.all([closePages(browser), served.close()]));

const open = async (width: number) => {
  opened = await reloadPage(opened, browser, served.url);
  page = opened.page;
  await page.setViewportSize({ width, height: 800 });
};
const step = (name: string) => page.locator(`bank-login [data-step="${name}"]`).waitFor();

const logins = {
  quetzal_mx: { values: { username: "otp", password: "s3creto" }, answer: "975310" },
  puente_co: { values: { username: "local", password: "s3creto", country_code: "CO", type: "cc" } },
  ceibo_ar: { values: { username: "group", password: "s3creto", type: "corp" }, answer: "246802", client: "0" },
} as const;

// The bank takes a client that the path chooses.
const choosingFirst: Pick<LinkPath, "steps"> = {
  steps: [{ action: { type: "choose", value: "0" }, sentence: "a client is chosen", expected: "linked" }],
};

test.each(
  Object.entries(logins).flatMap(([provider, login]) => [PHONE, DESKTOP].map((width) => ({ provider, width, login }))),
)("the card of $provider keeps its height from the form to the session, $width pixels wide", async (row) => {
  const { values, answer, client } = { answer: undefined, client: undefined, ...row.login };
  await open(row.width);
  const [path] = generatedPaths.link;
  const shown = { ...path, ...choosingFirst, settings: { clientSelection: true }, faults: [] };
  await page.evaluate((path) => window.show(path), shown);
  const driver = elementDriver(page, path);
  await driver.choose(row.provider);
  await step("enteringCredentials");
  await page.evaluate(() => {
    // Each wait lasts long enough to be drawn.
    window.latency = 100;
    const heights: number[] = [];
    Object.assign(window, { heights });
    const card = document.querySelector("bank-login")?.shadowRoot?.querySelector("section");
    if (card) new ResizeObserver(() => heights.push(card.offsetHeight)).observe(card);
  });
  await driver.fill({ ...values, password: "wrong" });
  await driver.submit();
  await step("failed");
  await driver.fill({ password: values.password });
  await driver.submit();
  if (answer) {
    await step("answering");
    await driver.answer(answer);
  }
  if (client) {
    await step("choosingClient");
    await driver.choose(client);
  }
  await step("linked");
  expect(await page.evaluate(() => (window as unknown as { heights: number[] }).heights)).toHaveLength(1);
});

/** Where the controls of the form stand in the card, from the form to what it waits for and what it is told. */
const controls = () =>
  page.locator("bank-login").evaluate((element) => {
    const card = element.shadowRoot?.querySelector("section");
    const top = card?.getBoundingClientRect().top ?? 0;
    return Array.from(card?.querySelectorAll("form :is(input, select, button[type=submit])") ?? [], (control) =>
      Math.round(control.getBoundingClientRect().top - top),
    );
  });

test.each([PHONE, DESKTOP])("a failure of many lines moves no form, however long, %i pixels wide", async (width) => {
  await open(width);
  const [path] = generatedPaths.link;
  const ended: Fault = {
    request: "GET /transfer/destinations",
    number: 1,
    what: { body: { status: "error", message: "Invalid key" } },
  };
  await page.evaluate((shown) => window.show(shown), { ...path, faults: [...longNames, ended] });
  const driver = elementDriver(page, path);
  await driver.choose("test");
  await step("enteringCredentials");
  const before = await controls();
  await driver.fill({ username: "12345", password: "wrong" });
  await driver.submit();
  await step("failed");
  expect(await controls()).toEqual(before);
  await driver.fill({ password: "gfdsa" });
  await page.evaluate(() => {
    window.latency = 300;
  });
  await driver.submit();
  await step("submitting");
  expect(await controls()).toEqual(before);
  await step("failed");
  expect(await page.getByRole("alert").evaluate((alert) => (alert as HTMLElement).offsetHeight)).toBeGreaterThan(
    4 * 24,
  );
  expect(await controls()).toEqual(before);
});

test.each([PHONE, DESKTOP])("a code that is asked again stays where it was, %i pixels wide", async (width) => {
  await open(width);
  const [path] = generatedPaths.link;
  await page.evaluate((shown) => window.show(shown), { ...path, settings: {}, faults: [] });
  const driver = elementDriver(page, path);
  await driver.choose("quetzal_mx");
  await driver.fill({ username: "otp", password: "s3creto" });
  await driver.submit();
  await step("answering");
  const before = await controls();
  await driver.answer("000000");
  await page.getByRole("alert").waitFor();
  expect(await controls()).toEqual(before);
});

test("at a desktop the card is as high with the list of banks as without it", async () => {
  await open(DESKTOP);
  const height = () => page.locator("bank-login section").evaluate((card) => (card as HTMLElement).offsetHeight);
  await showStep(page, wayTo("loadingProviders"));
  const before = await height();
  await showStep(page, wayTo("choosingProvider"));
  expect(await height()).toBe(before);
});

/** What scrolls by itself. */
const scrolled = () =>
  page
    .locator("bank-login section *")
    .evaluateAll((all) =>
      all
        .filter((one) => /auto|scroll/.test(getComputedStyle(one).overflowY) && one.scrollHeight > one.clientHeight)
        .map(({ className }) => className),
    );

test("on a phone the page scrolls, and nothing in it", async () => {
  await open(PHONE);
  for (const [step, way] of restingSteps) {
    await showStep(page, way);
    expect(await scrolled(), step).toEqual([]);
  }
  await page.setViewportSize({ width: DESKTOP, height: 800 });
  await showStep(page, wayTo("choosingProvider"));
  expect(await scrolled()).toEqual(["banks"]);
});

test.each([PHONE, DESKTOP])("a finger meets everything that can be pressed, %i pixels wide", async (width) => {
  await open(width);
  const small = () =>
    page.locator("bank-login :is(button, a, input, select):visible").evaluateAll((all) =>
      all
        .map((one) => [one.outerHTML, one.getBoundingClientRect()] as const)
        .filter(([, { width, height }]) => Math.min(width, height) < 44)
        .map(([html]) => html),
    );
  for (const [step, way] of restingSteps) {
    await showStep(page, way);
    expect(await small(), step).toEqual([]);
  }
  await showStep(page, wayTo("enteringCredentials"));
  await pageDriver(page).submit();
  await page.locator(".failure a").first().waitFor();
  expect(await small()).toEqual([]);
});

const longName = "Banco Cooperativo de Ahorro y Crédito Interprovincial-Agropecuario-Industrial del Noroeste S.A.";
const longNames: Fault[] = [
  {
    request: "GET /provider/",
    what: { body: { status: "success", providers: [{ code: "test", country: "UY", name: longName }] } },
  },
  {
    request: "GET /provider/{code}/",
    what: {
      body: {
        status: "success",
        provider: {
          name: longName,
          country: "UY",
          account_type: [],
          auth_fields: [
            { name: "username", type: "text", interactive: false, optional: false, label_en: "User name" },
            { name: "password", type: "password", interactive: false, optional: false, label_en: "Password" },
          ],
        },
      },
    },
  },
];

test("the longest name of a bank fits, and leaves the way back and the way out where they are", async () => {
  await open(PHONE);
  const [path] = generatedPaths.link;
  await page.evaluate((shown) => window.show(shown), { ...path, faults: longNames });
  await pageDriver(page).choose("test");
  await step("enteringCredentials");
  const overflowing = await page
    .locator("bank-login section, bank-login section *")
    .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 1).length);
  expect(overflowing).toBe(0);
  for (const verb of ["changeProvider", "cancelLink"]) {
    expect((await page.locator(`[data-verb="${verb}"]`).boundingBox())?.width).toBe(48);
  }
});
