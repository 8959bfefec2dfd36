import type { Page } from "playwright-core";
import type { BankLogin } from "ventanilla/element";
import type { Fault } from "ventanilla/testing";
import { describe, expect } from "vitest";
import { test } from "./element-page.ts";

/** What a screen reader says of the field that has the focus. */
async function readFocused(page: Page): Promise<{ name: string; description: string }> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  const isFocused = ({ role, properties = [] }: (typeof nodes)[number]) =>
    ["textbox", "combobox"].includes(role?.value) &&
    properties.some(({ name, value }) => name === "focused" && value.value === true);
  // Choices are described as a group.
  const described = nodes.find(isFocused) ?? nodes.find(({ role }) => role?.value === "radiogroup");
  return { name: described?.name?.value ?? "", description: described?.description?.value ?? "" };
}

describe("with the keyboard alone", () => {
  test("a person logs in, from the list of banks to the session", async ({ element, page }) => {
    await element.show();
    await element.waitForState("choosingProvider");
    // Close, then the search.
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    expect(await page.locator("#search").evaluate((input) => getComputedStyle(input).outlineWidth)).toBe("3px");
    await page.keyboard.type("prueba");
    // The country, then the only bank that matches.
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await element.waitForState("idle");
    expect(await element.readFocus()).toBe("input#field-username.");
    await page.keyboard.type("12345otp");
    await page.keyboard.press("Tab");
    await page.keyboard.type("asdfg");
    await page.keyboard.press("Enter");
    await element.waitForState("awaitingInteraction");
    expect(await element.readFocus()).toBe("input#field-otp.code");
    await page.keyboard.type("8888");
    await page.keyboard.press("Enter");
    await element.waitForState("linked");
    expect(await element.readFocus()).toBe("h2#title.");
  });

  test("the arrow keys move from the search through the banks, and Enter chooses", async ({ element, page }) => {
    await element.show();
    await page.getByLabel("Search").press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    expect(
      await page
        .locator("[data-choice]")
        .nth(1)
        .evaluate((bank) => bank.matches(":focus")),
    ).toBe(true);
    await page.keyboard.press("Enter");
    await element.waitForState("idle");
  });

  test("a word that is still being composed keeps its keys", async ({ element, page }) => {
    await element.show();
    await page.getByLabel("Search").fill("quetzal");
    await page.getByLabel("Search").evaluate((search) => {
      const press = (key: string) => search.dispatchEvent(new KeyboardEvent("keydown", { key, isComposing: true }));
      return [press("Enter"), press("ArrowDown")];
    });
    expect(await element.readFocus()).toBe("input#search.");
    expect(await element.readRequests()).toEqual(["GET /provider/"]);
  });

  test("the component takes no focus from the rest of the page", async ({ element, page }) => {
    await page.evaluate(() => document.body.append(document.createElement("input")));
    await page.locator("body > input").focus();
    await element.show();
    await element.waitForState("choosingProvider");
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("INPUT");
  });
});

