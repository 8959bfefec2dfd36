import type { Locator, Page } from "@playwright/test";
import type { LinkDriver, Received } from "ventanilla/testing";

declare global {
  interface Window {
    /** The `fetchFor(path)` of the page under test. */
    bank: { readonly received: readonly Received[] };
  }
}

/** Acts on a page that has `data-state` on its root, the names of verbs and choices on its buttons, and the names of fields on its controls. */
export function pageDriver(page: Page): LinkDriver {
  const screen = page.locator("[data-state]");
  // A hidden field, such as that of a confirmation, is not filled in.
  const controls = screen.locator("form :is(input:not([type=hidden]), select)");
  let pressed = screen;
  const click = (selector: string) => {
    pressed = screen.locator(selector);
    return pressed.click();
  };
  const press = (verb: string) => click(`[data-verb="${verb}"]`);
  const enter = async (control: Locator, value: string) => {
    const isSelect = await control.evaluate((element) => element.tagName === "SELECT");
    await (isSelect ? control.selectOption(value) : control.fill(value));
  };
  const fill = async (values: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(values)) await enter(screen.locator(`[name="${name}"]`), value);
  };
  return {
    currentState: async () => (await screen.getAttribute("data-state")) ?? "",
    currentText: () => screen.innerText(),
    currentFields: () =>
      controls.evaluateAll((elements) =>
        Object.fromEntries((elements as HTMLInputElement[]).map(({ name, value }) => [name, value])),
      ),
    fieldLabels: () =>
      controls.evaluateAll((elements) =>
        Object.fromEntries(
          (elements as HTMLInputElement[]).map((control) => {
            const options = control.querySelectorAll("option");
            const choices = Array.from(options, ({ value, text }) => ({ value, label: text }));
            // The text of a label around its control has the choices, too.
            const label = control.labels?.[0]?.textContent.replace(control.textContent, "") ?? "";
            return [control.name, { label, choices }];
          }),
        ),
      ),
    async pressTwice() {
      if ((await pressed.count()) === 0 || (await pressed.isDisabled())) return undefined;
      await pressed.click();
      return pressed.innerText();
    },
    choose: (value) => click(`[data-choice="${value}"]`),
    fill,
    submit: () => press("submit"),
    async answer(answer) {
      // A text is for the only field; where the bank asks for several, there is one for each by its name.
      if (typeof answer !== "string") await fill(answer);
      else if ((await controls.count()) > 0) await enter(controls.first(), answer);
      await press("answer");
    },
    cancel: () => press("cancel"),
    replaceSession: () => press("replaceSession"),
    // A link screen has these as well.
    retry: () => press("retry"),
    changeProvider: () => press("changeProvider"),
    cancelLink: () => press("cancelLink"),
    received: () => page.evaluate(() => window.bank.received),
    async takePicture() {
      const path = `test-results/left-path-${Date.now()}.png`;
      await page.screenshot({ path });
      return path;
    },
  };
}
