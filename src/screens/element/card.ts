import { FAULTY } from "./form-controller.ts";

// Milliseconds. Systems take two clicks within half a second for a double click; a busy page adds to it.
const SETTLING = 600;
// Pixels. Systems take two clicks as near as this for a double click.
const SHAKING = 5;

/** Lets no control take a click for 0.6 seconds: the second click of a double click is not for the next step. Keys work at once. */
export function ignoreSecondClicks(root: ParentNode): void {
  const inert = [{ pointerEvents: "none" }, { pointerEvents: "none" }];
  for (const control of root.querySelectorAll("button, input, select")) control.animate?.(inert, SETTLING);
}

/**
 * Keeps the focus in the card when the mouse is pressed on anything but a field or a text to copy. The second click of a double click
 * would lose it, and in Safari, where a button takes no focus, the first one.
 */
export function keepFocus(event: MouseEvent): void {
  const target = event.target as Element;
  if (target.closest("input, select, .question, .failure")) return;
  event.preventDefault();
  const root = target.getRootNode() as ShadowRoot;
  if (!root.activeElement) root.querySelector("h2")?.focus({ preventScroll: true });
  // The next step may be shorter than a list. Then the second click is below the card.
  const keep = (second: MouseEvent) => {
    const isSamePlace = Math.hypot(second.clientX - event.clientX, second.clientY - event.clientY) < SHAKING;
    if (isSamePlace) second.preventDefault();
  };
  addEventListener("mousedown", keep, { capture: true, signal: AbortSignal.timeout(SETTLING) });
}

/** Keeps typed characters from the page. Its shortcuts would take them: it sees the component in place of the field. */
export function stopTypedCharacters(event: KeyboardEvent): void {
  // Chrome fills in a form with an event that has no key.
  const isCharacter = event.key?.length === 1 && !event.ctrlKey && !event.metaKey;
  if (isCharacter && (event.target as Element).matches("input, select")) event.stopPropagation();
}

/** Keeps the height that the card and its header have, so that nothing below them moves from step to step. A long list has its own. */
export function keepHeight(root: ParentNode): void {
  // The header first: it is in the card.
  for (const name of ["header", "section"]) {
    const part = root.querySelector<HTMLElement>(name);
    if (!part) return;
    // Rounded up: a fraction of a pixel would be lost at the next step.
    const height = Math.ceil(Number.parseFloat(getComputedStyle(part).blockSize));
    part.style.minBlockSize = root.querySelector(".list") ? "" : `${height}px`;
  }
}

/**
 * Puts the focus on the bank that was chosen before, else into the first field with a fault, else into the first empty one, else on the title, and scrolls to the failure or
 * the question. Failures and waits are announced anyway.
 */
export function focusStep(root: ParentNode, bank?: string): void {
  const fields = [
    ...root.querySelectorAll<HTMLInputElement>('form :is(input:not([type="hidden"]), select):enabled, #search'),
  ].filter((field) => !field.closest("details:not([open])"));
  const entries = [...root.querySelectorAll<HTMLElement>(".list button")];
  const faulty = fields.find((field) => field.matches(FAULTY));
  const chosen = entries.find(({ dataset }) => dataset["choice"] === bank);
  const target = chosen ?? faulty ?? fields.find(({ value }) => value === "") ?? fields[0] ?? root.querySelector("h2");
  // During a request the progress is in the button that was pressed.
  const isBusy = root.querySelector("fieldset:disabled") !== null;
  target?.focus({ preventScroll: isBusy });
  if (!isBusy)
    (root.querySelector(".failure") ?? root.querySelector(".question"))?.scrollIntoView?.({ block: "nearest" });
}