describe("with the mouse the focus stays in the component:", () => {
  /** Clicks where the control is, once for each pause, after this many milliseconds. */
  const clickAt = async (page: Page, selector: string, pauses: readonly number[]) => {
    const control = page.locator(selector).first();
    await control.click({ trial: true });
    const { x = 0, y = 0, width = 0, height = 0 } = (await control.boundingBox()) ?? {};
    for (const pause of pauses) {
      await page.waitForTimeout(pause);
      await page.mouse.click(x + width / 2, y + height / 2);
    }
  };
  const bank = '[data-choice="test"]';
  const submit = '[data-verb="submit"]';

  test.for([
    ["one click", [0]],
    ["two clicks", [0, 100]],
  ] as const)(
    "%s on a bank, then on the button, and the code lands in its field",
    async ([, pauses], { element, page }) => {
      await element.show();
      await element.setLatency(50);
      await clickAt(page, bank, pauses);
      await element.waitForState("idle");
      expect(await element.readFocus()).toBe("input#field-username.");
      await page.keyboard.type("12345otp");
      await page.getByLabel("Password", { exact: true }).click();
      await page.keyboard.type("asdfg");
      await clickAt(page, submit, pauses);
      await element.waitForState("awaitingInteraction");
      await page.keyboard.type("8888");
      expect(await element.valueOf("otp")).toBe("8888");
    },
  );

  test("a second click during the request, and one after it", async ({ element, page }) => {
    await element.showForm("test");
    await element.fill({ username: "12345otp", password: "asdfg" });
    await element.setLatency(Number.POSITIVE_INFINITY);
    await clickAt(page, submit, [0, 100]);
    expect(await element.readFocus()).toBe("h2#title.");
    await element.setLatency(0);
    await element.waitForState("awaitingInteraction");
    await page.mouse.click(240, 400);
    expect(await element.readFocus()).toBe("input#field-otp.code");
  });

  test("one click, where a button takes no focus, as in Safari", async ({ open, url }) => {
    const element = await open(url);
    const { page } = element;
    await page.evaluate(() =>
      window.addEventListener("mousedown", (event) => {
        const isButton = event.composedPath().some((part) => part instanceof HTMLButtonElement);
        if (!isButton || event.defaultPrevented) return;
        event.preventDefault();
        (document.activeElement?.shadowRoot?.activeElement as HTMLElement | null)?.blur();
      }),
    );
    await element.show();
    await clickAt(page, bank, [0]);
    await element.waitForState("idle");
    expect(await element.readFocus()).toBe("input#field-username.");
    await element.fill({ username: "12345otp", password: "asdfg" });
    await clickAt(page, submit, [0]);
    await element.waitForState("awaitingInteraction");
    expect(await element.readFocus()).toBe("input#field-otp.code");
  });

  test("a field takes it, and a text that a person may want to copy can be selected", async ({ element, page }) => {
    await element.showForm("test");
    await page.locator('[name="password"]').click();
    expect(await element.readFocus()).toBe("input#field-password.");
    await element.submit({ username: "12345", password: "wrong" });
    await page.locator(".failure p").click({ clickCount: 3 });
    expect(await page.evaluate(() => String(getSelection()))).toContain("is not right");
  });
});

