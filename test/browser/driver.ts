import type { Page } from "playwright-core";
import type { LinkDriver } from "ventanilla/testing";

/**
 * Drives the screens of the examples as a person would with the keyboard, in a real browser: a button takes no click for half a
 * second after its step appeared.
 */
export function pageDriver(page: Page): LinkDriver {
  const enter = async (selector: string, value: string) => {
    const field = page.locator(selector);
    const isChoice = (await field.evaluate((element) => element.tagName)) === "SELECT";
    if (isChoice) await field.selectOption(value);
    // A confirmation has nothing to type in.
    else if ((await field.getAttribute("type")) !== "hidden") await field.fill(value);
  };
  const press = (verb: string) => page.locator(`[data-verb="${verb}"]`).press("Enter");
  return {
    currentStep: async () => (await page.locator("[data-step]").getAttribute("data-step")) ?? "",
    currentText: () => page.locator("[data-step]").innerText(),
    choose: (value) => page.locator(`[data-choice="${value}"]`).press("Enter"),
    fill: async (values) => {
      for (const [name, value] of Object.entries(values)) await enter(`[name="${name}"]`, value);
    },
    submit: () => press("submit"),
    answer: async (text) => {
      await enter('[name="answer"]', text);
      await press("answer");
    },
    cancel: () => press("cancel"),
    replaceSession: () => press("replaceSession"),
    retry: () => press("retry"),
    changeProvider: () => press("changeProvider"),
    cancelLink: () => press("cancelLink"),
  };
}
