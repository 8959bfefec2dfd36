import type { Page } from "playwright-core";
import type { Fault } from "ventanilla/testing";
import { describe, expect } from "vitest";
import { test } from "./element-page.ts";

/** What assistive technology says about the field that has the focus. */
async function focusedDescription(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  const isFocused = ({ role, properties = [] }: (typeof nodes)[number]) =>
    ["textbox", "combobox"].includes(role?.value) &&
    properties.some(({ name, value }) => name === "focused" && value.value === true);
  return nodes.find(isFocused)?.description?.value ?? "";
}

describe("with the keyboard alone", () => {
  test("a person goes from the list to a session", async ({ element, page }) => {
    await element.show();
    await element.step("choosingProvider");
    // The way out, the search.
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    expect(await page.locator("#search").evaluate((input) => getComputedStyle(input).outlineWidth)).toBe("3px");
    await page.keyboard.type("prueba");
    // The search, the country, the one bank that is left.
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await element.step("enteringCredentials");
    expect(await element.focused()).toBe("input#field-username.");
    await page.keyboard.type("12345otp");
    await page.keyboard.press("Tab");
    await page.keyboard.type("asdfg");
    await page.keyboard.press("Enter");
    await element.step("answering");
    expect(await element.focused()).toBe("input#field-otp.code");
    await page.keyboard.type("8888");
    await page.keyboard.press("Enter");
    await element.step("linked");
    expect(await element.focused()).toBe("h2#title.");
  });

  test("the arrow keys go from the search through the banks, and Enter chooses", async ({ element, page }) => {
    await element.show();
    await page.getByLabel("Search").press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    const second = await page.locator("[data-choice]").nth(1).getAttribute("data-choice");
    expect(
      await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.getAttribute("data-choice")),
    ).toBe(second);
    await page.keyboard.press("Enter");
    await element.step("enteringCredentials");
  });

  test("the focus is not taken from elsewhere on the page", async ({ element, page }) => {
    await page.evaluate(() => document.body.append(document.createElement("input")));
    await page.locator("body > input").focus();
    await element.show();
    await element.step("choosingProvider");
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("INPUT");
  });
});

describe("a form", () => {
  test("that is sent empty is not sent, and says what is missing, with links to it", async ({ element, page }) => {
    await element.show();
    await element.choose("test");
    await element.step("enteringCredentials");
    await element.press("Log in");
    const summary = page.getByRole("alert");
    await summary.waitFor();
    expect(await summary.innerText()).toContain("User name: This is needed.");
    expect(await element.focused()).toContain("field-username");
    await summary.getByRole("link", { name: /Password/ }).click();
    expect(await element.focused()).toContain("field-password");
    expect(await page.getByLabel("Password", { exact: true }).getAttribute("aria-invalid")).toBe("true");
    expect(await element.requests()).not.toContain("POST /login/");
    expect(await page.evaluate(() => location.hash)).toBe("");
  });

  test("keeps what was typed after a failure, but not the password, and begins empty at another bank", async ({
    element,
    page,
  }) => {
    await element.show();
    await element.logIn("test", "12345", "not this one");
    await element.step("failed");
    expect(await page.getByRole("alert").innerText()).toBe("The user name or the password is not right.");
    expect(await element.focused()).toContain("field-password");
    expect(await page.getByLabel("User name").inputValue()).toBe("12345");
    expect(await page.getByLabel("Password", { exact: true }).inputValue()).toBe("");
    await element.press("Another bank");
    await element.choose("faro_uy");
    await element.step("enteringCredentials");
    expect(await page.locator('[name="username"]').inputValue()).toBe("");
  });

  test("shows a password when it is asked to", async ({ element, page }) => {
    await element.show();
    await element.choose("test");
    const password = page.locator('[name="password"]');
    await password.fill("asdfg");
    await element.press("Show: Password");
    expect(await password.getAttribute("type")).toBe("text");
    expect(await password.inputValue()).toBe("asdfg");
    await element.press("Hide: Password");
    expect(await password.getAttribute("type")).toBe("password");
  });

  test("keeps what was typed while choices are narrowed", async ({ element, page }) => {
    await element.show({ dependentChoices: true });
    await element.choose("puente_co");
    await page.locator('[name="username"]').fill("foreign");
    await page.locator('[name="country_code"]').selectOption("VE");
    const choices = page.locator('[name="type"] option:not([value=""])');
    await expect
      .poll(() => choices.evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value)))
      .toContain("ci");
    expect(await page.locator('[name="username"]').inputValue()).toBe("foreign");
  });
});