describe("a form", () => {
  test("is not submitted empty; each field says once that it is missing, and the first one has the focus", async ({
    element,
    page,
  }) => {
    await element.showForm("test");
    await element.press("submit");
    await page.locator("#field-username:focus").waitFor();
    expect(await page.getByText("Fill this in.").count()).toBe(2);
    expect(await page.getByRole("alert").count()).toBe(0);
    expect((await readFocused(page)).description).toBe("Fill this in.");
    expect(await page.getByLabel("Password", { exact: true }).getAttribute("aria-invalid")).toBe("true");
    expect(await element.readRequests()).not.toContain("POST /login/");
    expect(await page.evaluate(() => location.hash)).toBe("");
  });

  test("keeps the user name after a failure, but not the password, and is empty at another bank", async ({
    element,
    page,
  }) => {
    await element.show();
    await element.logIn("test", "12345", "not this one");
    await element.waitForState("failed");
    expect(await page.getByRole("alert").innerText()).toBe(
      "The user name, the password or another detail is not right. Check them and try again.",
    );
    expect(await element.readFocus()).toContain("field-password");
    expect(await element.valueOf("username")).toBe("12345");
    expect(await element.valueOf("password")).toBe("");
    await element.pressNamed("Choose another bank");
    await element.choose("faro_uy");
    await element.waitForState("idle");
    expect(await element.valueOf("username")).toBe("");
  });

  test("says what the bank said, together with what is missing, after a second Enter", async ({ element, page }) => {
    await element.showForm("test");
    await element.fill({ username: "12345", password: "wrong" });
    await page.keyboard.press("Enter");
    await element.waitForState("failed");
    await page.keyboard.press("Enter");
    await page.getByText("Fill this in.").waitFor();
    expect(await page.getByRole("alert").innerText()).toBe(
      "The user name, the password or another detail is not right. Check them and try again.",
    );
    expect((await element.readRequests()).filter((sent) => sent === "POST /login/")).toHaveLength(1);
  });

  test("marks the fields that the bank misses, and the first one has the focus", async ({ element, page }) => {
    await element.showForm("rareza_do");
    await element.submit({ username: "nobranch", password: "s3creto" });
    await element.waitForState("failed");
    expect(await page.getByLabel("Branch").getAttribute("aria-invalid")).toBe("true");
    expect(await page.getByText("Choose an option.").count()).toBe(1);
    expect(await element.readFocus()).toContain("#field-branch");
    await element.setLatency(Number.POSITIVE_INFINITY);
    await element.submit({ branch: "north", password: "s3creto" });
    await element.waitForState("submitting");
    expect(await page.getByText("Choose an option.").count()).toBe(0);
  });

  test("shows the bank's own text beside the failure", async ({ element, page }) => {
    await element.showForm("rareza_do");
    await element.submit({ username: "credentials", password: "s3creto" });
    await element.waitForState("failed");
    const text = await page.getByRole("alert").innerText();
    expect(text).toMatch(/is not right.*\n+The bank did not accept the username or the password\./);
  });

  test("shows and hides the password", async ({ element, page }) => {
    await element.showForm("test");
    await element.fill({ password: "asdfg" });
    const password = page.locator('[name="password"]');
    // A name that changes says it all: pressed, "Hide" would mean that it is hidden.
    expect(await page.locator(".reveal").getAttribute("aria-pressed")).toBeNull();
    await element.pressNamed("Show: Password");
    expect(await password.getAttribute("type")).toBe("text");
    expect(await password.inputValue()).toBe("asdfg");
    await element.pressNamed("Hide: Password");
    expect(await password.getAttribute("type")).toBe("password");
  });

  test("shows even if the name of a field is half a character", async ({ element }) => {
    const provider = { name: "Test", auth_fields: [{ name: "\ud800" }] };
    await element.show({ provider: "test" }, [
      { request: "GET /provider/{code}/", what: { body: { status: "success", provider } } },
    ]);
    await element.waitForState("idle");
  });

  test("keeps what was typed while choices are narrowed", async ({ element, page }) => {
    await element.showForm("puente_co", { dependentChoices: true });
    await element.fill({ username: "foreign", country_code: "VE" });
    await page.locator('[name="type"] option[value="ci"]').waitFor({ state: "attached" });
    expect(await element.valueOf("username")).toBe("foreign");
  });

  test("says that choices could not be narrowed, and sends those that are there", async ({ element, page }) => {
    const request = "GET /provider/{code}/?key={field}&value={chosen}";
    await element.showForm("puente_co", { dependentChoices: true }, [{ request, what: "broken" }]);
    await element.fill({ username: "local", password: "s3creto", country_code: "CO" });
    const text = "The options could not be matched to your choice. All of them are listed.";
    await page.getByRole("alert").getByText(text).waitFor();
    await element.submit({ type: "cc" });
    await element.waitForState("linked");
  });
});

describe("logging in again", () => {
  test.for(["property", "attribute"])(
    "with the user name in the %s, only the password is left to type",
    async (how, { element, page }) => {
      await element.show();
      await page.locator("bank-login").evaluate(({ client, parentElement }: BankLogin, how) => {
        const added = Object.assign(document.createElement("bank-login"), { client, provider: "test" });
        parentElement?.replaceChildren(added);
        if (how === "property") added.username = "12345";
        else added.setAttribute("username", "12345");
        added.focus();
      }, how);
      await element.waitForState("idle");
      expect(await element.valueOf("username")).toBe("12345");
      expect(await element.readFocus()).toContain("field-password");
      // Scripts that read the HTML of the page find no user name in the form.
      expect(await page.locator("bank-login form").innerHTML()).not.toContain("12345");
      await page.keyboard.type("gfdsa");
      await page.keyboard.press("Enter");
      await element.waitForState("linked");
    },
  );

  test("after the session has ended says so, and then takes the password alone", async ({ element, page }) => {
    const body = { status: "error", message: "Invalid key" };
    await element.show({ destinations: true }, [{ request: "GET /transfer/destinations", number: 1, what: { body } }]);
    await element.logIn("test", "12345", "gfdsa");
    await element.waitForState("linkFailed");
    expect(await page.getByRole("alert").innerText()).toBe("Your session has expired. Log in again.");
    await page.getByRole("button", { name: "Try again" }).click();
    await element.waitForState("idle");
    expect(await element.valueOf("username")).toBe("12345");
    expect(await element.readFocus()).toContain("field-password");
    // Nothing is sent before the person submits the form.
    expect((await element.readRequests()).slice(2)).toEqual(["POST /login/", "GET /transfer/destinations"]);
    await page.keyboard.type("gfdsa");
    await page.keyboard.press("Enter");
    await element.waitForState("linked");
  });
});

