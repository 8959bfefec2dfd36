import type { Browser, Page } from "playwright-core";
import { BankLogin, defineBankLogin } from "ventanilla/element";
import type { Fault, Path } from "ventanilla/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { generatedPaths } from "../generated-paths.ts";
import { closePages, openChromium } from "./chromium.ts";
import { type Opened, reloadPage } from "./page.ts";
import { serveBuilt } from "./vite.ts";

let browser: Browser;
let served: Awaited<ReturnType<typeof serveBuilt>>;
let opened: Opened | undefined;
let page: Page;
beforeAll(async () => {
  browser = await openChromium();
  served = await serveBuilt("element", "test/browser/element");
});
afterAll(() => Promise.all([closePages(browser), served.close()]));
beforeEach(async () => {
  opened = await reloadPage(opened, browser, served.url);
  page = opened.page;
});

const heldLogin = generatedPaths.link.find(({ faults }) =>
  faults.some(({ request, what }) => request === "POST /login/" && what === "held"),
);

// A bank that asks for one of several devices.
const choiceAsked: Fault[] = [
  {
    request: "GET /provider/{code}/",
    what: {
      body: {
        status: "success",
        provider: {
          name: "Bank",
          country: "UY",
          account_type: [],
          auth_fields: [
            { name: "username", type: "text", interactive: false, optional: false, label_en: "User name" },
            { name: "password", type: "password", interactive: false, optional: false, label_en: "Password" },
            {
              name: "device",
              type: "choice",
              interactive: true,
              optional: false,
              label_en: "Device",
              choices: [{ name: "1", label_en: "Telephone" }],
            },
          ],
        },
      },
    },
  },
  {
    request: "POST /login/",
    what: {
      body: {
        status: "interaction_required",
        key: "3f1c1a5e-7a1d-4f6e-9a39-6d7d5f0b7c11",
        field: "device",
        context: "Which device do you have at hand?",
      },
    },
  },
];

/** The component on the page, at the sandbox, with whatever settings a test is about. */
async function show(settings: object = {}, change: Partial<Path> = {}): Promise<void> {
  const path = { ...generatedPaths.link[0], faults: [], settings, ...change } as Path;
  await page.evaluate((shown) => window.show(shown), path);
}

const step = (name: string) => page.locator(`bank-login [data-step="${name}"]`).waitFor();
const choose = (code: string) => page.locator(`[data-choice="${code}"]`).press("Enter");
const focused = () =>
  page.evaluate(() => {
    const active = document.activeElement?.shadowRoot?.activeElement;
    return active ? `${active.tagName.toLowerCase()}${active.id ? `#${active.id}` : ""}.${active.className}` : "";
  });

/** What assistive technology says about the field that has the focus. */
async function focusedDescription(): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  const isFocused = ({ role, properties = [] }: (typeof nodes)[number]) =>
    ["textbox", "combobox"].includes(role?.value) &&
    properties.some(({ name, value }) => name === "focused" && value.value === true);
  return nodes.find(isFocused)?.description?.value ?? "";
}

/** What stands in all the inputs that are in memory, on the page or off it, once the garbage is collected. */
async function inMemory(): Promise<string[]> {
  // In a task of its own: what is garbage can't be mistaken for something that is on the stack.
  await page.requestGC();
  const session = await page.context().newCDPSession(page);
  const { result } = await session.send("Runtime.evaluate", { expression: "HTMLInputElement.prototype" });
  const { objects } = await session.send("Runtime.queryObjects", { prototypeObjectId: result.objectId ?? "" });
  const values = await session.send("Runtime.callFunctionOn", {
    objectId: objects.objectId ?? "",
    functionDeclaration: "function () { return this.map(({ value }) => value).filter((value) => value !== '') }",
    returnByValue: true,
  });
  await session.detach();
  return values.result.value;
}

async function logIn(provider: string, username: string, password: string): Promise<void> {
  await choose(provider);
  await step("enteringCredentials");
  await page.getByLabel("User name").fill(username);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Log in" }).press("Enter");
}

