import type { LinkDriver, Path } from "ventanilla/testing";

/**
 * Drives a screen from within its page: a path takes a fraction of the time that it takes from outside. What it presses is
 * enabled, visible and not covered, as for a person.
 */
export function screenDriver(flow: Path["flow"]): LinkDriver {
  const press = async (selector: string) => (await pressable(selector)).click();
  const pressVerb = (verb: string) => press(`[data-verb="${verb}"]`);
  const fill = async (selector: string, value: string) => {
    const control = (await found(selector)) as HTMLInputElement | HTMLSelectElement;
    control.value = value;
    control.dispatchEvent(new Event(control instanceof HTMLSelectElement ? "change" : "input", { bubbles: true }));
  };
  return {
    currentStep: () => {
      const step = look("[data-step]")?.getAttribute("data-step") ?? "";
      // The component has one more step around a login.
      return component() && flow === "login" && step === "linked" ? "loggedIn" : step;
    },
    choose: (value) => press(`[data-choice="${CSS.escape(value)}"]`),
    fill: async (values) => {
      for (const [name, value] of Object.entries(values)) await fill(`[name="${CSS.escape(name)}"]`, value);
    },
    submit: () => pressVerb("submit"),
    answer: async (text) => {
      await fill(component() ? "form input" : '[name="answer"]', text);
      await pressVerb("answer");
    },
    cancel: () => pressVerb("cancel"),
    replaceSession: () => pressVerb("replaceSession"),
    retry: () => pressVerb("retry"),
    changeProvider: () => pressVerb("changeProvider"),
    leave: () => pressVerb("leave"),
  };
}

const component = () => document.querySelector("bank-login")?.shadowRoot ?? undefined;
const look = (selector: string) => (component() ?? document).querySelector<HTMLElement>(selector);

async function found(selector: string, isReady: (element: HTMLElement) => boolean = () => true): Promise<HTMLElement> {
  for (;;) {
    const element = look(selector);
    if (element && isReady(element)) return element;
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}

const pressable = (selector: string): Promise<HTMLElement> =>
  found(selector, (element) => {
    element.scrollIntoView({ block: "center" });
    const { x, y, width, height } = element.getBoundingClientRect();
    const hit = (element.getRootNode() as Document | ShadowRoot).elementFromPoint(x + width / 2, y + height / 2);
    return element.matches(":enabled") && hit !== null && element.contains(hit);
  });
