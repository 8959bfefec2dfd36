import type { Locator } from "playwright-core";
import type { BankLogin } from "ventanilla/element";
import { describe, expect } from "vitest";
import { test as base } from "./element-page.ts";

/** Seconds of a finger on a phone. */
const [TAP, KEY] = [1.1, 0.28];

const test = base
  .extend("person", ({ page }) => {
    let [taps, keys] = [0, 0];
    return {
      /** Taps, keys and seconds so far. */
      effort: () => `${taps} + ${keys}, ${(taps * TAP + keys * KEY).toFixed(1)} s`,
      async tap(control: Locator): Promise<void> {
        taps += 1;
        await control.click();
      },
      /** A list of the browser, and one of its entries. */
      async select(list: Locator, value: string): Promise<void> {
        taps += 2;
        await list.selectOption(value);
      },
      /** Types where the focus is. A line break is the Enter key. */
      async type(text: string): Promise<void> {
        keys += text.length;
        await page.keyboard.type(text);
      },
      /** Presses long on a field, and taps "Paste". */
      async paste(pasteInto: () => Promise<void>): Promise<void> {
        taps += 2;
        await pasteInto();
      },
    };
  })
  .extend("parts", ({ page }) => ({
    search: page.getByLabel("Search", { exact: true }),
    entry: (code: string) => page.locator(`[data-choice="${code}"]`),
    field: (name: string) => page.locator(`[name="${name}"]:focus`),
    button: (name: string) => page.getByRole("button", { name, exact: true }),
  }))
  .extend(
    "set",
    ({ page }) =>
      (properties: Partial<BankLogin>) =>
        page
          .locator("bank-login")
          .evaluate((shown: BankLogin, properties) => void Object.assign(shown, properties), properties),
  );

test.beforeEach(({ page }) => page.setViewportSize({ width: 390, height: 844 }));