describe("logging in again", () => {
  test.for<[how: string, tell: (element: HTMLElement & { username?: unknown }) => void]>([
    ["property", (element) => Object.assign(element, { provider: "test", username: "12345" })],
    ["attribute", (element) => void Object.assign(element, { provider: "test" }).setAttribute("username", "12345")],
  ])(
    "at a known bank, with the user name in the %s, the password is all there is to type",
    async ([, tell], { element, page }) => {
      await element.show({ destinations: false });
      await page.locator("bank-login").evaluate(tell);
      await page.locator("bank-login").evaluate((shown) => shown.focus());
      await element.step("enteringCredentials");
      expect(await page.locator('[name="username"]').inputValue()).toBe("12345");
      expect(await element.focused()).toContain("field-password");
      // What reads the page's HTML finds no user name in the form.
      expect(await page.locator("bank-login form").innerHTML()).not.toContain("12345");
      await page.keyboard.type("gfdsa");
      await page.keyboard.press("Enter");
      await element.step("linked");
    },
  );

  test("after the session has ended is one password away, with what happened said", async ({ element, page }) => {
    const body = { status: "error", message: "Invalid key" };
    await element.show({}, [{ request: "GET /transfer/destinations", number: 1, what: { body } }]);
    await element.logIn("test", "12345", "gfdsa");
    await element.step("failed");
    expect(await page.getByRole("alert").innerText()).toMatch(/^Your session at .+ has ended\. Log in again\.$/);
    expect(await page.locator('[name="username"]').inputValue()).toBe("12345");
    expect(await element.focused()).toContain("field-password");
    // Nothing is sent before the person says so.
    expect((await element.requests()).slice(2)).toEqual(["POST /login/", "GET /transfer/destinations"]);
    await page.keyboard.type("gfdsa");
    await page.keyboard.press("Enter");
    await element.step("linked");
  });
});

describe("a question", () => {
  test("that is asked again says so, and how many answers were sent", async ({ element, page }) => {
    await element.show();
    await element.logIn("quetzal_mx", "otp", "s3creto");
    await element.step("answering");
    expect(await page.getByRole("alert").count()).toBe(0);
    for (const sent of [1, 2]) {
      await element.answer("One-time code", "000000");
      await page.getByRole("alert").getByText(`Answers sent: ${sent}.`).waitFor();
      expect(await page.locator('[name="otp"]').inputValue()).toBe("");
    }
    await element.answer("One-time code", "975310");
    await element.step("linked");
  });

  test.for([
    ["a text", "captcha", "This is needed."],
    ["a choice", "channel", "Choose one of these."],
  ] as const)(
    "that takes %s is heard with its field, and what is wrong with the answer too",
    async ([, username, issue], { element, page }) => {
      await element.show({ provider: "mirador_gt" });
      await element.sendForm(username, "s3creto");
      await element.step("answering");
      const question = await page.locator("#question").innerText();
      expect(question).not.toBe("");
      expect(await focusedDescription(page)).toBe(question);
      await element.press("Continue");
      await page.getByRole("alert").getByRole("link").click();
      expect(await focusedDescription(page)).toBe(`${question} ${issue}`);
    },
  );

  test("counts the time down, and says so aloud now and then", async ({ ownElement }) => {
    const { page } = ownElement;
    await page.clock.install();
    await ownElement.show({ answerTimeout: 90_000 });
    await ownElement.logIn("test", "12345otp", "asdfg");
    await ownElement.step("answering");
    const timer = page.getByRole("timer");
    const aloud = page.locator("section > [role=status]");
    expect(await timer.innerText()).toBe("1:30 left to answer");
    expect(await aloud.innerText()).toBe("");
    await page.clock.runFor(30_000);
    expect(await timer.innerText()).toBe("1:00 left to answer");
    expect(await aloud.innerText()).toBe("1:00 left to answer");
    await page.clock.runFor(5000);
    expect(await aloud.innerText()).toBe("");
    await page.clock.runFor(56_000);
    await ownElement.step("failed");
    expect(await page.getByRole("alert").innerText()).toBe("The time to answer has run out. Log in again.");
    expect(await timer.count()).toBe(0);
  });
});

