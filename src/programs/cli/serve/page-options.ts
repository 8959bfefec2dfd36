import { flag, group } from "../arguments.ts";

/** What the pages of hosted logins offer a person, as options of link, mcp and serve. */
export const pageOptions = group("The page", {
  "client-selection": flag("Let the person choose a client, if the bank asks for it (beyond the contract)"),
});
