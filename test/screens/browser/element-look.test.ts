import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { BankLogin } from "ventanilla/element";
import { describe, expect } from "vitest";
import { toInitials } from "../../../src/screens/element/bank-face.ts";
import { test } from "./element-page.ts";

describe("the face of a bank", () => {
  test.for([
    // Legal forms are no initials.
    ["Banco Bradesco S.A.", "bradesco_br", "Br"],
    ["Nu Pagamentos S.A. (Nubank)", "nubank_br", "Nu"],
    ["Grupo Financiero Banorte, S.A.B. de C.V.", "banorte_mx", "Ba"],
    ["Cooperativa Andina, S. de R.L.", "andina_mx", "An"],
    ["Scotiabank Perú S.A.A.", "scotia_pe", "SP"],
    // A short code is what people call the bank.
    ["Banco República Oriental del Uruguay", "brou_uy", "BROU"],
    ["Banco de Crédito del Perú Empresas", "bcp_corp_pe", "BCP"],
    ["Banco do Brasil", "bb_br", "BB"],
    ["Itaú Unibanco S.A.", "itau_br", "Itaú"],
    ["Banco Faro", "faro_uy", "Faro"],
    // One that has nothing to do with the name is not.
    ["Banco de prueba", "test", "Pr"],
    // A name that says what the bank is, is known by its initials.
    ["Caixa Econômica Federal", "caixa_br", "CEF"],
    ["Banco de la Nación Argentina", "nacion_ar", "BNA"],
    ["Banco Santander México", "santander_mx", "SM"],
    ["BROU Personas", "", "BROU"],
    ["Itaú", "", "It"],
    ["Ñandutí Banco", "", "Ña"],
    ["Banco", "", "Ba"],
    ["N26", "", "N26"],
    ["365", "", ""],
    ["", "", ""],
  ])("of %j with the code %j has the letters %j", ([name = "", code, initials]) => {
    expect(toInitials(name, code)).toBe(initials);
  });

  test("is the page's own logo, if it has one", async ({ element, page }) => {
    await element.showBanks();
    const source = await page.locator("bank-login").evaluate(async (shown: BankLogin) => {
      shown.logos = { faro_uy: "/logos/faro.svg" };
      await shown.updateComplete;
      return shown.shadowRoot?.querySelector<HTMLImageElement>('[data-choice="faro_uy"] img')?.src;
    });
    expect(new URL(source ?? "").pathname).toBe("/logos/faro.svg");
    element.consoleErrors.length = 0;
  });

  test("tells the banks of the sandbox apart", async ({ element, page }) => {
    await element.showBanks();
    const faces = await page
      .locator("[data-choice] .logo")
      .evaluateAll((all) => all.map((face) => `${face.textContent?.trim()} ${face.className}`));
    expect(faces.length).toBeGreaterThan(10);
    expect(new Set(faces).size).toBe(faces.length);
  });
});

describe("what was sent", () => {
  test("stays as dots during the request, and is gone when it has ended", async ({ element, page }) => {
    await element.showForm("test");
    await element.fill({ username: "12345otp", password: "wrong" });
    await element.pressNamed("Show: Password");
    await element.setLatency(Number.POSITIVE_INFINITY);
    await element.press("submit");
    await element.waitForState("submitting");
    const password = page.locator('[name="password"]');
    const read = () => password.evaluate(({ type, value }: HTMLInputElement) => [type, value.length]);
    expect(await read()).toEqual(["password", 5]);
    expect(await password.isDisabled()).toBe(true);
    await element.setLatency(0);
    await element.waitForState("failed");
    expect(await read()).toEqual(["password", 0]);
    await element.submit({ password: "asdfg" });
    await element.waitForState("awaitingInteraction");
    await element.setLatency(Number.POSITIVE_INFINITY);
    await element.answer("1111");
    await element.waitForState("submitting");
    expect(await element.valueOf("otp")).toBe("1111");
    await element.press("cancel");
    await element.waitForState("idle");
    expect(await read()).toEqual(["password", 0]);
  });
});

