/** The transitions that no person at a screen can bring about, or that no step shows: there are no paths for them. */
export const unreachable: readonly { readonly source: string; readonly event: string; readonly why: string }[] = [
  { source: "login.idle", event: "login.resume", why: "a program takes up a paused login, by its token" },
  { source: "login.selectClient.choosing", event: "client.choose, row 2", why: "a screen offers listed clients alone" },
  { source: "link.loggingIn", event: "xstate.error.actor.login", why: "a login ends its own faults as failures" },
  { source: "link.loggingIn", event: "choices.narrow, row 1", why: "a choice taken back changes choices, and no step" },
];
