import type { FailureCode, Recovery } from "../../core/api/failures.ts";
import type { LinkView } from "../../core/view/link-view.ts";

/** The events of the component. They contain no secret: the relay's `onLogin` gets the session key, on the server. */
export interface BankLoginEvents {
  /** A session was reached. `id` is the login's, as in the relay's log and in `onLogin`. */
  login: CustomEvent<{ readonly id: string; readonly provider: string }>;
  /** Something went wrong; the component shows it, and what the person can do. */
  failure: CustomEvent<{ readonly code: FailureCode; readonly text: string; readonly recovery: Recovery }>;
  /** The state changed. */
  state: CustomEvent<{ readonly state: LinkView["state"] }>;
  /** A search for a bank has found nothing, and the person has ended it, by Enter or by leaving its field. */
  "bank-missing": CustomEvent<{ readonly text: string; readonly country: string }>;
  /** The person closed the login. */
  cancel: CustomEvent<Record<never, never>>;
}

/** Sends the event of a search that found nothing. */
export function dispatchBankMissing(element: HTMLElement, detail: BankLoginEvents["bank-missing"]["detail"]): void {
  element.dispatchEvent(new CustomEvent("bank-missing", { detail, bubbles: true, composed: true }));
}

/** Sends the events of a state that has just been drawn. */
export function dispatchStateEvents(element: HTMLElement, view: LinkView): void {
  const dispatch = <Name extends keyof BankLoginEvents>(name: Name, detail: BankLoginEvents[Name]["detail"]) =>
    // A `<dialog>` around has an event `cancel` too, which does not bubble either.
    element.dispatchEvent(new CustomEvent(name, { detail, bubbles: name !== "cancel", composed: true }));
  dispatch("state", { state: view.state });
  if ("failure" in view) {
    const { code, text, recovery } = view.failure;
    dispatch("failure", { code, text, recovery });
  } else if (view.state === "linked") dispatch("login", { id: view.id, provider: view.provider });
  else if (view.state === "cancelled") dispatch("cancel", {});
}