describe("with the keyboard alone", () => {
  test("a person goes from the list to a session", async () => {
    await show();
    await step("choosingProvider");
    // The way out, the search.
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.type("prueba");
    // The search, the country, the one bank that is left.
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await step("enteringCredentials");
    expect(await focused()).toBe("input#field-username.");
    await page.keyboard.type("12345otp");
    await page.keyboard.press("Tab");
    await page.keyboard.type("asdfg");
    await page.keyboard.press("Enter");
    await step("answering");
    expect(await focused()).toBe("input#field-otp.code");
    await page.keyboard.type("8888");
    await page.keyboard.press("Enter");
    await step("linked");
    expect(await focused()).toBe("h2#title.");
  });

  test("the arrow keys go from the search through the banks, and Enter chooses", async () => {
    await show();
    await page.getByLabel("Search").press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    const second = await page.locator("[data-choice]").nth(1).getAttribute("data-choice");
    expect(
      await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.getAttribute("data-choice")),
    ).toBe(second);
    await page.keyboard.press("Enter");
    await step("enteringCredentials");
  });

  test("the focus shows", async () => {
    await show();
    await step("choosingProvider");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    const outline = await page.locator("#search").evaluate((input) => getComputedStyle(input).outlineWidth);
    expect(outline).toBe("3px");
  });

  test("the focus is not taken from elsewhere on the page", async () => {
    await page.evaluate(() => document.body.append(document.createElement("input")));
    await page.locator("body > input").focus();
    await show();
    await step("choosingProvider");
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("INPUT");
  });
});

