import { fireEvent } from "@testing-library/dom";
import type { LinkDriver, PathFetch } from "ventanilla/testing";

const isDisabled = (control: HTMLInputElement | HTMLButtonElement) =>
  control.disabled || control.closest("fieldset[disabled]") !== null;

/** Acts on a screen in a DOM emulation: the container has what the page of the other driver has. */
export function domDriver(container: ParentNode, bank: PathFetch): LinkDriver {
  const find = (selector: string) => {
    const found = container.querySelector<HTMLInputElement>(selector);
    // A click would do nothing on a disabled button, and the test would not notice.
    if (!found || isDisabled(found)) throw new Error(`${selector} ${found ? "is disabled" : "is not shown"}`);
    return found;
  };
  // A hidden field, such as that of a confirmation, is not filled in.
  const findControls = () =>
    [...container.querySelectorAll<HTMLInputElement>("form :is(input, select)")].filter(
      ({ type }) => type !== "hidden",
    );
  let pressed = "";
  const click = (selector: string) => {
    fireEvent.click(find(selector));
    pressed = selector;
  };
  const press = (verb: string) => click(`[data-verb="${verb}"]`);
  const enter = (control: HTMLInputElement, value: string) => {
    if (control.tagName === "SELECT") fireEvent.change(control, { target: { value } });
    else fireEvent.input(control, { target: { value } });
  };
  const fill = (values: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(values)) enter(find(`[name="${name}"]`), value);
  };
  return {
    currentState: () => container.querySelector("[data-state]")?.getAttribute("data-state") ?? "",
    currentText: () => container.querySelector("[data-state]")?.textContent ?? "",
    currentFields: () => Object.fromEntries(findControls().map(({ name, value }) => [name, value])),
    fieldLabels: () =>
      Object.fromEntries(
        findControls().map((control) => {
          const label = control.closest("label") ?? control.labels?.[0];
          const options = control.querySelectorAll("option");
          const choices = Array.from(options, ({ value, text }) => ({ value, label: text }));
          // The text of a label around its control has the choices, too.
          const text = label?.textContent.replace(control.textContent, "") ?? "";
          return [control.name, { label: text, choices }];
        }),
      ),
    pressTwice() {
      const button = container.querySelector<HTMLButtonElement>(pressed);
      if (!button || isDisabled(button)) return undefined;
      fireEvent.click(button);
      return button.dataset["verb"] ?? button.dataset["choice"];
    },
    choose: (value) => click(`[data-choice="${value}"]`),
    fill,
    submit: () => press("submit"),
    answer(answer) {
      const [control] = findControls();
      // A text is for the only field; where the bank asks for several, there is one for each by its name.
      if (typeof answer !== "string") fill(answer);
      else if (control) enter(control, answer);
      press("answer");
    },
    cancel: () => press("cancel"),
    replaceSession: () => press("replaceSession"),
    // A link screen has these as well.
    retry: () => press("retry"),
    changeProvider: () => press("changeProvider"),
    cancelLink: () => press("cancelLink"),
    received: () => bank.received,
    takePicture: () => container.querySelector("[data-state]")?.outerHTML,
  };
}
