import type { Page } from "playwright-core";
import { BankLogin, defineBankLogin } from "ventanilla/element";
import { describe, expect } from "vitest";
import { generatedPaths } from "../generated-paths.ts";
import { test } from "./element-page.ts";

/** What stands in all the inputs that are in memory, on the page or off it, once the garbage is collected. */
async function valuesInMemory(page: Page): Promise<string[]> {
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

test("the component aborts what is under way when it is taken away, and not when it is moved", async ({
  element,
  page,
}) => {
  await element.show({}, [{ request: "POST /login/", what: "held" }]);
  await element.logIn("faro_uy", "plain", "s3creto");
  await element.step("submitting");
  await page.evaluate(() => {
    const [root, shown] = [document.createElement("div"), document.querySelector("bank-login")];
    document.body.append(root);
    if (shown) root.append(shown);
  });
  await element.step("submitting");
  expect(await page.evaluate(() => window.aborted)).toEqual([]);
  await page.evaluate(() => document.querySelector("bank-login")?.remove());
  await expect.poll(() => page.evaluate(() => window.aborted)).toEqual(["POST /login/"]);
  expect((await element.requests()).filter((sent) => sent === "POST /login/")).toHaveLength(1);
});

test("the events tell each step, each failure, the login and its end, and hold no secret", async ({
  element,
  page,
}) => {
  await element.show();
  await element.step("choosingProvider");
  await page.locator("bank-login").evaluate((shown) => {
    const events: unknown[] = [];
    Object.assign(window, { events });
    for (const type of ["step", "failure", "login", "cancel"]) {
      shown.addEventListener(type, (event) => events.push([type, (event as CustomEvent).detail]));
    }
  });
  const events = () => page.evaluate(() => (window as unknown as { events: unknown[] }).events.splice(0));
  await element.logIn("test", "12345otp", "a-secret-word");
  await element.step("failed");
  await element.fill("Password", "asdfg");
  await element.press("Log in");
  await element.answer("One-time code", "8888");
  await element.step("linked");
  const text = "The user name or the password is not right.";
  expect(await events()).toEqual([
    ["step", { step: "loadingFields" }],
    ["step", { step: "enteringCredentials" }],
    ["step", { step: "submitting" }],
    ["step", { step: "failed" }],
    ["failure", { code: "wrong_credentials", text, recovery: "correct" }],
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
  await page.evaluate(() => document.querySelector("bank-login")?.restart());
  await element.press("Close");
  await element.step("cancelled");
  expect((await events()).slice(-2)).toEqual([
    ["step", { step: "cancelled" }],
    ["cancel", {}],
  ]);
});

describe("what was typed and not sent", () => {
  test("is not there for whoever comes next", async ({ element, page }) => {
    await element.show();
    for (const expected of ["", ""]) {
      await element.choose("test");
      await element.step("enteringCredentials");
      for (const name of ["username", "password"]) {
        const field = page.locator(`[name="${name}"]`);
        expect(await field.inputValue()).toBe(expected);
        await field.fill("a-secret-word");
      }
      await element.press("Close");
      await element.press("Start again");
    }
  });

  // Each in a component of its own, which stays; together, since to look through the memory takes longest.
  const ends: ((shown: BankLogin) => void)[] = [
    (shown) => shown.shadowRoot?.querySelector<HTMLElement>('[data-verb="cancelLink"]')?.click(),
    (shown) => shown.shadowRoot?.querySelector<HTMLElement>('[data-verb="changeProvider"]')?.click(),
    (shown) => shown.restart(),
    (shown) => shown.remove(),
  ];

  test("does not stay in memory when the component is closed, goes back to the banks, begins anew or is taken away", async ({
    element,
    page,
  }) => {
    await element.show();
    await element.step("choosingProvider");
    await page.evaluate((count) => {
      const first = document.querySelector("bank-login");
      const others = Array.from({ length: count - 1 }, () =>
        Object.assign(document.createElement("bank-login"), { client: first?.client }),
      );
      document.body.append(...others);
      Object.assign(window, { shown: [first, ...others] });
    }, ends.length);
    const components = page.locator("bank-login");
    for (const [index] of ends.entries()) {
      const component = components.nth(index);
      await component.locator('[data-choice="test"]').press("Enter");
      await component.getByLabel("User name").fill(`name ${index}`);
      await component.getByLabel("Password", { exact: true }).fill(`secret ${index}`);
    }
    const typed = ends.flatMap((_, index) => [`name ${index}`, `secret ${index}`]);
    expect(await valuesInMemory(page)).toEqual(expect.arrayContaining(typed));
    for (const [index, end] of ends.entries()) await components.nth(index).evaluate(end);
    await page.locator("bank-login form").first().waitFor({ state: "detached" });
    await expect.poll(() => valuesInMemory(page)).toEqual([]);
  });

  test("does not stay in memory after the login, nor does an answer", async ({ element, page }) => {
    await element.show();
    await element.logIn("test", "12345otp", "asdfg");
    await element.fill("One-time code", "an-answer");
    await element.press("Cancel");
    await element.step("enteringCredentials");
    await expect.poll(() => valuesInMemory(page)).toEqual(["12345otp"]);
    await element.sendForm("12345", "gfdsa");
    await element.step("linked");
    await expect.poll(() => valuesInMemory(page)).toEqual([]);
  });
});

test("the component begins anew when it was taken away and is put back", async ({ element, page }) => {
  await element.show();
  await element.choose("test");
  await element.step("enteringCredentials");
  await page.evaluate(async () => {
    const shown = document.querySelector("bank-login");
    shown?.remove();
    await Promise.resolve();
    await shown?.updateComplete;
    document.body.append(shown as Element);
  });
  await element.step("choosingProvider");
});

test("no settings are as good as empty ones, they can ask for the destinations, and an attribute that is taken away leaves the usual time", async ({
  element,
  page,
}) => {
  await element.show({ destinations: false });
  const restart = (settings: object | undefined) =>
    page.locator("bank-login").evaluate((shown: BankLogin, given) => {
      Object.assign(shown, { destinations: false, settings: given ?? undefined });
      shown.setAttribute("answer-timeout", "60000");
      shown.removeAttribute("answer-timeout");
      shown.restart();
    }, settings);
  await restart(undefined);
  await element.step("choosingProvider");
  await restart({ destinations: true });
  await element.logIn("test", "12345otp", "asdfg");
  await element.step("answering");
  expect(await page.getByRole("timer").innerText()).toMatch(/^(4:\d\d|5:00) left to answer$/);
  await element.answer("One-time code", "8888");
  await element.step("linked");
  expect(await element.requests()).toContain("GET /transfer/destinations");
});

describe("languages and words", () => {
  test.for([
    ["es-UY", "es", "Elija su banco"],
    ["pt-BR", "pt", "Escolha o seu banco"],
    ["fr", "en", "Choose your bank"],
  ] as const)(
    "in a page in %s its words are in %s, and it says so",
    async ([language, own, title], { element, page }) => {
      await page.evaluate((lang) => document.documentElement.setAttribute("lang", lang), language);
      await element.show();
      await page.getByRole("heading", { name: title }).waitFor();
      expect(await page.locator("bank-login section").getAttribute("lang")).toBe(own);
    },
  );

  test("the language of the page is followed, its own goes first, and what was typed stays", async ({
    element,
    page,
  }) => {
    await element.show();
    await element.choose("test");
    await page.locator('[name="username"]').fill("12345");
    await page.evaluate(() => document.documentElement.setAttribute("lang", "pt"));
    await page.getByRole("heading", { name: "Acesse sua conta em Banco de prueba" }).waitFor();
    await page.evaluate(() => document.querySelector("bank-login")?.setAttribute("locale", "es"));
    await page.getByRole("heading", { name: "Ingrese a Banco de prueba" }).waitFor();
    expect(await page.getByLabel("Contraseña", { exact: true }).count()).toBe(1);
    expect(await page.locator('[name="username"]').inputValue()).toBe("12345");
  });

  test("words of the page's own take the place of the component's", async ({ element, page }) => {
    await element.show();
    await page.evaluate(() => {
      const shown = document.querySelector("bank-login");
      if (shown) shown.texts = { chooseBank: "Where do you bank?" };
    });
    await page.getByRole("heading", { name: "Where do you bank?" }).waitFor();
  });
});

describe("the list of banks", () => {
  test("is searched by any word and by country, and says how many banks it has", async ({ element, page }) => {
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
    ["of no bank", "XX", ""],
    ["in small letters", "pe", "PE"],
    ["that is taken away", null, ""],
  ] as const)(
    "is filtered by a country as its filter tells: a country %s",
    async ([, country, filtered], { element, page }) => {
      await element.show();
      await element.step("choosingProvider");
      await page.evaluate((code) => {
        const shown = document.querySelector("bank-login");
        shown?.setAttribute("country", "UY");
        if (code === null) shown?.removeAttribute("country");
        else shown?.setAttribute("country", code);
        return shown?.updateComplete;
      }, country);
      expect(await page.getByLabel("Country").inputValue()).toBe(filtered);
      const offered = await page
        .locator('#country option:not([value=""])')
        .evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value));
      const shown = await page.locator("[data-choice] > .quiet").allInnerTexts();
      expect(new Set(shown)).toEqual(new Set(filtered === "" ? offered : [filtered]));
    },
  );

  test("of 50,000 holds those on the page that a person comes to, and a search finds the last one", async ({
    page,
  }) => {
    // The list is made in the page: on its way there it would take longer than the test.
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
    await banks.nth(49).waitFor();
    expect(await banks.count()).toBeLessThan(200);
    await banks.last().scrollIntoViewIfNeeded();
    await expect.poll(() => banks.count()).toBeGreaterThan(50);
    await page.getByLabel("Search").fill("49999 numero");
    expect(await banks.count()).toBe(1);
  });
});

describe("looks", () => {
  test("are changed by custom properties and parts, and by nothing else of the page's styles", async ({
    element,
    page,
  }) => {
    await page.addStyleTag({
      content: `button { background: rgb(1, 2, 3) } bank-login { --bank-login-accent: rgb(9, 8, 7) }
        bank-login::part(title) { font-size: 33px }`,
    });
    await element.show();
    await element.choose("test");
    const submit = page.locator('[data-verb="submit"]');
    expect(await submit.evaluate((button) => getComputedStyle(button).backgroundColor)).toBe("rgb(9, 8, 7)");
    expect(await page.getByRole("heading").evaluate((title) => getComputedStyle(title).fontSize)).toBe("33px");
  });

  test.for([
    ["light", "dark", "rgb(255, 255, 255)"],
    ["dark", "light", "rgb(21, 25, 34)"],
  ] as const)("theme=%s holds in a system that is %s", async ([theme, colorScheme, background], { element, page }) => {
    await page.emulateMedia({ colorScheme });
    await element.show();
    await page.evaluate((name) => document.querySelector("bank-login")?.setAttribute("theme", name), theme);
    const card = page.locator("bank-login section");
    expect(await card.evaluate((section) => getComputedStyle(section).backgroundColor)).toBe(background);
  });
});

test("without a relay it says once what to set, and says nothing where the relay comes a little later", async ({
  ownElement: { page, complaints },
}) => {
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
  await expect.poll(() => complaints.filter((text) => text.includes("relay"))).toEqual([warning]);
});

test("on a server, where there is no page, it has no step, no key and nothing to show", () => {
  defineBankLogin();
  const shown = new BankLogin();
  expect([shown.step, shown.key]).toEqual([undefined, undefined]);
});

test("React and Vue set its properties and hear its events", async ({ ownElement: { page, url } }) => {
  await page.goto(new URL("?frameworks", url).href);
  for (const [framework, submit] of [
    ["react", "Ingresar"],
    ["vue", "Entrar"],
  ] as const) {
    const shown = page.locator(`#${framework}`);
    await shown.locator('[name="username"]').fill("12345");
    await shown.locator('[name="password"]').fill("gfdsa");
    await shown.getByRole("button", { name: submit, exact: true }).press("Enter");
    await shown.locator('[data-step="linked"]').waitFor();
  }
  expect(await page.evaluate(() => window.requests)).toEqual(["react: test", "vue: test"]);
});

test("whoever inspects it sees the events of its statechart, and no secret", async ({ element, page }) => {
  await element.show({ provider: "test" });
  await page.evaluate(() => {
    const seen: string[] = [];
    const inspect: BankLogin["inspect"] = (event) => seen.push(JSON.stringify("event" in event ? event.event : {}));
    const shown = document.querySelector("bank-login");
    shown?.replaceWith(
      Object.assign(document.createElement("bank-login"), { client: shown.client, provider: "test", inspect }),
    );
    Object.assign(window, { seen });
  });
  await element.sendForm("12345", "gfdsa");
  await element.step("linked");
  const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen.join());
  expect(seen).toContain("credentials.submit");
  expect(seen).not.toMatch(/12345|gfdsa/);
});