describe("a form", () => {
  test("that is sent empty is not sent, and says what is missing, with links to it", async () => {
    await show();
    await choose("test");
    await step("enteringCredentials");
    await page.getByRole("button", { name: "Log in" }).press("Enter");
    const summary = page.getByRole("alert");
    await summary.waitFor();
    expect(await summary.innerText()).toContain("User name: This is needed.");
    expect(await focused()).toContain("field-username");
    await summary.getByRole("link", { name: /Password/ }).click();
    expect(await focused()).toContain("field-password");
    expect(await page.getByLabel("Password", { exact: true }).getAttribute("aria-invalid")).toBe("true");
    expect(await page.evaluate(() => window.requests)).not.toContain("POST /login/");
    expect(await page.evaluate(() => location.hash)).toBe("");
  });

  test("keeps what was typed after a failure, but not the password", async () => {
    await show();
    await logIn("test", "12345", "not this one");
    await step("failed");
    expect(await page.getByRole("alert").innerText()).toBe("The user name or the password is not right.");
    expect(await focused()).toContain("field-password");
    expect(await page.getByLabel("User name").inputValue()).toBe("12345");
    expect(await page.getByLabel("Password", { exact: true }).inputValue()).toBe("");
  });

  test("of another bank begins empty", async () => {
    await show();
    await logIn("test", "12345", "not this one");
    await step("failed");
    await page.getByRole("button", { name: "Another bank" }).press("Enter");
    await choose("faro_uy");
    await step("enteringCredentials");
    expect(await page.locator('[name="username"]').inputValue()).toBe("");
  });

  test("shows a password when it is asked to", async () => {
    await show();
    await choose("test");
    const password = page.locator('[name="password"]');
    await password.fill("asdfg");
    await page.getByRole("button", { name: "Show: Password" }).click();
    expect(await password.getAttribute("type")).toBe("text");
    expect(await password.inputValue()).toBe("asdfg");
    await page.getByRole("button", { name: "Hide: Password" }).click();
    expect(await password.getAttribute("type")).toBe("password");
  });

  test("keeps what was typed while choices are narrowed", async () => {
    await show({ dependentChoices: true });
    await choose("puente_co");
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
  test.each<[how: string, tell: (element: HTMLElement & { username?: unknown }) => void]>([
    ["property", (element) => Object.assign(element, { provider: "test", username: "12345" })],
    ["attribute", (element) => void Object.assign(element, { provider: "test" }).setAttribute("username", "12345")],
  ])("at a known bank, with the user name in the %s, the password is all there is to type", async (_how, tell) => {
    await show({ destinations: false });
    await page.locator("bank-login").evaluate(tell);
    await page.locator("bank-login").evaluate((element) => element.focus());
    await step("enteringCredentials");
    expect(await page.locator('[name="username"]').inputValue()).toBe("12345");
    expect(await focused()).toContain("field-password");
    // What reads the page's HTML finds no user name in the form.
    expect(await page.locator("bank-login form").innerHTML()).not.toContain("12345");
    await page.keyboard.type("gfdsa");
    await page.keyboard.press("Enter");
    await step("linked");
  });

  test("after the session has ended is one password away, with what happened said", async () => {
    const ended: Fault = {
      request: "GET /transfer/destinations",
      number: 1,
      what: { body: { status: "error", message: "Invalid key" } },
    };
    await show({}, { faults: [ended] });
    await logIn("test", "12345", "gfdsa");
    await step("failed");
    expect(await page.getByRole("alert").innerText()).toMatch(/^Your session at .+ has ended\. Log in again\.$/);
    expect(await page.locator('[name="username"]').inputValue()).toBe("12345");
    expect(await focused()).toContain("field-password");
    // Nothing is sent before the person says so.
    expect(await page.evaluate(() => window.requests.slice(2))).toEqual(["POST /login/", "GET /transfer/destinations"]);
    await page.keyboard.type("gfdsa");
    await page.keyboard.press("Enter");
    await step("linked");
    await expect.poll(inMemory).toEqual([]);
  });
});

describe("a question", () => {
  test("takes a code that is pasted, with the keyboard for digits and the system's own filling in", async () => {
    await show();
    await logIn("test", "12345otp", "asdfg");
    await step("answering");
    const code = page.locator('[name="otp"]');
    expect(await code.getAttribute("autocomplete")).toBe("one-time-code");
    expect(await code.getAttribute("inputmode")).toBe("numeric");
    await code.evaluate((input) => {
      const data = new DataTransfer();
      data.setData("text", "8888");
      input.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
      document.execCommand("insertText", false, "8888");
    });
    await page.getByRole("button", { name: "Continue" }).press("Enter");
    await step("linked");
  });

  test("that is asked again says so, and how many answers were sent", async () => {
    await show();
    await logIn("quetzal_mx", "otp", "s3creto");
    await step("answering");
    expect(await page.getByRole("alert").count()).toBe(0);
    for (const sent of [1, 2]) {
      await page.locator('[name="otp"]').fill("000000");
      await page.getByRole("button", { name: "Continue" }).press("Enter");
      await page.getByRole("alert").getByText(`Answers sent: ${sent}.`).waitFor();
      expect(await page.locator('[name="otp"]').inputValue()).toBe("");
    }
    await page.locator('[name="otp"]').fill("975310");
    await page.getByRole("button", { name: "Continue" }).press("Enter");
    await step("linked");
  });

  test.each([
    ["a text", [] as Fault[], "This is needed."],
    ["a choice", choiceAsked, "Choose one of these."],
  ])("that takes %s is heard with its field, and what is wrong with the answer too", async (_what, faults, issue) => {
    await show({}, { faults });
    await logIn("test", "12345otp", "asdfg");
    await step("answering");
    const question = await page.locator("#question").innerText();
    expect(question).not.toBe("");
    expect(await focusedDescription()).toBe(question);
    await page.getByRole("button", { name: "Continue" }).press("Enter");
    await page.getByRole("alert").getByRole("link").click();
    expect(await focusedDescription()).toBe(`${question} ${issue}`);
  });

  test("counts the time down, and says so aloud now and then", async () => {
    onTestFinished(() => page.close());
    await page.clock.install();
    await show({ answerTimeout: 90_000 });
    await logIn("test", "12345otp", "asdfg");
    await step("answering");
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
    await step("failed");
    expect(await page.getByRole("alert").innerText()).toBe("The time to answer has run out. Log in again.");
    expect(await timer.count()).toBe(0);
  });
});

describe("on the page", () => {
  test("the component aborts what is under way when it is taken away, and not when it is moved", async () => {
    if (!heldLogin) throw new Error("No path holds a login.");
    await show({}, { faults: heldLogin.faults });
    await logIn("faro_uy", "plain", "s3creto");
    await step("submitting");
    await page.evaluate(() => {
      const [root, element] = [document.createElement("div"), document.querySelector("bank-login")];
      document.body.append(root);
      if (element) root.append(element);
    });
    await step("submitting");
    expect(await page.evaluate(() => window.aborted)).toEqual([]);
    await page.evaluate(() => document.querySelector("bank-login")?.remove());
    await expect.poll(() => page.evaluate(() => window.aborted)).toEqual(["POST /login/"]);
    expect(await page.evaluate(() => window.requests.filter((sent) => sent === "POST /login/"))).toHaveLength(1);
  });

  test("the events tell each step, each failure and the login, and hold no secret", async () => {
    await show();
    await page.evaluate(() => {
      const told: unknown[] = [];
      Object.assign(window, { told });
      for (const type of ["step", "failure", "login", "cancel"]) {
        document.addEventListener(type, (event) => told.push([type, (event as CustomEvent).detail]));
      }
    });
    await step("choosingProvider");
    await logIn("test", "12345otp", "a-secret-word");
    await step("failed");
    await page.getByLabel("Password", { exact: true }).fill("asdfg");
    await page.getByRole("button", { name: "Log in" }).press("Enter");
    await step("answering");
    await page.locator('[name="otp"]').fill("8888");
    await page.getByRole("button", { name: "Continue" }).press("Enter");
    await step("linked");
    const told = await page.evaluate(() => (window as unknown as { told: unknown[] }).told);
    const failure = {
      code: "wrong_credentials",
      text: "The user name or the password is not right.",
      recovery: "correct",
    };
    expect(told).toEqual([
      ["step", { step: "loadingFields" }],
      ["step", { step: "enteringCredentials" }],
      ["step", { step: "submitting" }],
      ["step", { step: "failed" }],
      ["failure", failure],
      ["step", { step: "submitting" }],
      ["step", { step: "answering" }],
      ["step", { step: "submitting" }],
      ["step", { step: "loadingDestinations" }],
      ["step", { step: "linked" }],
      ["login", { provider: "test" }],
    ]);
    expect(await page.evaluate(() => String(document.querySelector("bank-login")?.key))).toBe("[secret]");
    // Without Lit's markers, which have random digits.
    const html = await page.evaluate(() => document.querySelector("bank-login")?.shadowRoot?.innerHTML);
    expect(html?.replace(/<!--.*?-->/g, "")).not.toMatch(/asdfg|8888/);
  });

  test("closing it ends the flow, and it can begin again", async () => {
    await show();
    await page.getByRole("button", { name: "Close" }).press("Enter");
    await step("cancelled");
    await page.getByRole("button", { name: "Start again" }).press("Enter");
    await step("choosingProvider");
  });

  test("whoever comes next finds nothing of what somebody typed and did not send", async () => {
    await show();
    await step("choosingProvider");
    const form = async () => {
      await page.locator('[data-choice="test"]').press("Enter");
      await step("enteringCredentials");
      return [page.locator('[name="username"]'), page.locator('[name="password"]')] as const;
    };
    for (const field of await form()) await field.fill("a-secret-word");
    await page.getByRole("button", { name: "Close" }).press("Enter");
    await page.getByRole("button", { name: "Start again" }).press("Enter");
    await step("choosingProvider");
    for (const field of await form()) expect(await field.inputValue()).toBe("");
  });

  test.each<[string, () => Promise<unknown>]>([
    ["is closed", () => page.getByRole("button", { name: "Close" }).press("Enter")],
    ["goes back to the banks", () => page.getByRole("button", { name: "Another bank" }).press("Enter")],
    ["begins anew", () => page.evaluate(() => document.querySelector("bank-login")?.restart())],
    [
      "is taken away",
      () =>
        page.evaluate(() => {
          const kept = document.querySelector("bank-login");
          kept?.remove();
          Object.assign(window, { kept });
        }),
    ],
  ])("nothing that was typed and not sent stays in memory when the component %s", async (_what, leaveForm) => {
    await show();
    await choose("test");
    await step("enteringCredentials");
    await page.getByLabel("User name").fill("a-name");
    await page.getByLabel("Password", { exact: true }).fill("a-secret-word");
    expect(await inMemory()).toEqual(expect.arrayContaining(["a-name", "a-secret-word"]));
    await leaveForm();
    await page.locator("bank-login form").waitFor({ state: "detached" });
    await expect.poll(inMemory).toEqual([]);
  });

  test("nothing that was typed stays in memory after the login, nor an answer that was not sent", async () => {
    await show();
    await logIn("test", "12345otp", "asdfg");
    await step("answering");
    await page.getByLabel("One-time code").fill("an-answer");
    expect(await inMemory()).toEqual(expect.arrayContaining(["an-answer"]));
    await page.getByRole("button", { name: "Cancel" }).press("Enter");
    await step("enteringCredentials");
    await expect.poll(inMemory).toEqual(["12345otp"]);
    await page.getByLabel("User name").fill("12345");
    await page.getByLabel("Password", { exact: true }).fill("gfdsa");
    await page.getByRole("button", { name: "Log in" }).press("Enter");
    await step("linked");
    await expect.poll(inMemory).toEqual([]);
  });

  test("the component begins anew when it was taken away and is put back", async () => {
    await show();
    await choose("test");
    await step("enteringCredentials");
    await page.evaluate(async () => {
      const element = document.querySelector("bank-login");
      element?.remove();
      await Promise.resolve();
      await element?.updateComplete;
      document.body.append(element as Element);
    });
    await step("choosingProvider");
  });

  test("no settings are as good as empty ones", async () => {
    await show();
    await page.evaluate(() => {
      const element = document.querySelector("bank-login");
      if (element) Object.assign(element, { destinations: false, settings: undefined });
      element?.restart();
    });
    await step("choosingProvider");
  });

  test("its settings can ask for the destinations, and an attribute that is taken away leaves the usual time", async () => {
    await show();
    await page.evaluate(() => {
      const element = document.querySelector("bank-login");
      if (element) Object.assign(element, { destinations: false, settings: { destinations: true } });
      element?.setAttribute("answer-timeout", "60000");
      element?.removeAttribute("answer-timeout");
      element?.restart();
    });
    await step("choosingProvider");
    await logIn("test", "12345otp", "asdfg");
    await step("answering");
    expect(await page.getByRole("timer").innerText()).toMatch(/^(4:\d\d|5:00) left to answer$/);
    await page.locator('[name="otp"]').fill("8888");
    await page.getByRole("button", { name: "Continue" }).press("Enter");
    await step("linked");
    expect(await page.evaluate(() => window.requests.some((sent) => sent.includes("destinations")))).toBe(true);
  });
});

describe("languages, words and looks", () => {
  test.each([
    ["es-UY", "Elige tu banco"],
    ["pt-BR", "Escolha o seu banco"],
    ["fr", "Choose your bank"],
  ])("in a page in %s it says %s", async (language, title) => {
    await page.evaluate((lang) => document.documentElement.setAttribute("lang", lang), language);
    await show();
    await step("choosingProvider");
    expect(await page.getByRole("heading").innerText()).toBe(title);
  });

  test("the language can change in the middle of a form, and what was typed stays", async () => {
    await show();
    await choose("test");
    await page.locator('[name="username"]').fill("12345");
    await page.evaluate(() => document.querySelector("bank-login")?.setAttribute("locale", "es"));
    await page.getByRole("heading", { name: "Ingresa a Banco de prueba" }).waitFor();
    expect(await page.getByLabel("Contraseña", { exact: true }).count()).toBe(1);
    expect(await page.locator('[name="username"]').inputValue()).toBe("12345");
  });

  test("the language of the page is followed when it changes", async () => {
    await show();
    await step("choosingProvider");
    await page.evaluate(() => document.documentElement.setAttribute("lang", "pt"));
    await page.getByRole("heading", { name: "Escolha o seu banco" }).waitFor();
  });

  test("it says which language its words are in, whatever the page's is", async () => {
    await page.evaluate(() => document.documentElement.setAttribute("lang", "fr"));
    await show();
    const card = page.locator("bank-login section");
    expect(await card.getAttribute("lang")).toBe("en");
    await page.evaluate(() => document.querySelector("bank-login")?.setAttribute("locale", "es-UY"));
    await page.getByRole("heading", { name: "Elige tu banco" }).waitFor();
    expect(await card.getAttribute("lang")).toBe("es");
  });

  test("words of the page's own take the place of the component's", async () => {
    await show();
    await page.evaluate(() => {
      const element = document.querySelector("bank-login");
      if (element) element.texts = { chooseBank: "Where do you bank?" };
    });
    await page.getByRole("heading", { name: "Where do you bank?" }).waitFor();
  });

  test("the search finds a bank by any of its words, and says how many it found", async () => {
    await show();
    await page.getByLabel("Search").fill("QUETZAL");
    expect(await page.locator("[data-choice]").count()).toBe(1);
    expect(await page.getByText("Banks found: 1").count()).toBe(1);
    await page.getByLabel("Search").fill("");
    await page.getByLabel("Country").selectOption({ label: "Peru" });
    const codes = await page
      .locator("[data-choice]")
      .evaluateAll((all) => all.map((one) => one.getAttribute("data-choice")));
    expect(codes.sort()).toEqual(["bcp_pers_pe_mock", "vicuna_pe"]);
  });

  test.each([
    ["of no bank", "XX", ""],
    ["in small letters", "pe", "PE"],
    ["that is taken away", null, ""],
  ])("a country %s shows the banks that its filter tells of", async (_what, country, filtered) => {
    await show();
    await step("choosingProvider");
    await page.evaluate((code) => {
      const element = document.querySelector("bank-login");
      element?.setAttribute("country", "UY");
      if (code === null) element?.removeAttribute("country");
      else element?.setAttribute("country", code);
      return element?.updateComplete;
    }, country);
    expect(await page.getByLabel("Country").inputValue()).toBe(filtered);
    const offered = await page
      .locator('#country option:not([value=""])')
      .evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value));
    const shown = await page.locator("[data-choice] > .quiet").allInnerTexts();
    expect(new Set(shown)).toEqual(new Set(filtered === "" ? offered : [filtered]));
  });

  test("custom properties and parts change the looks, and nothing of the page's styles comes in", async () => {
    await page.addStyleTag({
      content: `button { background: rgb(1, 2, 3) } bank-login { --bank-login-accent: rgb(9, 8, 7) }
        bank-login::part(title) { font-size: 33px }`,
    });
    await show();
    await choose("test");
    const submit = page.locator('[data-verb="submit"]');
    expect(await submit.evaluate((button) => getComputedStyle(button).backgroundColor)).toBe("rgb(9, 8, 7)");
    expect(await page.getByRole("heading").evaluate((title) => getComputedStyle(title).fontSize)).toBe("33px");
  });

  test.each([
    ["light", "dark", "rgb(255, 255, 255)"],
    ["dark", "light", "rgb(21, 25, 34)"],
  ])("theme=%s holds in a system that is %s", async (theme, system, background) => {
    onTestFinished(() => page.close());
    await page.emulateMedia({ colorScheme: system as "light" });
    await show();
    await page.evaluate((name) => document.querySelector("bank-login")?.setAttribute("theme", name), theme);
    const card = page.locator("bank-login section");
    expect(await card.evaluate((section) => getComputedStyle(section).backgroundColor)).toBe(background);
  });
});

