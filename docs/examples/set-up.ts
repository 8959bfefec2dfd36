import { sandboxClient } from "./sandbox-client.ts";

/** What each example shows: a bank that runs in this page, with everything that goes beyond the contract. */
export const props = {
  client: sandboxClient(),
  settings: { clientSelection: true, sessionReplacement: true, dependentChoices: true, destinations: true },
};

/** Where it shows it. */
export const target = document.body.appendChild(document.createElement("main"));