describe("what a failure leaves to do", () => {
  const replacing = { sessionReplacement: true };
  const [locked, open] = ["The bank has locked this user", "This user has another session open"];

  test.for<[when: string, username: string, settings: object, text: string, verbs: (string | undefined)[]]>([
    ["a locked user", "blocked", {}, locked, ["cancelLink", "changeProvider"]],
    ["a locked user of the only bank", "blocked", { provider: "faro_uy" }, locked, ["cancelLink"]],
    ["another session that may be closed", "sessions", replacing, open, ["cancel", "cancelLink", "replaceSession"]],
    [
      "another session that may be closed, at the only bank",
      "sessions",
      { ...replacing, provider: "faro_uy" },
      open,
      ["cancel", "cancelLink", "replaceSession"],
    ],
    [
      "another session that only the person can close",
      "sessions",
      {},
      "Close it and log in again",
      ["changeProvider", "cancelLink", undefined, "submit"],
    ],
  ])("after %s", async ([, username, settings, text, verbs], { element, page }) => {
    await element.show(settings);
    if (!("provider" in settings)) await element.choose("faro_uy");
    await element.sendForm(username, "s3creto");
    await element.step("failed");
    expect(await page.getByRole("alert").innerText()).toContain(text);
    const offered = page.locator("bank-login button:visible");
    expect(await offered.evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset["verb"]))).toEqual(verbs);
  });
});

describe("what is said aloud", () => {
  test.for([
    [true, "Banco de prueba is connected. Transfer destinations found: 2. This page continues by itself."],
    [false, "Banco de prueba is connected. This page continues by itself."],
  ] as const)(
    "success says what happens now, to the eye as well (destinations: %s)",
    async ([destinations, text], { element, page }) => {
      await element.show({ destinations });
      await element.logIn("test", "12345", "gfdsa");
      await element.step("linked");
      expect(await page.locator(".done p").innerText()).toBe(text);
      expect(await page.getByRole("status").innerText()).toBe(text);
      expect(await element.focused()).toBe("h2#title.");
    },
  );

  test.for<[step: string, request: Fault["request"], text: string]>([
    ["submitting", "POST /login/", "Logging in, up to a minute…"],
    ["loadingDestinations", "GET /transfer/destinations", "Nearly done. Finding where you can transfer to…"],
  ])("a wait is, outside of what is busy: %s", async ([step, request, text], { element, page }) => {
    await element.show({}, [{ request, what: "held" }]);
    await element.logIn("test", "12345", "gfdsa");
    await element.step(step);
    expect(await page.getByRole("status").innerText()).toBe(text);
    expect(await page.locator('bank-login [aria-busy="true"]').count()).toBe(1);
    expect(await page.locator('bank-login [aria-busy="true"] [role="status"]').count()).toBe(0);
    expect(await page.getByText("Banco de prueba").count()).toBeGreaterThan(0);
  });
});
