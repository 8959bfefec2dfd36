import type { LoginState } from "../login/state.ts";
import type { LoginView } from "../login/view.ts";

/** The step that `loginView` shows for each state. */
export const shownStep = {
  idle: "enteringCredentials",
  submitting: "submitting",
  awaitingInteraction: "answering",
  "selectClient.resting": "clientRequired",
  "selectClient.listing": "listingClients",
  "selectClient.choosing": "choosingClient",
  "selectClient.selecting": "selectingClient",
  replacingSession: "replacingSession",
  loggedIn: "loggedIn",
  failed: "failed",
} as const satisfies Record<LoginState, LoginView["step"]>;