test("of 50,000 banks those are on the page that a person comes to, and a search finds the last one", async () => {
  const providers = Array.from({ length: 50_000 }, (_, number) => ({
    code: `bank_${number}`,
    country: "UY",
    name: `Banco Número ${number}`,
  }));
  await show({}, { faults: [{ request: "GET /provider/", what: { body: { status: "success", providers } } }] });
  const banks = page.locator("[data-choice]");
  await banks.nth(49).waitFor();
  expect(await banks.count()).toBeLessThan(200);
  await banks.last().scrollIntoViewIfNeeded();
  await expect.poll(() => banks.count()).toBeGreaterThan(50);
  await page.getByLabel("Search").fill("49999 numero");
  expect(await banks.count()).toBe(1);
});

describe("what a failure leaves to do", () => {
  const offered = () =>
    page
      .locator("bank-login button:visible")
      .evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset["verb"]));

  test.each<[string, string, object, string, string[]]>([
    ["a locked user", "blocked", {}, "The bank has locked this user", ["cancelLink", "changeProvider"]],
    [
      "a locked user of the only bank",
      "blocked",
      { provider: "faro_uy" },
      "The bank has locked this user",
      ["cancelLink"],
    ],
    [
      "another session that may be closed",
      "sessions",
      { sessionReplacement: true },
      "This user has another session open",
      ["cancel", "cancelLink", "replaceSession"],
    ],
    [
      "another session that may be closed, at the only bank",
      "sessions",
      { sessionReplacement: true, provider: "faro_uy" },
      "This user has another session open",
      ["cancel", "cancelLink", "replaceSession"],
    ],
    [
      "another session that only the person can close",
      "sessions",
      {},
      "Close it and log in again",
      ["changeProvider", "cancelLink", undefined, "submit"] as string[],
    ],
  ])("after %s", async (_what, username, settings, text, verbs) => {
    await show(settings);
    const isChosen = "provider" in settings;
    if (!isChosen) await choose("faro_uy");
    await step("enteringCredentials");
    await page.locator('[name="username"]').fill(username);
    await page.locator('[name="password"]').fill("s3creto");
    await page.getByRole("button", { name: "Log in" }).click();
    await step("failed");
    expect(await page.getByRole("alert").innerText()).toContain(text);
    expect(await offered()).toEqual(verbs);
  });

  test("closing the other session logs in", async () => {
    await show({ sessionReplacement: true });
    await choose("faro_uy");
    await page.locator('[name="username"]').fill("sessions");
    await page.locator('[name="password"]').fill("s3creto");
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("button", { name: "Close the other session and log in" }).click();
    await step("linked");
  });
});

