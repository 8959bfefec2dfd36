import type { FormValues } from "ventanilla";
import type { LinkDriver, Path } from "ventanilla/testing";

/**
 * Drives a screen from within its page, in a fraction of the time that it takes from outside. It presses buttons as a keyboard does: as
 * soon as they are enabled and visible.
 *
 * @param root has the screen.
 */
export function screenDriver({ flow, provider }: Path, root: HTMLElement): LinkDriver {
  const component = () => root.querySelector("bank-login")?.shadowRoot ?? undefined;
  const find = (selector: string) => {
    const screen = component() ?? root;
    return root.matches(selector) ? root : screen.querySelector<HTMLElement>(selector);
  };
  const waitFor = async (selector: string, isReady: (element: HTMLElement) => boolean = () => true) => {
    for (;;) {
      const element = find(selector);
      if (element && isReady(element)) return element;
      // Waiting for a frame would cost more: the page would be drawn each time.
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  let pressed: HTMLElement | undefined;
  const press = async (selector: string) => {
    pressed = await waitFor(selector, isPressable);
    pressed.click();
  };
  const pressVerb = (verb: string) => press(`[data-verb="${verb}"]`);
  const fill = async (selector: string, value: string) => {
    const control = (await waitFor(selector)) as HTMLInputElement | HTMLSelectElement;
    if (control.type === "radio") return (await waitFor(`input[value="${CSS.escape(value)}"]`)).click();
    control.value = value;
    control.dispatchEvent(new Event(control instanceof HTMLSelectElement ? "change" : "input", { bubbles: true }));
  };
  const fillAll = async (values: FormValues) => {
    for (const [name, value] of Object.entries(values)) await fill(`[name="${CSS.escape(name)}"]`, value);
  };
  return {
    currentState: () => {
      const state = find("[data-state]")?.getAttribute("data-state") ?? "";
      // The component has one more state around a login.
      return component() && flow === "login" && state === "linked" ? "loggedIn" : state;
    },
    currentText: () => [...(component() ?? root).children].map(visibleText).join("\n"),
    currentFields: () => {
      const controls = (component() ?? root).querySelectorAll<HTMLInputElement>("form :is(input, select)");
      const fields: Record<string, string> = {};
      for (const { type, name, value, checked } of controls) {
        // Of the buttons for one choice, that which is pressed counts.
        if (type === "radio" && !checked) fields[name] ??= "";
        else if (type !== "hidden") fields[name] = value;
      }
      return fields;
    },
    fieldLabels: () => {
      const labels: Record<string, { label: string; choices: { value: string; label: string }[] }> = {};
      for (const control of (component() ?? root).querySelectorAll<HTMLInputElement>("form :is(input, select)")) {
        if (control.type === "hidden") continue;
        const group = control.closest('[role="radiogroup"], fieldset')?.querySelector("[part=label], legend");
        const label = ownText(control.type === "radio" ? group : control.labels?.[0]);
        const field = labels[control.name] ?? { label, choices: [] };
        labels[control.name] = field;
        if (control.type === "radio") field.choices.push({ value: control.value, label: ownText(control.labels?.[0]) });
        for (const { value, text } of control.querySelectorAll("option")) field.choices.push({ value, label: text });
      }
      return labels;
    },
    pressTwice: () => {
      if (!pressed?.isConnected || !isPressable(pressed)) return undefined;
      pressed.click();
      return pressed.innerText;
    },
    choose: (value) => press(`[data-choice="${CSS.escape(value)}"]`),
    fill: fillAll,
    submit: () => pressVerb("submit"),
    answer: async (answer) => {
      const control = "form :is(input:not([type=hidden]), select)";
      if (typeof answer !== "string") await fillAll(answer);
      else if (find(control)) await fill(control, answer);
      await pressVerb("answer");
    },
    // After a failure the component's way back leads to the banks.
    cancel: async () => {
      if (!component() || find('[data-verb="cancel"]')) return pressVerb("cancel");
      await pressVerb("changeProvider");
      await press(`[data-choice="${CSS.escape(provider)}"]`);
    },
    replaceSession: () => pressVerb("replaceSession"),
    retry: () => pressVerb("retry"),
    // The component goes back one step at a time: from the login to its form, and from there to the banks.
    changeProvider: async () => {
      if (component() && find('[data-verb="cancel"]')) await pressVerb("cancel");
      await pressVerb("changeProvider");
    },
    cancelLink: () => pressVerb("cancelLink"),
  };
}

const visibleText = (element: Element): string => (element instanceof HTMLElement ? element.innerText : "");

/** The text of a label, without that of what is in it. */
const ownText = (element: Element | null | undefined): string =>
  [...(element?.childNodes ?? [])]
    .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
    .map(({ textContent }) => textContent)
    .join("")
    .trim();

const isPressable = (element: HTMLElement): boolean => element.matches(":enabled") && element.checkVisibility();