describe("the mark of a finished login", () => {
  test.for([
    ["no-preference", ["draw"]],
    ["reduce", []],
  ] as const)(
    "is drawn, unless the person wants less motion: %s",
    async ([reducedMotion, motions], { element, page }) => {
      await page.emulateMedia({ reducedMotion });
      await element.showForm("test");
      await element.submit({ username: "12345", password: "gfdsa" });
      await page.locator(".done").waitFor();
      const mark = page.locator(".done path");
      const read = () =>
        mark.evaluate((path) => path.getAnimations().map((one) => (one as CSSAnimation).animationName));
      expect(await read()).toEqual(motions);
      // In the end it is there as a whole.
      await mark.evaluate((path) => Promise.all(path.getAnimations().map(({ finished }) => finished)));
      expect(await mark.evaluate((path) => getComputedStyle(path).strokeDashoffset)).toBe("0px");
    },
  );
});

describe("before the password", () => {
  test("a line says who gets it and how", async ({ element, page }) => {
    await element.showForm("test");
    const note = page.getByText("Your details go encrypted to this site and its partner that logs you in.");
    const isBefore = await note.evaluate(
      (note) =>
        (note.getRootNode() as ShadowRoot).querySelector('[name="password"]')?.compareDocumentPosition(note) ===
        Node.DOCUMENT_POSITION_PRECEDING,
    );
    expect(isBefore).toBe(true);
    await element.submit({ username: "12345otp", password: "asdfg" });
    await element.waitForState("awaitingInteraction");
    expect(await note.count()).toBe(0);
  });

  test("the line is in the page's own words, or not there", async ({ element, page }) => {
    await element.showForm("test");
    const setPrivacy = (privacy: string) =>
      page.locator("bank-login").evaluate((shown: BankLogin, privacy) => {
        shown.texts = { component: { privacy } };
        return shown.updateComplete;
      }, privacy);
    await setPrivacy("Mandarina logs in for you.");
    expect(await page.getByText("Mandarina logs in for you.").count()).toBe(1);
    await setPrivacy("");
    expect(await page.locator("[part=privacy]").count()).toBe(0);
  });
});

test("a login that was closed has a sign and a sentence, and begins again", async ({ element, page }) => {
  await element.show();
  await element.press("cancelLink");
  await element.waitForState("cancelled");
  expect(await page.locator(".message.closed svg").count()).toBe(1);
  expect(await page.locator(".message.closed").innerText()).toBe(
    "You closed the login before it was complete. To connect your bank, start again.",
  );
  await element.press("again");
  await element.waitForState("choosingProvider");
});

const read = (path: string) => readFile(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), "utf8");

test("docs/element.md names each custom property", async () => {
  const [page, theme] = await Promise.all(["docs/element.md", "src/screens/element/styles/theme.ts"].map(read));
  const properties = [...(theme ?? "").matchAll(/var\(--bank-login-([\w-]+)/g)].map(([, name]) => name);
  expect(properties.length).toBeGreaterThan(10);
  expect(properties.filter((name) => !page?.includes(`-${name}\``))).toEqual([]);
});

test("docs/element.md lists each attribute and each property", async () => {
  const [page = "", source = ""] = await Promise.all(
    ["docs/element.md", "src/screens/element/bank-login.ts"].map(read),
  );
  const [, block = ""] = /static override readonly properties = \{([\s\S]*?)\n {2}\};/.exec(source) ?? [];
  const names = [...block.matchAll(/(\w+): (.*),/g)].map(([, name = "", definition = ""]) =>
    definition.includes("attribute: false") ? name : name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  );
  expect(names.length).toBeGreaterThan(25);
  // The session is that of a hosted page.
  expect(names.filter((name) => !page.includes(`\n| \`${name}\` |`))).toEqual(["session"]);
});
