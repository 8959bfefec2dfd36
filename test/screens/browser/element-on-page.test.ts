import type { Page } from "playwright-core";
import { BankLogin, defineBankLogin } from "ventanilla/element";
import { describe, expect } from "vitest";
import { generatedPaths } from "../../generated-paths.ts";
import { asWords } from "../../leaks/canaries.ts";
import { test } from "./element-page.ts";
import { listWronglyShown } from "./wrongly-shown.ts";

/** The values of all inputs in memory, on the page or off it, after a garbage collection. */
async function readValuesInMemory(page: Page): Promise<string[]> {
  // In a task of its own, so that no garbage is on the stack.
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

describe("the component", () => {
  test("aborts its request when it is removed, and not when it is moved", async ({ element, page }) => {
    await element.show({}, [{ request: "POST /login/", what: "held" }]);
    await element.logIn("faro_uy", "plain", "s3creto");
    await element.waitForState("submitting");
    const component = await page.locator("bank-login").elementHandle();
    await component?.evaluate((shown) => document.body.appendChild(document.createElement("div")).append(shown));
    await element.waitForState("submitting");
    expect(await page.evaluate(() => window.aborted)).toEqual([]);
    await component?.evaluate((shown) => (shown as HTMLElement).remove());
    await expect.poll(() => page.evaluate(() => window.aborted)).toEqual(["POST /login/"]);
    expect((await element.readRequests()).filter((sent) => sent === "POST /login/")).toHaveLength(1);
  });

  test("logs in where nothing is laid out, as in jsdom", async ({ open, url }) => {
    const screen = await open(url);
    await screen.page.evaluate(() => {
      for (const name of ["CSS", "IntersectionObserver"]) Reflect.deleteProperty(window, name);
      for (const name of ["animate", "scrollIntoView"]) Reflect.deleteProperty(Element.prototype, name);
    });
    await screen.show();
    await screen.logIn("faro_uy", "plain", "not this one");
    await screen.waitForState("failed");
    await screen.submit({ password: "s3creto" });
    await screen.waitForState("linked");
    expect(screen.consoleErrors).toEqual([]);
  });

  test("keeps what is typed from the page's shortcuts, and no other key", async ({ element, page }) => {
    await element.showForm("test");
    const heard = await page.evaluateHandle(() => {
      const heard: string[] = [];
      // The page sees the component in place of the field.
      const listen = (event: KeyboardEvent) => {
        if ((event.target as Element).matches("input")) return;
        heard.push(event.key);
        if (event.key.length === 1) event.preventDefault();
      };
      for (const type of ["keydown", "keypress"] as const) document.body.addEventListener(type, listen);
      return heard;
    });
    await page.locator('[name="username"]').focus();
    for (const key of ["?", "a", "Control+k", "Escape"]) await page.keyboard.press(key);
    expect(await element.valueOf("username")).toBe("?a");
    expect(await heard.jsonValue()).toEqual(["Control", "k", "Escape"]);
    // What Chrome sends when it fills in a form has no key.
    await page
      .locator('[name="username"]')
      .evaluate((field) => field.dispatchEvent(new Event("keydown", { bubbles: true })));
    expect(element.consoleErrors).toEqual([]);
  });

  test("as a popover shows only while it is open", async ({ element, page }) => {
    await element.show();
    await element.waitForState("choosingProvider");
    const component = page.locator("bank-login");
    await component.evaluate((shown) => shown.setAttribute("popover", ""));
    expect(await component.isVisible()).toBe(false);
    await component.evaluate((shown) => (shown as HTMLElement).showPopover());
    expect(await component.isVisible()).toBe(true);
  });

  test("starts again when it is removed and added again", async ({ element, page }) => {
    await element.showForm("test");
    await page.locator("bank-login").evaluate(async (shown: BankLogin) => {
      shown.remove();
      await Promise.resolve();
      await shown.updateComplete;
      document.body.append(shown);
    });
    await element.waitForState("choosingProvider");
  });

  test("sends an event for each state, each failure, the login and its end, without a secret", async ({
    element,
    page,
  }) => {
    await element.show({ destinations: true });
    await element.waitForState("choosingProvider");
    const events = await page.locator("bank-login").evaluateHandle((shown) => {
      const events: unknown[] = [];
      for (const type of ["state", "failure", "login", "cancel"]) {
        shown.addEventListener(type, (event) => events.push([type, (event as CustomEvent).detail]));
      }
      return events;
    });
    await element.logIn("test", "12345otp", "a-secret-word");
    await element.waitForState("failed");
    await element.submit({ password: "asdfg" });
    await element.answer("8888");
    await element.waitForState("linked");
    const text = "The user name, the password or another detail is not right. Check them and try again.";
    expect(await events.jsonValue()).toEqual([
      ["state", { state: "loadingFields" }],
      ["state", { state: "idle" }],
      ["state", { state: "submitting" }],
      ["state", { state: "failed" }],
      ["failure", { code: "wrong_credentials", text, recovery: "correct" }],
      ["state", { state: "submitting" }],
      ["state", { state: "awaitingInteraction" }],
      ["state", { state: "submitting" }],
      ["state", { state: "loadingDestinations" }],
      ["state", { state: "linked" }],
      ["login", { id: expect.stringMatching(/^[\da-f-]{36}$/), provider: "test" }],
    ]);
    expect(await page.locator("bank-login").evaluate((shown: BankLogin) => String(shown.key))).toBe("[secret]");
    // Without Lit's markers, which have random digits.
    const html = await page.evaluate(() => document.querySelector("bank-login")?.shadowRoot?.innerHTML);
    expect(html?.replace(/<!--.*?-->/g, "")).not.toMatch(asWords("asdfg", "8888"));
    await page.locator("bank-login").evaluate((shown: BankLogin) => shown.restart());
    await element.pressNamed("Close");
    await element.waitForState("cancelled");
    expect((await events.jsonValue()).slice(-2)).toEqual([
      ["state", { state: "cancelled" }],
      ["cancel", {}],
    ]);
  });

  test("closed in a dialog, sends its `cancel` to its own listeners alone", async ({ element, page }) => {
    await element.show();
    await element.waitForState("choosingProvider");
    const heard = await page.locator("bank-login").evaluateHandle((shown) => {
      const [dialog, heard] = [document.createElement("dialog"), [] as string[]];
      shown.replaceWith(dialog);
      dialog.append(shown);
      dialog.showModal();
      for (const target of [shown, dialog])
        target.addEventListener("cancel", ({ currentTarget }) => heard.push((currentTarget as Element).localName));
      return heard;
    });
    await element.pressNamed("Close");
    await element.waitForState("cancelled");
    expect(await heard.jsonValue()).toEqual(["bank-login"]);
    await page.keyboard.press("Escape");
    await expect.poll(() => heard.jsonValue()).toEqual(["bank-login", "dialog"]);
  });

  test("gives `inspect` the statechart's events, from which each lifecycle event follows once, and no secret", async ({
    element,
    page,
  }) => {
    await element.show({ provider: "test" });
    const inspected = await page.locator("bank-login").evaluateHandle((shown: BankLogin) => {
      const [seen, lifecycle]: string[][] = [[], []];
      const recordLifecycle = window.lifecycleTelemetry(({ type }) => lifecycle?.push(type));
      const inspect: BankLogin["inspect"] = (event) => {
        recordLifecycle(event);
        seen?.push(JSON.stringify("event" in event ? event.event : {}));
      };
      const { client } = shown;
      shown.replaceWith(Object.assign(document.createElement("bank-login"), { client, provider: "test", inspect }));
      return { seen, lifecycle };
    });
    await element.submit({ username: "12345otp", password: "gfdsa" });
    await element.waitForState("failed");
    await element.submit({ password: "asdfg" });
    await element.answer("8888");
    await element.waitForState("linked");
    const { seen = [], lifecycle } = await inspected.jsonValue();
    expect(lifecycle).toEqual([
      "login.started",
      "login.failed",
      "login.started",
      "interaction.required",
      "interaction.answered",
      "login.finished",
    ]);
    expect(seen.join()).toContain("credentials.submit");
    expect(seen.join()).not.toMatch(asWords("12345otp", "gfdsa", "asdfg", "8888"));
  });

  test("takes no settings like empty ones, `destinations` from them, and the default of a removed attribute", async ({
    element,
    page,
  }) => {
    await element.show();
    const restart = (settings: object | undefined) =>
      page.locator("bank-login").evaluate((shown: BankLogin, settings) => {
        Object.assign(shown, { destinations: false, settings: settings ?? undefined });
        shown.setAttribute("answer-timeout", "60000");
        shown.removeAttribute("answer-timeout");
        shown.restart();
      }, settings);
    await restart(undefined);
    await element.waitForState("choosingProvider");
    await restart({ destinations: true });
    await element.logIn("test", "12345otp", "asdfg");
    await element.waitForState("awaitingInteraction");
    // Five minutes, and not the one of the attribute, whose time would show.
    expect(await page.getByRole("timer").count()).toBe(0);
    await element.answer("8888");
    await element.waitForState("linked");
    expect(await element.readRequests()).toContain("GET /transfer/destinations");
  });

  test("warns once if it has no relay, but not if it gets one soon", async ({ open, url }) => {
    const { page, consoleErrors } = await open(url);
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
    const warning = '<bank-login> shows nothing without a relay. Set its address: <bank-login relay="/bank/">.';
    await expect.poll(() => consoleErrors.filter((text) => text.includes("relay"))).toEqual([warning]);
  });

  // Chrome 119, the last one for Android 7, and Safari 16 lack both.
  test("works without URL.canParse, and has its colours without light-dark()", async ({ open, url }) => {
    const element = await open(url);
    await element.page.evaluate(() => Reflect.deleteProperty(URL, "canParse"));
    await element.showForm("test");
    const style = await element.page.locator("bank-login").evaluate(({ shadowRoot }) => {
      const [theme] = shadowRoot?.adoptedStyleSheets ?? [];
      return theme?.cssRules[0]?.cssText;
    });
    expect(style).toMatch(/^:host \{.* --line: var\(--bank-login-line, #\w+\)/);
  });

  test("starts again after Back to a finished login, and goes on after Back to another step", async ({
    element,
    page,
  }) => {
    const comeBack = () =>
      page.evaluate(() => {
        dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
        return document.querySelector("bank-login")?.updateComplete;
      });
    await element.showForm("test");
    await comeBack();
    await element.waitForState("idle");
    await element.submit({ username: "12345", password: "gfdsa" });
    await element.waitForState("linked");
    await comeBack();
    await element.waitForState("choosingProvider");
    expect(await page.locator("bank-login").evaluate((shown: BankLogin) => shown.key)).toBeUndefined();
  });

  test("has no state and no key on a server", () => {
    defineBankLogin();
    const shown = new BankLogin();
    expect([shown.state, shown.key]).toEqual([undefined, undefined]);
  });

  test("has every Boolean off without its attribute and at the text `false`, and on at any other", async ({ page }) => {
    const wrong = await page.evaluate(() => {
      const shown = document.createElement("bank-login");
      const names = Object.keys((customElements.get("bank-login") as typeof BankLogin).properties);
      const flags = names.filter((name) => typeof Reflect.get(shown, name) === "boolean");
      const wrong = flags.length > 5 ? [] : ["few flags"];
      const expectOf = (name: string, value: unknown, expected: boolean) => {
        if (Reflect.get(shown, name) !== expected) wrong.push(`${name} after ${value}`);
      };
      for (const name of flags) {
        const attribute = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
        for (const value of ["", "false", "true", "False", "0", "no", "FALSE", attribute]) {
          shown.setAttribute(attribute, value);
          expectOf(name, `the attribute ${value}`, value.toLowerCase() !== "false");
          shown.removeAttribute(attribute);
          expectOf(name, "no attribute", false);
          Reflect.set(shown, name, value);
          expectOf(name, `the property ${value}`, value.toLowerCase() !== "false");
        }
        for (const value of [true, false, undefined, null]) {
          Reflect.set(shown, name, value);
          expectOf(name, value, value === true);
        }
      }
      return wrong;
    });
    expect(wrong).toEqual([]);
  });

  test("has no box while it is hidden, whatever the page's style says", async ({ element, page }) => {
    await element.showForm("test");
    await page.addStyleTag({ content: "bank-login { display: grid }" });
    await page.locator("bank-login").evaluate((shown) => shown.setAttribute("hidden", ""));
    expect(await page.evaluate(listWronglyShown, undefined)).toEqual([]);
  });

  test("takes its properties from React and Vue, and sends them its events", async ({ open, url }) => {
    const { page } = await open(new URL("?frameworks", url).href);
    for (const framework of ["react", "vue"]) {
      const shown = page.locator(`#${framework}`);
      await shown.locator('[name="username"]').fill("12345");
      await shown.locator('[name="password"]').fill("gfdsa");
      const submit = { react: "Ingresar", vue: "Entrar" }[framework] ?? "";
      await shown.getByRole("button", { name: submit, exact: true }).press("Enter");
      await shown.locator('[data-state="linked"]').waitFor();
    }
    expect(await page.evaluate(() => window.requests)).toEqual(["react: test", "vue: test"]);
    const readFlags = (all: BankLogin[]) => all.map((shown) => [shown.sessionReplacement, shown.destinations]);
    expect(await page.locator("bank-login").evaluateAll(readFlags)).toEqual([
      [false, false],
      [false, false],
    ]);
  });
});

describe("what was typed and not submitted", () => {
  test("is not shown to the next person", async ({ element }) => {
    await element.show();
    for (const _ of ["first person", "next person"]) {
      await element.choose("test");
      await element.waitForState("idle");
      expect([await element.valueOf("username"), await element.valueOf("password")]).toEqual(["", ""]);
      await element.fill({ username: "a-secret-word", password: "a-secret-word" });
      await element.pressNamed("Close");
      await element.pressNamed("Start again");
    }
  });

  test("is dropped when the person leaves the page, which the browser may keep, and nothing is revealed", async ({
    element,
    page,
  }) => {
    const leave = () => page.evaluate(() => dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true })));
    await element.showForm("test");
    await element.fill({ username: "12345otp", password: "asdfg" });
    await element.pressNamed("Show: Password");
    await leave();
    expect([await element.valueOf("username"), await element.valueOf("password")]).toEqual(["", ""]);
    expect(await page.locator('[name="password"]').getAttribute("type")).toBe("password");
    // A question stays, without the answer.
    await element.submit({ username: "12345otp", password: "asdfg" });
    await element.waitForState("awaitingInteraction");
    await element.fill({ otp: "8888" });
    await leave();
    expect(await element.valueOf("otp")).toBe("");
    await expect.poll(() => readValuesInMemory(page)).toEqual([]);
    await element.answer("8888");
    await element.waitForState("linked");
  });

  test("is dropped with the page, and the user name that the page knows is there again", async ({ element, page }) => {
    await element.show({ provider: "test" });
    await element.waitForState("idle");
    await page.locator("bank-login").evaluate((shown: BankLogin) => {
      shown.username = "12345";
      return shown.updateComplete;
    });
    await element.fill({ username: "another" });
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true })));
    expect(await element.valueOf("username")).toBe("12345");
  });

  // Each in a component of its own that stays; in one test, because looking through the memory takes longest.
  const ends: ((shown: BankLogin) => void)[] = [
    (shown) => shown.shadowRoot?.querySelector<HTMLElement>('[data-verb="cancelLink"]')?.click(),
    (shown) => shown.shadowRoot?.querySelector<HTMLElement>('[data-verb="changeProvider"]')?.click(),
    (shown) => shown.restart(),
    (shown) => shown.remove(),
  ];

  test("leaves the memory when the component is closed, returns to the banks, restarts or is removed", async ({
    element,
    page,
  }) => {
    await element.show();
    await element.waitForState("choosingProvider");
    const components = page.locator("bank-login");
    await components.evaluate((first: BankLogin, count) => {
      const { client } = first;
      for (let i = 1; i < count; i++)
        document.body.append(Object.assign(document.createElement("bank-login"), { client }));
      // Removed components stay in memory.
      Object.assign(window, { components: [...document.querySelectorAll("bank-login")] });
    }, ends.length);
    for (const [index] of ends.entries()) {
      const component = components.nth(index);
      await component.locator('[data-choice="test"]').press("Enter");
      await component.getByLabel("User name").fill(`name ${index}`);
      await component.getByLabel("Password", { exact: true }).fill(`secret ${index}`);
    }
    const typed = ends.flatMap((_, index) => [`name ${index}`, `secret ${index}`]);
    expect(await readValuesInMemory(page)).toEqual(expect.arrayContaining(typed));
    for (const [index, end] of ends.entries()) await components.nth(index).evaluate(end);
    await page.locator("bank-login form").first().waitFor({ state: "detached" });
    await expect.poll(() => readValuesInMemory(page)).toEqual([]);
  });

  test("leaves the memory after the login, and so does an answer", async ({ element, page }) => {
    await element.show();
    await element.logIn("test", "12345otp", "asdfg");
    await element.waitForState("awaitingInteraction");
    await element.fill({ otp: "an-answer" });
    await element.pressNamed("Cancel and go back");
    await element.waitForState("idle");
    await expect.poll(() => readValuesInMemory(page)).toEqual(["12345otp"]);
    await element.submit({ username: "12345", password: "gfdsa" });
    await element.waitForState("linked");
    await expect.poll(() => readValuesInMemory(page)).toEqual([]);
  });
});