describe("a question", () => {
  test("that the bank asks again says so, with the number of answers that were sent", async ({ element, page }) => {
    await element.show();
    await element.logIn("quetzal_mx", "otp", "s3creto");
    await element.waitForState("awaitingInteraction");
    expect(await page.getByRole("alert").count()).toBe(0);
    for (const sent of [1, 2]) {
      await element.answer(`00000${sent}`);
      await page.getByRole("alert").getByText(`Tries so far: ${sent}.`).waitFor();
      expect(await element.valueOf("otp")).toBe("");
    }
    // The same once more is one more wrong try: it is not sent.
    await element.answer("000002");
    await page.getByText("The bank asked again after this same answer").waitFor();
    await element.answer("975310");
    await element.waitForState("linked");
  });

  test.for([
    ["takes a text describes", "captcha", "Fill this in.", "Characters in the picture", true],
    ["takes a choice names", "channel", "Choose an option.", "¿A dónde enviamos el código? Where the code goes", false],
  ] as const)(
    "that %s its field, and what is wrong with the answer describes it",
    async ([, username, issue, name, isDescription], { element, page }) => {
      await element.show({ provider: "mirador_gt" });
      await element.submit({ username, password: "s3creto" });
      await element.waitForState("awaitingInteraction");
      const question = await page.locator("#question").innerText();
      expect(question).not.toBe("");
      expect(await readFocused(page)).toEqual({ name, description: isDescription ? question : "" });
      await element.press("answer");
      await page.getByText(issue).waitFor();
      expect(await readFocused(page)).toEqual({ name, description: isDescription ? `${question} ${issue}` : issue });
    },
  );

  test("shows how long the page still waits in the last minute alone, and announces it once", async ({ open, url }) => {
    const element = await open(url);
    const { page } = element;
    await page.clock.install();
    await element.showForm("test", { answerTimeout: 90_000 });
    await element.fill({ username: "12345otp", password: "asdfg" });
    await stopClock(page);
    await element.press("submit");
    await element.waitForState("awaitingInteraction");
    const timer = page.getByRole("timer");
    const announcement = page.locator("section > [role=status]");
    await page.clock.runFor(29_000);
    expect(await timer.count()).toBe(0);
    expect(await announcement.innerText()).toBe("");
    await page.clock.runFor(1_000);
    expect(await timer.innerText()).toBe("Time left on this page: 1:00");
    expect(await announcement.innerText()).toBe("Time left on this page: 1:00");
    // Until the end: a second announcement would come between the person and the code.
    const announced = await announcement.evaluateHandle((status) => {
      const announced: string[] = [];
      new MutationObserver(() => announced.push(status.textContent ?? "")).observe(status, {
        characterData: true,
        childList: true,
        subtree: true,
      });
      return announced;
    });
    await page.clock.runFor(59_000);
    expect(new Set(await announced.jsonValue())).toEqual(new Set([""]));
    expect(await timer.innerText()).toBe("Time left on this page: 0:01");
    await page.clock.runFor(2000);
    await element.waitForState("failed");
    expect(await page.getByRole("alert").innerText()).toBe("The time to answer has run out. Log in again.");
    expect(await timer.count()).toBe(0);
  });
});

