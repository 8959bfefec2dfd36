import type { FormValues, LinkView, LoginForm, LoginView, SentForm } from "ventanilla";

/** A step of a login that is not over. */
export type LoginStep = Exclude<LoginView, { step: "loggedIn" }>;

/** A step that shows the form of the login: to be filled in, or sent. */
export type CredentialStep = Extract<LinkView | LoginStep, { form: LoginForm } | { sent: SentForm }>;

/** Reads what was typed. The form keeps it until then, and nobody else sees it; a password is gone afterwards. */
export function takeValues(form: HTMLFormElement): FormValues {
  const values = Object.fromEntries(new FormData(form)) as FormValues;
  for (const input of form.querySelectorAll<HTMLInputElement>("[type=password]")) input.value = "";
  return values;
}

/**
 * Puts the focus where the person goes on: into the first field that is empty. Call it when a form appears, and when the bank
 * has answered: what had the focus is gone, or was disabled, and nothing else gives it back.
 */
export function focusFirstEmpty(form: HTMLFormElement | null | undefined): void {
  form?.querySelector<HTMLElement>(":is(input, select):invalid")?.focus();
}