describe("the words", () => {
  test.for([
    ["es-UY", "es", "Elija su banco"],
    ["pt-BR", "pt", "Escolha seu banco"],
    ["xx", "en", "Choose your bank"],
  ] as const)("in a component of a page in %s are in %s", async ([language, locale, title], { element, page }) => {
    await page.evaluate((lang) => document.documentElement.setAttribute("lang", lang), language);
    await element.show();
    await page.locator("main").evaluate((main) => {
      main.attachShadow({ mode: "open" }).append(...main.children);
      main.setAttribute("dir", "rtl");
    });
    await page.getByRole("heading", { name: title }).waitFor();
    const readText = ({ lang, dir, translate }: HTMLElement) => [lang, dir, translate];
    expect(await page.locator("bank-login section").evaluate(readText)).toEqual([locale, "ltr", false]);
  });

  test("follow the language of the page and first their own locale; what was typed stays", async ({
    element,
    page,
  }) => {
    await element.showForm("test");
    await element.fill({ username: "12345" });
    await page.evaluate(() => document.documentElement.setAttribute("lang", "pt"));
    await page.getByRole("heading", { name: "Entre em Banco de prueba" }).waitFor();
    await page.locator("bank-login").evaluate((shown) => shown.setAttribute("locale", "es"));
    await page.getByRole("heading", { name: "Ingrese a Banco de prueba" }).waitFor();
    expect(await page.getByLabel("Contraseña", { exact: true }).count()).toBe(1);
    expect(await element.valueOf("username")).toBe("12345");
  });

  test("can be the page's own", async ({ element, page }) => {
    await element.show();
    await page.locator("bank-login").evaluate((shown) => {
      Object.assign(shown, { texts: { component: { chooseBank: "Where do you bank?" } } });
    });
    await page.getByRole("heading", { name: "Where do you bank?" }).waitFor();
  });

  test("can be a fourth one, by its words", async ({ element, page }) => {
    await element.showForm("test");
    await page.locator("bank-login").evaluate((shown) => {
      const texts = { labels: { password: "Mot de passe" }, component: { logIn: "Se connecter" } };
      Object.assign(shown, { locale: "xx-CA", texts });
    });
    await page.getByRole("button", { name: "Se connecter" }).waitFor();
    expect(await page.locator("bank-login [part=card]").getAttribute("lang")).toBe("xx");
  });

  test.for([
    ["above a form", "B1001", "form .failure"],
    ["in the place of one", "B1011", ".message.failure"],
  ] as const)(
    "of the bank have no language %s, so a screen reader uses the person's voice",
    async ([, code, box], { element, page }) => {
      const description = "Comuníquese con su banco.";
      await element.showForm("test", {}, [
        { request: "POST /login/", what: { body: { status: "error", code, description } } },
      ]);
      await element.submit({ username: "12345", password: "gfdsa" });
      await page.getByText(description).waitFor();
      const read = (paragraphs: HTMLElement[]) => paragraphs.map((one) => [one.getAttribute("lang"), one.innerText]);
      const [ours, its] = await page.locator(`${box} p`).evaluateAll(read);
      expect(ours?.[0]).toBeNull();
      expect(its).toEqual(["", description]);
    },
  );
});

