import { type LoginState, readState, secret } from "ventanilla";
import { loginMachine } from "ventanilla/machines/login";
import { expect, test } from "vitest";

const key = secret("key-of-the-session");
const name = { id: "a-login", provider: "test" };
const interaction = { field: "otp", fields: ["otp"], context: "A code", number: 1, isRepeat: false, answersSent: 0 };
const clients = [{ id: "0", name: "Ana" }];
const refused = { kind: "outcome", code: "wrong_credentials" } as const;
const sending = (request: string) => ({ state: "submitting", ...name, request });

// By hand: where the chart is (contract, section 3), and what it is called.
test.each<[where: string | object, context: object, LoginState | object]>([
  ["idle", {}, { state: "idle" }],
  [{ submitting: "checkingFields" }, {}, sending("checkFields")],
  [{ submitting: "sendingCredentials" }, {}, sending("submitCredentials")],
  [{ submitting: "sendingAnswer" }, { interaction }, sending("submitAnswer")],
  [{ submitting: "resuming" }, {}, sending("resume")],
  ["awaitingInteraction", { interaction }, { state: "awaitingInteraction", ...name, interaction }],
  [{ selectClient: "listing" }, { key }, sending("listClients")],
  [{ selectClient: "choosing" }, { key, clients }, { state: "selectClient", ...name, key, clients }],
  [{ selectClient: "selecting" }, { key, clients }, sending("selectClient")],
  [
    { selectClient: "resting" },
    { key },
    { state: "failed", ...name, key, failure: { kind: "outcome", code: "client_selection_off" } },
  ],
  ["replacingSession", { key }, sending("closeSession")],
  ["failed", { failure: refused }, { state: "failed", ...name, failure: refused }],
  ["loggedIn", { key, loggedInAt: 7 }, { state: "loggedIn", ...name, key, loggedInAt: 7 }],
])("a login at %j is read as plain data, in the chart's words", (value, context, state) => {
  const snapshot = loginMachine.resolveState({
    value: value as "idle",
    context: { ...loginMachine.getInitialSnapshot(undefined as never, {}).context, ...name, ...context },
  });
  expect(readState(snapshot)).toEqual(state);
});
