import { type LoginOptions, type LoginState, login } from "ventanilla";
import { expect, test } from "vitest";
import { asks, type Line, loggedIn, person, selectClient, startService } from "../bank/service.ts";

const clients = { json: { status: "success", clients: { 0: "First Client" } } };
const chosen = { json: { status: "success" } };
const tooMany = { json: { status: "max_sessions_reached", key: "other" } };
const loggedOut = { json: { status: "logged_out" } };
const provider = { json: { status: "success", provider: { name: "Test", auth_fields: [] } } };

const paths: [what: string, options: Partial<LoginOptions>, script: readonly Line[], states: LoginState[]][] = [
  ["a login with validate", { validate: true }, [provider, loggedIn("key-1")], ["idle", "submitting", "loggedIn"]],
  [
    "a choice of client after an interaction",
    { onInteraction: () => "8888", onSelectClient: () => "0" },
    [asks("otp", "key-1"), selectClient("key-2"), clients, chosen],
    [
      "idle",
      "submitting",
      "awaitingInteraction",
      "submitting",
      "selectClient.listing",
      "selectClient.choosing",
      "selectClient.selecting",
      "loggedIn",
    ],
  ],
  [
    "a session replaced",
    { sessionReplacement: true },
    [tooMany, loggedOut, loggedIn("key-1")],
    ["idle", "submitting", "failed", "replacingSession", "submitting", "loggedIn"],
  ],
];

test.each(paths)("onTransition gets each state of %s", async (_, options, script, states) => {
  const service = await startService(script);
  const reached: LoginState[] = [];
  await login(service.client(), {
    ...person,
    ...options,
    onTransition: (state) => reached.push(state),
  }).catch(() => undefined);
  expect(reached).toEqual(states);
  expect(service.requests).toHaveLength(script.length);
});