describe("the list of banks", () => {
  test("takes clicks as soon as it shows, but not those of a double click that brought it", async ({
    element,
    page,
  }) => {
    await element.show();
    await element.waitForState("choosingProvider");
    const bank = page.locator("[data-choice]").first();
    const takesClicks = () => bank.evaluate((button) => getComputedStyle(button).pointerEvents === "auto");
    expect(await takesClicks()).toBe(true);
    await page.locator('[data-verb="cancelLink"]').click();
    await page.locator('[data-verb="again"]').waitFor();
    // In the frame in which the list shows: from outside, a busy machine may look when the half second is over.
    const atFirst = page.locator("bank-login").evaluate(
      ({ shadowRoot }) =>
        new Promise((resolve) => {
          const look = () => {
            const button = shadowRoot?.querySelector("[data-choice]");
            if (button) resolve(getComputedStyle(button).pointerEvents);
            else requestAnimationFrame(look);
          };
          look();
        }),
    );
    await page.locator('[data-verb="again"]').click();
    expect(await atFirst).toBe("none");
    await expect.poll(takesClicks).toBe(true);
  });

  test("has its countries in the order of their names", async ({ element, page }) => {
    await element.show();
    await page.locator("bank-login").evaluate((shown) => shown.setAttribute("locale", "es"));
    const readCountries = () => page.locator("#country option").allInnerTexts();
    await expect.poll(async () => (await readCountries())[0]).toBe("País");
    const [, ...names] = await readCountries();
    expect(names).toEqual([...names].sort((one, other) => one.localeCompare(other, "es")));
    expect(names.indexOf("República Dominicana")).toBeGreaterThan(names.indexOf("Perú"));
  });

  test("without a result leads on: to all countries, to an empty search, and to what the page offers", async ({
    element,
    page,
  }) => {
    await element.showBanks();
    const missing = await page.locator("bank-login").evaluateHandle((shown: BankLogin) => {
      shown.insertAdjacentHTML("beforeend", '<a slot="bank-missing" href="/help">My bank is not here</a>');
      const missing: unknown[] = [];
      shown.addEventListener("bank-missing", ({ detail }) => missing.push(detail));
      return missing;
    });
    const search = page.getByLabel("Search", { exact: true });
    const all = await page.locator("[data-choice]").count();
    await expect.poll(() => page.getByText("My bank is not here").isVisible()).toBe(false);
    await page.getByLabel("Country").selectOption({ label: "Peru" });
    await search.fill("quetzal");
    await page.getByText("My bank is not here").waitFor();
    expect(await missing.jsonValue()).toEqual([]);
    await search.press("Enter");
    expect(await missing.jsonValue()).toEqual([{ text: "quetzal", country: "PE" }]);
    await page.getByRole("button", { name: "Search in all countries" }).click();
    await expect.poll(() => page.locator("[data-choice]").count()).toBe(1);
    expect(await element.readFocus()).toBe("input#search.");
    await search.fill("nothing like it");
    await page.getByRole("button", { name: "Clear the search" }).waitFor();
    expect(await page.getByRole("button", { name: "Search in all countries" }).count()).toBe(0);
    await page.getByRole("button", { name: "Clear the search" }).click();
    await expect.poll(() => page.locator("[data-choice]").count()).toBe(all);
    expect(await search.inputValue()).toBe("");
    expect(await element.readFocus()).toBe("input#search.");
  });

  test("finds banks by their country and by the names that the page gives them", async ({ element, page }) => {
    await element.show();
    const readBanks = () =>
      page.locator("[data-choice]").evaluateAll((all) => all.map((one) => one.getAttribute("data-choice")).sort());
    await page.getByLabel("Search").fill("peru");
    await expect.poll(readBanks).toEqual(["bcp_pers_pe_mock", "vicuna_pe"]);
    await page.locator("bank-login").evaluate((shown: BankLogin) => {
      shown.aliases = { faro_uy: ["Bancomer"] };
    });
    await page.getByLabel("Search").fill("bancomer");
    await expect.poll(readBanks).toEqual(["faro_uy"]);
  });

  test("is no tab stop of its own, even where it scrolls", async ({ element, page }) => {
    await element.show();
    expect(await page.locator(".banks").getAttribute("tabindex")).toBe("-1");
  });

  test("shows the bank that was chosen again after going back, with the focus on it", async ({ element, page }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await element.show();
    const last = page.locator("[data-choice]").last();
    const code = await last.getAttribute("data-choice");
    await last.press("Enter");
    await element.waitForState("idle");
    await element.press("changeProvider");
    await element.waitForState("choosingProvider");
    const back = page.locator(`[data-choice="${code}"]`);
    expect(await back.evaluate((bank) => bank.matches(":focus"))).toBe(true);
    expect(await page.locator(".banks").evaluate((list) => list.scrollTop)).toBeGreaterThan(0);
    const isInSight = (bank: Element) => {
      const [inner, outer] = [bank, bank.closest("ul") as Element].map((part) => part.getBoundingClientRect());
      return inner !== undefined && outer !== undefined && inner.top >= outer.top && inner.bottom <= outer.bottom;
    };
    expect(await back.evaluate(isInSight)).toBe(true);
  });

  test("is searched by any word and filtered by country, and says how many banks match", async ({ element, page }) => {
    await element.show();
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

  test.for([
    ["without banks", "XX", ""],
    ["in small letters", "pe", "PE"],
    ["that is removed", null, ""],
  ] as const)("takes its first filter from `country`: one %s", async ([, country, filter], { element, page }) => {
    await element.show();
    await element.waitForState("choosingProvider");
    await page.locator("bank-login").evaluate((shown: BankLogin, country) => {
      shown.setAttribute("country", "UY");
      if (country === null) shown.removeAttribute("country");
      else shown.setAttribute("country", country);
      return shown.updateComplete;
    }, country);
    expect(await page.getByLabel("Country").inputValue()).toBe(filter);
    const countries = await page.locator('#country option:not([value=""])').allInnerTexts();
    // A list of one country does not name it in each row.
    const named = await page.locator("[data-choice] .quiet").allInnerTexts();
    expect(new Set(named)).toEqual(new Set(filter === "" ? countries : []));
    const banks = ["Caja Vicuña", "Banco Faro"].map((name) => page.getByRole("button", { name }));
    expect(await Promise.all(banks.map((bank) => bank.count()))).toEqual([1, filter === "" ? 1 : 0]);
  });

  test("of 50,000 banks draws those that a person scrolls to, and a search finds the last one", async ({ page }) => {
    // Created in the page: sending it there would take longer than the test.
    await page.evaluate((path) => {
      const providers = Array.from({ length: 50_000 }, (_, number) => ({
        code: `bank_${number}`,
        country: "UY",
        name: `Banco Número ${number}`,
      }));
      const body = { status: "success", providers };
      return window.show({ ...path, faults: [{ request: "GET /provider/", what: { body } }] });
    }, generatedPaths.link[0]);
    const banks = page.locator("[data-choice]");
    await banks.nth(19).waitFor();
    const drawn = await banks.count();
    expect(drawn).toBeLessThan(80);
    await banks.last().scrollIntoViewIfNeeded();
    await expect.poll(() => banks.count()).toBeGreaterThan(drawn);
    await page.getByLabel("Search").fill("49999 numero");
    expect(await banks.count()).toBe(1);
  });
});

describe("the looks", () => {
  test("change by custom properties and parts, and by no other style of the page", async ({ element, page }) => {
    await page.addStyleTag({
      content: `button { background: rgb(1, 2, 3) } bank-login { --bank-login-accent: rgb(9, 8, 7) }
        bank-login::part(title) { font-size: 33px }`,
    });
    await element.showForm("test");
    const submit = page.locator('[data-verb="submit"]');
    expect(await submit.evaluate((button) => getComputedStyle(button).backgroundColor)).toBe("rgb(9, 8, 7)");
    expect(await page.getByRole("heading").evaluate((title) => getComputedStyle(title).fontSize)).toBe("33px");
  });

  test.for([
    ["light", "dark", "rgb(255, 255, 255)"],
    ["dark", "light", "rgb(21, 25, 34)"],
  ] as const)("are those of theme=%s in a %s system", async ([theme, colorScheme, background], { element, page }) => {
    await page.emulateMedia({ colorScheme });
    await element.show();
    await page.locator("bank-login").evaluate((shown, theme) => shown.setAttribute("theme", theme), theme);
    const card = page.locator("bank-login section");
    expect(await card.evaluate((section) => getComputedStyle(section).backgroundColor)).toBe(background);
  });
});