// Names, passwords and answers count with each of their letters.
describe("with as many taps and keys a person", () => {
  test.for([
    ["its initials", "cv", "vicuna_pe", "2 + 2, 2.8 s"],
    ["a word with a typing error", "quetzla", "quetzal_mx", "2 + 7, 4.2 s"],
    ["a name that people use", "bancomer", "faro_uy", "2 + 8, 4.4 s"],
  ] as const)("finds a bank by %s", async ([, text, code, effort], { element, person, parts, set }) => {
    await element.show();
    await set({ aliases: { faro_uy: ["Bancomer"] } });
    await person.tap(parts.search);
    await person.type(text);
    await person.tap(parts.entry(code));
    await element.waitForState("idle");
    expect(person.effort()).toBe(effort);
  });

  test("finds a bank by its country", async ({ element, page, person, parts }) => {
    await element.show();
    await person.select(page.getByLabel("Country"), "PE");
    await person.tap(parts.entry("vicuna_pe"));
    await element.waitForState("idle");
    expect(person.effort()).toBe("3 + 0, 3.3 s");
  });

  test("finds a bank after the wrong country", async ({ element, person, parts, set }) => {
    await element.show();
    await set({ country: "PE" });
    await person.tap(parts.search);
    await person.type("quetzal");
    await person.tap(parts.button("Search in all countries"));
    await person.tap(parts.entry("quetzal_mx"));
    await element.waitForState("idle");
    expect(person.effort()).toBe("3 + 7, 5.3 s");
  });

  test("logs in", async ({ element, person, parts }) => {
    await element.show();
    await person.tap(parts.entry("test"));
    await parts.field("username").waitFor();
    await person.type("12345\ngfdsa\n");
    await element.waitForState("linked");
    expect(person.effort()).toBe("1 + 12, 4.5 s");
  });

  test("logs in with a password that was wrong first", async ({ element, person, parts }) => {
    await element.show();
    await person.tap(parts.entry("test"));
    await parts.field("username").waitFor();
    await person.type("12345\nbad\n");
    await element.waitForState("failed");
    await parts.field("password").waitFor();
    await person.type("gfdsa\n");
    await element.waitForState("linked");
    expect(person.effort()).toBe("1 + 16, 5.6 s");
  });

  test("logs in with a code that is pasted in its message", async ({ element, person, parts }) => {
    await element.show();
    await person.tap(parts.entry("faro_uy"));
    await parts.field("username").waitFor();
    await person.type("otp\ns3creto\n");
    await parts.field("otp").waitFor();
    await person.paste(() => element.paste("otp", "Su código es 135790. No lo comparta."));
    await person.type("\n");
    await element.waitForState("linked");
    expect(person.effort()).toBe("3 + 13, 6.9 s");
  });

  test("logs in with a security question", async ({ element, person, parts }) => {
    await element.show();
    await person.tap(parts.entry("test"));
    await parts.field("username").waitFor();
    await person.type("12345pq\nasdfg\n");
    await parts.field("personal_question").waitFor();
    await person.type("8888\n");
    await element.waitForState("linked");
    expect(person.effort()).toBe("1 + 19, 6.4 s");
  });

  test.for([
    [8, "1 + 0, 1.1 s"],
    [300, "0 + 4, 1.1 s"],
  ] as const)("chooses one of %i clients", async ([count, effort], { element, person, parts }) => {
    const last = `id-${count - 1}`;
    const clients = Object.fromEntries(Array.from({ length: count }, (_, index) => [`id-${index}`, `Firm ${index}`]));
    await element.show({ clientSelection: true, provider: "ceibo_ar" }, [
      { request: "GET /client/", what: { body: { status: "success", clients } } },
    ]);
    await element.submit({ username: "group", password: "s3creto", type: "corp" });
    await element.answer("246802");
    await element.waitForState("selectClient");
    if (count > 8) await person.type("299\n");
    else await person.tap(parts.entry(last));
    await expect.poll(() => element.readRequests()).toContain(`GET /client/${last}/`);
    expect(person.effort()).toBe(effort);
  });

  test("confirms in the bank's app, too early once", async ({ element, page, person, parts }) => {
    const asked = {
      status: "interaction_required",
      field: "app_confirmation",
      context: "Confirme en la app",
      key: "k",
    };
    await element.show({}, [
      { request: "POST /login/", number: 2, what: { body: asked } },
      { request: "POST /login/", number: 3, what: { body: { status: "logged_in", key: "s" } } },
    ]);
    await person.tap(parts.entry("mirador_gt"));
    await parts.field("username").waitFor();
    await person.type("confirm\ns3creto\n");
    await element.waitForState("awaitingInteraction");
    await person.tap(parts.button("I have confirmed"));
    await page.getByRole("alert").waitFor();
    await person.tap(parts.button("I have confirmed"));
    await element.waitForState("linked");
    expect(person.effort()).toBe("3 + 16, 7.8 s");
  });

  test("gets another code after the time for the first one", async ({ element, person, parts }) => {
    await element.show({ answerTimeout: 1000 });
    await element.logIn("faro_uy", "otp", "s3creto");
    await element.waitForState("failed");
    await parts.field("password").waitFor();
    await person.type("s3creto\n");
    await element.waitForState("awaitingInteraction");
    expect(person.effort()).toBe("0 + 8, 2.2 s");
  });

  test("sends a code that was typed without a connection", async ({ element, page, person, parts }) => {
    await element.show();
    await element.logIn("faro_uy", "otp", "s3creto");
    await parts.field("otp").waitFor();
    await page.context().setOffline(true);
    await person.type("135790\n");
    await page.getByText("You are offline, so nothing was sent.").waitFor();
    await page.context().setOffline(false);
    await person.type("\n");
    await element.waitForState("linked");
    expect(person.effort()).toBe("0 + 8, 2.2 s");
  });

  test("goes from the form to another bank", async ({ element, person, parts }) => {
    await element.showForm("faro_uy");
    await person.tap(parts.button("Choose another bank"));
    await person.tap(parts.search);
    await person.type("quetz");
    await person.tap(parts.entry("quetzal_mx"));
    await element.waitForState("idle");
    expect(person.effort()).toBe("3 + 5, 4.7 s");
  });

  test("leaves the question for the form, which has the user name", async ({ element, person, parts }) => {
    await element.show();
    await element.logIn("faro_uy", "otp", "s3creto");
    await element.waitForState("awaitingInteraction");
    await person.tap(parts.button("Cancel and go back"));
    await element.waitForState("idle");
    expect(await element.valueOf("username")).toBe("otp");
    expect(person.effort()).toBe("1 + 0, 1.1 s");
  });

  test("comes back on another day", async ({ element, page, person, set }) => {
    await element.show({ provider: "faro_uy" });
    await set({ username: "plain" });
    await person.tap(page.locator('[name="password"]'));
    await person.type("s3creto\n");
    await element.waitForState("linked");
    expect(person.effort()).toBe("1 + 8, 3.3 s");
  });
});
