import type { Page } from "playwright-core";

/**
 * Drives the screens of the examples as a person would with the keyboard, in a real browser: a button takes no click for half a
 * second after its step appeared.
 */
export function pageDriver(page: Page) {
  const press = (verb: string) => page.locator(`[data-verb="${verb}"]`).press("Enter");
  const fill = async (values: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(values)) await page.locator(`[name="${name}"]`).fill(value);
  };
  return {
    choose: (value: string) => page.locator(`[data-choice="${value}"]`).press("Enter"),
    fill,
    submit: () => press("submit"),
    answer: async (answer: string) => {
      await fill({ answer });
      await press("answer");
    },
    cancelLink: () => press("cancelLink"),
  };
}
