import type { FieldErrors, LinkView, LoginForm, LoginView, SentForm } from "ventanilla";

/** A state of a login that is not over. */
export type LoginStep = Exclude<LoginView, { state: "loggedIn" }>;

/** A state that shows the form of the login: to be filled in, or sent. */
export type CredentialStep = Extract<LinkView | LoginStep, { form: LoginForm } | { sent: SentForm }>;

/**
 * Sends a form, and clears its passwords. What is wrong with it is said at the field instead, until that is changed. That there is no connection is
 * said at the button, until it is pressed again.
 */
export function sendForm(form: HTMLFormElement, submit: (values: FormData) => FieldErrors | undefined): void {
  const errors = submit(new FormData(form));
  for (const [name, text] of Object.entries(errors ?? {})) {
    const control = name === "" ? "[type=submit]" : `[name="${CSS.escape(name)}"], [name="answer"]`;
    const input = form.querySelector<HTMLInputElement>(control);
    input?.setCustomValidity(text);
    input?.addEventListener(name === "" ? "click" : "input", () => input.setCustomValidity(""), { once: true });
  }
  if (errors) form.reportValidity();
  else for (const input of form.querySelectorAll<HTMLInputElement>("[type=password]")) input.value = "";
}

/** Of a message that is pasted, puts the code alone into the field: the person sees what is sent. Call it at the form's `paste` event. */
export function pasteCode(event: ClipboardEvent, { readPaste }: LoginStep): void {
  const input = event.target as HTMLInputElement;
  const text = event.clipboardData?.getData("text") ?? "";
  const code = readPaste?.(input.name, text) ?? text;
  if (code === text) return;
  event.preventDefault();
  input.setRangeText(code, input.selectionStart ?? 0, input.selectionEnd ?? 0, "end");
  input.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertFromPaste" }));
}

/**
 * Puts the focus into the first empty field. Call it when a form appears and when the bank has responded: the control that had the
 * focus was removed or disabled.
 */
export function focusFirstEmpty(form: HTMLFormElement | null | undefined): void {
  form?.querySelector<HTMLElement>(":is(input, select):invalid")?.focus();
}

// Not on a server.
if (typeof document !== "undefined") {
  // The second click of a double click would take the focus out of the field, and in Safari the first one.
  addEventListener("mousedown", (event) => {
    if (!(event.target as Element).closest("input, select")) event.preventDefault();
  });
  // The browser may keep the page, and show it after Back with all that was typed.
  addEventListener("pagehide", () => {
    for (const form of document.forms) form.reset();
  });
}
