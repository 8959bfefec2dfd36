import type { Page } from "playwright-core";
import type { LinkDriver } from "ventanilla/testing";

/**
 * Drives the screens of the examples as a person would with the keyboard, in a real browser: a button takes no click for half a
 * second after its step appeared.
 */
export function pageDriver(page: Page): LinkDriver {
  const press = (verb: string) => page.locator(`[data-verb="${verb}"]`).press("Enter");
  return {
    currentStep: async () => (await page.locator("[data-step]").getAttribute("data-step")) ?? "",
    choose: (value) => page.locator(`[data-choice="${value}"]`).press("Enter"),
    fill: async (values) => {
      for (const [name, value] of Object.entries(values)) {
        const field = page.locator(`[name="${name}"]`);
        if ((await field.evaluate((element) => element.tagName)) === "SELECT") await field.selectOption(value);
        else await field.fill(value);
      }
    },
    submit: () => press("submit"),
    answer: async (text) => {
      await page.locator('[name="answer"]').fill(text);
      await press("answer");
    },
    cancel: () => press("cancel"),
    replaceSession: () => press("replaceSession"),
    retry: () => press("retry"),
    changeProvider: () => press("changeProvider"),
    leave: () => press("leave"),
  };
}
