/** What the bank responds with, as bare JSON: the time that a benchmark sees is the client's, not a sandbox's. */
const sessionKey = "6e2f1f0e-8d0b-4c52-9b0e-0d4f7a1c2b3a";
const interactionKey = "0d4f7a1c-2b3a-4c52-9b0e-6e2f1f0e8d0b";

const loggedIn = JSON.stringify({ status: "logged_in", key: sessionKey });
const interaction = JSON.stringify({
  status: "interaction_required",
  key: interactionKey,
  field: "otp",
  context: "Enter the code that was sent to your phone",
});

/** The user name that asks for an interaction in the first login, and one that does not. */
export const usernames = { plain: "12345678", interaction: "interaction-12345678" } as const;

/** The response to a login: an interaction for the first one of the user who wants it. */
export function findResponse(address: string, form: string): string {
  return address.includes("?key=") || !form.includes("username=interaction") ? loggedIn : interaction;
}