test.each([
  [true, "Banco de prueba is connected. Transfer destinations found: 2. This page continues by itself."],
  [false, "Banco de prueba is connected. This page continues by itself."],
])("success says what happens now, to the eye and to the ear (destinations: %s)", async (destinations, text) => {
  await show({ destinations });
  await logIn("test", "12345", "gfdsa");
  await step("linked");
  expect(await page.locator(".done p").innerText()).toBe(text);
  expect(await page.getByRole("status").innerText()).toBe(text);
  expect(await focused()).toBe("h2#title.");
});

test("the destinations that are waited for are said, and the bank that they are at", async () => {
  await show({}, { faults: [{ request: "GET /transfer/destinations", what: "held" }] });
  await logIn("test", "12345", "gfdsa");
  await step("loadingDestinations");
  expect(await page.getByRole("status").innerText()).toBe("Nearly done. Finding where you can transfer to…");
  expect(await page.locator("[part=provider]").innerText()).toBe("Banco de prueba");
});

test("what is waited for is said outside of what is busy", async () => {
  await show({}, { faults: heldLogin?.faults ?? [] });
  await logIn("faro_uy", "plain", "s3creto");
  await step("submitting");
  expect(await page.getByRole("status").innerText()).toBe("Logging in, up to a minute…");
  expect(await page.locator('bank-login [aria-busy="true"]').count()).toBe(1);
  expect(await page.locator('bank-login [aria-busy="true"] [role="status"]').count()).toBe(0);
});

