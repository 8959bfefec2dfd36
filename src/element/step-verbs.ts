import type { LinkView } from "../view/link-view.ts";
import type { LoginForm } from "../view/login-view.ts";

/** What a person can do at a step beside its form. */
export type Verb = "retry" | "replaceSession" | "changeProvider" | "cancel" | "cancelLink";

/** The same, by name. */
export type Verbs = { readonly [verb in Verb]?: (() => void) | undefined };

/** Whether only the bank can help: another try would fail as well, and a locked user stays locked for longer. */
const isUpToBank = (view: LinkView) => view.step === "failed" && view.failure.recovery === "contactBank";

/** Whether a login can be tried again where it stands. Where only the bank can help, or another session is to be closed, it can't. */
export function hasForm(view: LinkView): view is Extract<LinkView, { form: unknown }> {
  return "form" in view && !isUpToBank(view) && findPrimaryVerb(view) === undefined;
}

/** The one button of a step without a form. */
export function findPrimaryVerb(view: LinkView): Verb | undefined {
  if (view.step === "linkFailed") return "retry";
  if (view.step !== "failed") return undefined;
  if (view.replaceSession) return "replaceSession";
  return isUpToBank(view) && view.changeProvider ? "changeProvider" : undefined;
}

/** One step back: out of the login, and from its form to the banks. */
export function findBackVerb(view: LinkView): Verb | undefined {
  // The way back would lead to the form.
  if (isUpToBank(view)) return undefined;
  const { cancel, changeProvider } = view as Verbs;
  return cancel && !(hasForm(view) && changeProvider) ? "cancel" : changeProvider && "changeProvider";
}

/** The form of the login that a step shows: to be filled in, or under way. */
export function findForm(view: LinkView): LoginForm | undefined {
  if (hasForm(view)) return view.form;
  return "sent" in view && !view.sent.question ? view.sent.form : undefined;
}

/** Whether the login within goes on: its form is shown, or can come back. */
export function isLogin(view: LinkView): view is Extract<LinkView, { form: unknown } | { cancel(): void }> {
  return "form" in view || "cancel" in view;
}
