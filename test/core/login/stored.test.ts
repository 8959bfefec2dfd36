import { createBankClient, createLinkMachine, createLoginMachine, secret } from "ventanilla";
import { type LoginEvent, loginMachine } from "ventanilla/machines/login";
import { describe, expect, onTestFinished, test } from "vitest";
import { type AnyStateMachine, createActor, waitFor } from "xstate";
import { startService } from "../../bank/service.ts";
import { answer, credentials } from "./started.ts";

describe("a restored statechart", () => {
  const lacking: [what: string, value: "awaitingInteraction" | "selectClient", context: object, event: LoginEvent][] = [
    ["credentials", "awaitingInteraction", { key: secret("key-1") }, answer],
    ["key", "awaitingInteraction", { credentials }, answer],
    ["key", "selectClient", { clients: [{ id: "0", name: "Zero" }] }, { type: "client.choose", client: "0" }],
  ];

  test.each(lacking)(
    "fails with secret_unavailable, naming the %s that it lacks in %s",
    async (field, value, context, event) => {
      const service = await startService([]);
      const machine = createLoginMachine(service.client());
      const { context: initial } = createActor(machine, { input: {} }).getSnapshot();
      const interaction = {
        field: "otp",
        fields: ["otp"],
        context: "otp required",
        number: 1,
        isRepeat: false,
        answersSent: 0,
      };
      const snapshot = machine.resolveState({
        value: value === "selectClient" ? { selectClient: "choosing" } : value,
        context: { ...initial, interaction, ...context },
      });
      const actor = createActor(machine, { input: {}, snapshot });
      onTestFinished(() => void actor.stop());
      actor.start();
      actor.send(event);
      const failed = await waitFor(actor, (reached) => reached.matches("failed"));
      expect(failed.context.failure).toMatchObject({ kind: "fault", code: "secret_unavailable", field });
      expect(service.requests).toEqual([]);
    },
  );
});

test("a stored snapshot that went through JSON is taken, the login within a link included", () => {
  const client = createBankClient({ baseUrl: "http://bank.test", apiKey: "key" });
  for (const machine of [createLoginMachine(client), createLinkMachine(client)] as AnyStateMachine[]) {
    const actor = createActor(machine, { input: {} });
    const snapshot = JSON.parse(JSON.stringify(actor.getPersistedSnapshot()));
    expect(createActor(machine, { input: {}, snapshot }).getSnapshot()).toMatchObject({ status: "active" });
  }
});

test.each([{}, { settings: {} }, { attempts: null }, { interaction: null }, { interaction: {} }])(
  "a stored snapshot of another shape sends nothing: $0",
  async (context) => {
    const service = await startService([]);
    const machine: AnyStateMachine = createLoginMachine(service.client());
    const { context: fresh } = createActor(machine, { input: {} }).getSnapshot();
    const stored = JSON.stringify({
      status: "active",
      value: "awaitingInteraction",
      context: Object.keys(context).length === 0 ? context : { ...fresh, ...context },
      children: {},
      historyValue: {},
    });
    const actor = createActor(machine, { input: {}, snapshot: JSON.parse(stored) });
    actor.subscribe({ error: () => undefined });
    actor.start();
    actor.send(answer);
    // With a statechart that throws, its actor is over.
    await waitFor(actor, (reached) => reached.matches("failed")).catch(() => undefined);
    expect(service.requests).toEqual([]);
  },
);

test("the statechart alone takes no input, and a request that nobody provided ends the login with its name", async () => {
  const actor = createActor(loginMachine).start();
  actor.send({ type: "credentials.submit", credentials });
  const { context } = await waitFor(actor, (reached) => reached.matches("failed"));
  expect(context).toMatchObject({ attempts: 1, failure: { code: "handler_failed", field: "submitCredentials" } });
});