test("without a relay it says once what to set, and says nothing where the relay comes a little later", async () => {
  const told: string[] = [];
  onTestFinished(() => page.close());
  page.on("console", (message) => told.push(`${message.type()}: ${message.text()}`));
  await page.clock.install();
  await page.evaluate(async () => {
    const [without, late] = [document.createElement("bank-login"), document.createElement("bank-login")];
    document.body.append(without, late);
    await late.updateComplete;
    late.relay = "/bank/";
    // A second update of the one that has none.
    without.locale = "es";
    await without.updateComplete;
  });
  await page.clock.runFor(5000);
  const warning = 'warning: <bank-login> shows nothing without a relay. Set its address: <bank-login relay="/bank/">.';
  await expect.poll(() => told.filter((text) => text.includes("relay"))).toEqual([warning]);
});

test("on a server, where there is no page, it has no step, no key and nothing to show", () => {
  defineBankLogin();
  const element = new BankLogin();
  expect([element.step, element.key]).toEqual([undefined, undefined]);
});

test("React and Vue set its properties and hear its events", async () => {
  await page.goto(new URL("frameworks.html", served.url).href);
  for (const [framework, submit] of [
    ["react", "Ingresar"],
    ["vue", "Entrar"],
  ] as const) {
    const element = page.locator(`#${framework}`);
    await element.locator('[name="username"]').fill("12345");
    await element.locator('[name="password"]').fill("gfdsa");
    await element.getByRole("button", { name: submit, exact: true }).press("Enter");
    await element.locator('[data-step="linked"]').waitFor();
  }
  expect(await page.evaluate(() => window.requests)).toEqual(["react: test", "vue: test"]);
});

test("it tells its lifecycle to whoever inspects it", async () => {
  await page.goto(new URL("lifecycle.html", served.url).href);
  await page.locator('[name="username"]').fill("12345");
  await page.locator('[name="password"]').fill("gfdsa");
  await page.getByRole("button", { name: "Log in" }).press("Enter");
  await step("linked");
  expect(await page.evaluate(() => window.requests)).toEqual(["login.started test", "login.finished test"]);
});
