/**
 * Puts the focus where the person goes on: into the first field that is empty. Call it when a form appears, and when the bank
 * has answered: what had the focus is gone, or was disabled, and nothing else gives it back.
 */
export function focusFirstEmpty(form: HTMLFormElement | null | undefined): void {
  form?.querySelector<HTMLElement>(":is(input, select):invalid")?.focus();
}
