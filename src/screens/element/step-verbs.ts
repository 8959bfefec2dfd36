import type { LinkView } from "../../core/view/link-view.ts";
import type { LoginForm } from "../../core/view/login-view.ts";

/** The verbs of a state beside its form. */
export type Verb = "retry" | "replaceSession" | "changeProvider" | "cancel" | "cancelLink";

/** These verbs of a view. */
export type Verbs = { readonly [verb in Verb]?: (() => void) | undefined };

/** Whether only the bank can help. Another try would fail too, and a locked user would stay locked for longer. */
const isUpToBank = (view: LinkView) => view.state === "failed" && view.failure.recovery === "contactBank";

/** Whether the state shows its form: not if only the bank can help, or another session has to be closed first. */
export function hasForm(view: LinkView): view is Extract<LinkView, { form: unknown }> {
  return "form" in view && !isUpToBank(view) && findPrimaryVerb(view) === undefined;
}

/** The verb of the only button of a state without a form. */
export function findPrimaryVerb(view: LinkView): Verb | undefined {
  if (view.state === "linkFailed") return "retry";
  if (view.state !== "failed") return undefined;
  if (view.replaceSession) return "replaceSession";
  return isUpToBank(view) && view.changeProvider ? "changeProvider" : undefined;
}

/** The verb that goes one step back: from the login to its form, from the form to the banks. */
export function findBackVerb(view: LinkView): Verb | undefined {
  // Going back would lead to the form.
  if (isUpToBank(view)) return undefined;
  const { cancel, changeProvider } = view as Verbs;
  return cancel && !(hasForm(view) && changeProvider) ? "cancel" : changeProvider && "changeProvider";
}

/** The login form that a state shows: to be filled in, or sent. */
export function findForm(view: LinkView): LoginForm | undefined {
  if (hasForm(view)) return view.form;
  const isShown = "sent" in view && !view.sent.question && view.sent.form.fields.length > 0;
  return isShown ? view.sent.form : undefined;
}

/** Whether the state is one of the login: its form is shown, or can come back. */
export function isLogin(view: LinkView): view is Extract<LinkView, { form: unknown } | { cancel(): void }> {
  return "form" in view || "cancel" in view;
}
