import type { Locator } from "playwright-core";
import type { BankLogin } from "ventanilla/element";
import { describe, expect } from "vitest";
import { test as base } from "./element-page.ts";

/** A person at the screen. A click is a step, and so is a field that is filled in, whatever is typed. */
class Person {
  steps = 0;

  async click(control: Locator): Promise<void> {
    this.steps += 1;
    await control.click();
  }

  async type(field: Locator, text: string): Promise<void> {
    this.steps += 1;
    await field.pressSequentially(text);
  }
}

const test = base
  .extend("person", () => new Person())
  .extend("parts", ({ page }) => ({
    search: page.getByLabel("Search", { exact: true }),
    entry: (code: string) => page.locator(`[data-choice="${code}"]`),
    username: page.locator('[name="username"]'),
    password: page.locator('[name="password"]'),
    otp: page.locator('[name="otp"]'),
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

describe("in the fewest steps a person", () => {
  test("finds a bank by a word with a typing error: 2", async ({ element, person, parts }) => {
    await element.show();
    await person.type(parts.search, "quetzla");
    await person.click(parts.entry("quetzal_mx"));
    await element.waitForState("idle");
    expect(person.steps).toBe(2);
  });

  test("finds a bank by a name that people use: 2", async ({ element, person, parts, set }) => {
    await element.show();
    await set({ aliases: { faro_uy: ["Bancomer"] } });
    await person.type(parts.search, "bancomer");
    await person.click(parts.entry("faro_uy"));
    await element.waitForState("idle");
    expect(person.steps).toBe(2);
  });

  test("logs in with a one-time code: 6", async ({ element, person, parts }) => {
    await element.show();
    await person.click(parts.entry("faro_uy"));
    await person.type(parts.username, "otp");
    await person.type(parts.password, "s3creto");
    await person.click(parts.button("Log in"));
    await person.type(parts.otp, "135790");
    await person.click(parts.button("Continue"));
    await element.waitForState("linked");
    expect(person.steps).toBe(6);
  });

  test("corrects a wrong password: 2", async ({ element, person, parts }) => {
    await element.show();
    await element.logIn("faro_uy", "plain", "wrong");
    await element.waitForState("failed");
    await person.type(parts.password, "s3creto");
    await person.click(parts.button("Log in"));
    await element.waitForState("linked");
    expect(person.steps).toBe(2);
  });

  test("gets another code after the time for the first one: 2", async ({ element, person, parts }) => {
    await element.show({ answerTimeout: 1000 });
    await element.logIn("faro_uy", "otp", "s3creto");
    await element.waitForState("failed");
    await person.type(parts.password, "s3creto");
    await person.click(parts.button("Log in"));
    await element.waitForState("awaitingInteraction");
    expect(person.steps).toBe(2);
  });

  test.for([
    [8, 1],
    [300, 2],
  ] as const)("chooses one of %i clients: %i", async ([count, steps], { element, person, parts }) => {
    const last = `id-${count - 1}`;
    const clients = Object.fromEntries(Array.from({ length: count }, (_, index) => [`id-${index}`, `Firm ${index}`]));
    await element.show({ clientSelection: true, provider: "ceibo_ar" }, [
      { request: "GET /client/", what: { body: { status: "success", clients } } },
    ]);
    await element.submit({ username: "group", password: "s3creto", type: "corp" });
    await element.answer("246802");
    await element.waitForState("selectClient");
    if (count > 8) await person.type(parts.search, "firm 299");
    await person.click(parts.entry(last));
    await expect.poll(() => element.readRequests()).toContain(`GET /client/${last}/`);
    expect(person.steps).toBe(steps);
  });

  test("leaves the question for the form, which has the user name: 1", async ({ element, person, parts }) => {
    await element.show();
    await element.logIn("faro_uy", "otp", "s3creto");
    await element.waitForState("awaitingInteraction");
    await person.click(parts.button("Cancel and go back"));
    await element.waitForState("idle");
    expect(await parts.username.inputValue()).toBe("otp");
    expect(person.steps).toBe(1);
  });

  test("comes back on another day: 2", async ({ element, person, parts, set }) => {
    await element.show({ provider: "faro_uy" });
    await set({ username: "plain" });
    await person.type(parts.password, "s3creto");
    await person.click(parts.button("Log in"));
    await element.waitForState("linked");
    expect(person.steps).toBe(2);
  });

  test("finds a bank after the wrong country: 3", async ({ element, person, parts, set }) => {
    await element.show();
    await set({ country: "PE" });
    await person.type(parts.search, "quetzal");
    await person.click(parts.button("Search in all countries"));
    await person.click(parts.entry("quetzal_mx"));
    await element.waitForState("idle");
    expect(person.steps).toBe(3);
  });
});