test("the list of banks is in the order of the alphabet, accents aside, until something is typed", async ({
  element,
  page,
}) => {
  const names = ["Itaú", "banco Sol", "Ágora", "Banco Azul", "Zeta"];
  const providers = names.map((name, at) => ({ code: `bank_${at}`, country: at === 0 ? "BR" : "UY", name }));
  await element.show({}, [{ request: "GET /provider/", what: { body: { status: "success", providers } } }]);
  await element.waitForState("choosingProvider");
  const readNames = () => page.locator("[part=bank] .names > span:first-child").allInnerTexts();
  expect(await readNames()).toEqual(["Ágora", "Banco Azul", "banco Sol", "Itaú", "Zeta"]);
  await page.locator("#country").selectOption("UY");
  expect(await readNames()).toEqual(["Ágora", "Banco Azul", "banco Sol", "Zeta"]);
});

describe("after a failure the component offers", () => {
  const replacing = { sessionReplacement: true };
  const [locked, open] = ["The bank has locked you out", "You already have sessions open"];

  test.for<[verbs: string, when: string, username: string, settings: object, text: string]>([
    ["cancelLink changeProvider", "the user is locked", "blocked", {}, locked],
    ["cancelLink", "the user is locked at the only bank", "blocked", { provider: "faro_uy" }, locked],
    ["cancel cancelLink replaceSession leave", "another session may be closed", "sessions", replacing, open],
    [
      "cancel cancelLink replaceSession leave",
      "another session may be closed, at the only bank",
      "sessions",
      { ...replacing, provider: "faro_uy" },
      open,
    ],
    [
      "changeProvider cancelLink reveal submit",
      "only the person can close another session",
      "sessions",
      {},
      "To log in here, they have to be closed",
    ],
  ])("%s when %s", async ([verbs, , username, settings, text], { element, page }) => {
    await element.show(settings);
    if (!("provider" in settings)) await element.choose("faro_uy");
    await element.submit({ username, password: "s3creto" });
    await element.waitForState("failed");
    expect(await page.getByRole("alert").innerText()).toContain(text);
    const buttons = await page
      .locator("bank-login button:visible")
      .evaluateAll((all) => (all as HTMLElement[]).map((one) => one.dataset["verb"] ?? (one.className || "leave")));
    expect(buttons.join(" ")).toBe(verbs);
  });
});

describe("assistive technology announces", () => {
  test.for([
    [true, "Banco de prueba is connected. You can continue now. Transfer destinations found: 2"],
    [false, "Banco de prueba is connected. You can continue now."],
  ] as const)("what happens after the login (destinations: %s)", async ([destinations, text], { element, page }) => {
    await element.show({ destinations });
    await element.logIn("test", "12345", "gfdsa");
    await element.waitForState("linked");
    expect(await page.locator(".done p").innerText()).toBe(text);
    expect(await page.getByRole("status").innerText()).toBe(text);
    expect(await element.readFocus()).toBe("h2#title.");
  });

  test.for<[step: string, request: Fault["request"], text: string]>([
    ["submitting", "POST /login/", "Logging in (up to 90 s)…"],
    ["loadingDestinations", "GET /transfer/destinations", "Nearly done. Finding where you can transfer to…"],
  ])("the wait of %s, outside of the busy part", async ([step, request, text], { element, page }) => {
    await element.show({ destinations: true }, [{ request, what: "held" }]);
    await element.logIn("test", "12345", "gfdsa");
    await element.waitForState(step);
    expect(await page.getByRole("status").innerText()).toBe(text);
    expect(await page.locator('bank-login [aria-busy="true"]').count()).toBe(1);
    expect(await page.locator('bank-login [aria-busy="true"] [role="status"]').count()).toBe(0);
    expect(await page.getByText("Banco de prueba").count()).toBeGreaterThan(0);
  });
});

