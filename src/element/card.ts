import type { LinkView } from "../view/link-view.ts";

// Half a second from one click to the next is the most that systems take for a double click; a busy page adds to it.
const SETTLING = 600;

/**
 * The second click of a double click is not meant for what the first one has led to: no button takes a click for half a
 * second after a change of step. A keyboard goes on at once.
 */
export function ignoreSecondClicks(root: ParentNode): void {
  const inert = [{ pointerEvents: "none" }, { pointerEvents: "none" }];
  for (const button of root.querySelectorAll("button")) button.animate?.(inert, SETTLING);
}

/** The card grows with a long form, and what follows keeps its height: nothing under the card moves from step to step. */
export function keepHeight(root: ParentNode, step: LinkView["step"]): void {
  const card = root.querySelector("section");
  if (card) card.style.minBlockSize = step === "choosingProvider" ? "" : `${card.offsetHeight}px`;
}

/** Puts the focus where the person goes on; what went wrong and what is waited for is heard without the focus. */
export function focusStep(root: ParentNode): void {
  const fields = [
    ...root.querySelectorAll<HTMLInputElement>('form :is(input:not([type="hidden"]), select):enabled, #search'),
  ];
  const target = fields.find(({ value }) => value === "") ?? fields[0] ?? root.querySelector("h2");
  target?.focus();
}
