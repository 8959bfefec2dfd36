/**
 * Puts the focus where the person goes on: into the first field that is empty. A form that is disabled while the bank is
 * asked loses the focus, and nothing else gives it back.
 */
export function focusFirstEmpty(form: HTMLFormElement | null | undefined): void {
  form?.querySelector<HTMLElement>(":is(input, select):invalid")?.focus();
}