test("a long wait shows the time that has passed, and says twice to stay", async ({ open, url }) => {
  const element = await open(url);
  const { page } = element;
  await page.clock.install();
  await element.showForm("test", {}, [{ request: "POST /login/", what: "held" }]);
  await element.fill({ username: "12345", password: "gfdsa" });
  await stopClock(page);
  await element.press("submit");
  await element.waitForState("submitting");
  const [timer, announcement] = [page.getByRole("timer"), page.locator("section > [role=status]")];
  const card = page.locator("bank-login section");
  const height = (await card.boundingBox())?.height;
  await page.clock.runFor(9_000);
  expect(await timer.count()).toBe(0);
  await page.clock.runFor(1_000);
  const said = "Please keep this page open. Time so far: 0:10";
  expect(await timer.innerText()).toBe(said);
  expect(await announcement.innerText()).toBe(said);
  await page.clock.runFor(3_000);
  expect(await timer.innerText()).toBe("Please keep this page open. Time so far: 0:13");
  expect(await announcement.innerText()).toBe("");
  await page.clock.runFor(47_000);
  expect(await announcement.innerText()).toContain("1:00");
  expect((await card.boundingBox())?.height).toBe(height);
});

/** From now on time passes by `runFor` alone: on a busy machine seconds would go by between two looks. */
const stopClock = async (page: Page): Promise<void> =>
  page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);

/** The members of every form, and other names that could break a page. A control hides the member of its form that has its name. */
const listDangerousNames = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const names: string[] = [];
    for (let object: object | null = HTMLFormElement.prototype; object; object = Object.getPrototypeOf(object)) {
      names.push(...Object.getOwnPropertyNames(object));
    }
    return [...new Set([...names, "children", "then", "handleEvent", "_$litPart$", "0", "a b", "ñ"])];
  });

const field = (name: string, interactive = false, type = "text") => ({
  name,
  type,
  interactive,
  optional: false,
  label_en: `The field ${name}`,
});

/** Types its own name into each empty field. @returns the ids of the passwords that were not empty. */
const fillIn = (page: Page) =>
  page.locator("form").evaluate((form) => {
    const inputs = [...(form.getRootNode() as ShadowRoot).querySelectorAll("input")];
    const kept = inputs.filter(({ type, value }) => type === "password" && value !== "").map(({ id }) => id);
    for (const input of inputs) input.value ||= `typed into ${decodeURIComponent(input.id.slice("field-".length))}`;
    return kept;
  });

test("fields with the names of a form's members are sent as they were typed", async ({ element, page }) => {
  const names = await listDangerousNames(page);
  expect(names).toEqual(expect.arrayContaining(["elements", "submit", "length", "reset", "action", "parentNode"]));
  const auth_fields = [
    ...names.map((name, index) => field(name, false, index % 2 === 0 ? "text" : "password")),
    ...["elements", "submit"].map((name) => field(name, true, "password")),
  ];
  const key = "3f1c1a5e-7a1d-4f6e-9a39-6d7d5f0b7c11";
  const asks = (field: string) => ({ status: "interaction_required", key, field, context: "Which?" });
  const logins = [{ status: "wrong_credentials" }, asks("elements"), asks("submit"), { status: "logged_in", key }];
  await element.show({ provider: "test" }, [
    {
      request: "GET /provider/{code}/",
      what: { body: { status: "success", provider: { name: "Test", auth_fields } } },
    },
    ...logins.map((body, index) => ({ request: "POST /login/", number: index + 1, what: { body } }) as const),
  ]);

  // First with empty fields: the form shows what is missing, and keeps what was typed.
  await page.locator("#field-username").fill("ana");
  await element.press("submit");
  await page.locator("[aria-invalid=true]").first().waitFor();
  expect(await page.evaluate(() => window.forms)).toEqual([]);
  await fillIn(page);
  await element.press("submit");
  await element.waitForState("failed");
  expect(await fillIn(page)).toEqual([]);
  await element.press("submit");
  for (const name of ["elements", "submit"]) {
    await page.getByLabel(`The field ${name}`, { exact: true }).fill(`answered ${name}`);
    await element.press("answer");
  }
  await element.waitForState("linked");

  const typed = new Map([...names, "password"].map((name) => [name, `typed into ${name}`]));
  const first = [...typed.set("provider", "test").set("username", "ana")].sort();
  const forms = await page.evaluate(() => window.forms);
  expect(forms.map((sent) => [...new URLSearchParams(sent)].sort())).toEqual([
    first,
    first,
    expect.arrayContaining([["elements", "answered elements"]]),
    expect.arrayContaining([["submit", "answered submit"]]),
  ]);
  expect(element.consoleErrors).toEqual([]);
});
