import type { FailureCode, Recovery } from "../api/failures.ts";
import type { LinkView } from "../link/view.ts";

/** What the component tells the page. No event holds a secret: the server half gets the session key (`onLogin`). */
export interface BankLoginEvents {
  /** A session was reached. */
  login: CustomEvent<{ readonly provider: string }>;
  /** Something went wrong; the component shows it, and what helps. */
  failure: CustomEvent<{ readonly code: FailureCode; readonly text: string; readonly recovery: Recovery }>;
  /** Another screen is shown. */
  step: CustomEvent<{ readonly step: LinkView["step"] }>;
  /** The person closed the login. */
  leave: CustomEvent<Record<never, never>>;
}
