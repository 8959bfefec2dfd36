import { createBankClient, createLinkMachine, createLoginMachine, secret } from "ventanilla";
import { type LoginEvent, loginMachine } from "ventanilla/machines/login";
import { describe, expect, onTestFinished, test } from "vitest";
import { type AnyStateMachine, createActor, type Snapshot, waitFor } from "xstate";
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

describe("a stored snapshot of another shape is refused by the name of what is wrong", () => {
  const client = createBankClient({ baseUrl: "http://bank.test", apiKey: "key" });
  const machines = { login: createLoginMachine(client), link: createLinkMachine(client) };
  const readFresh = (machine: AnyStateMachine): object => createActor(machine, { input: {} }).getSnapshot().context;
  const context = { login: readFresh(machines.login), link: readFresh(machines.link) };

  test.each<["login" | "link", string, state: string, context: unknown]>([
    ["login", "snapshot.context", "idle", undefined],
    ["login", "snapshot.context.settings", "idle", {}],
    ["login", "snapshot.context.attempts", "idle", { ...context.login, attempts: undefined }],
    // NaN is null in JSON.
    ["login", "snapshot.context.attempts", "idle", { ...context.login, attempts: null }],
    ["login", "snapshot.context.clients", "idle", { ...context.login, clients: {} }],
    ["link", "snapshot.context.providers", "choosingProvider", { ...context.link, providers: "" }],
  ])("a %s: %s", async (flow, field, value, context) => {
    const snapshot = {
      status: "active",
      value,
      context,
      children: {},
      historyValue: {},
    } as unknown as Snapshot<unknown>;
    const machine: AnyStateMachine = machines[flow];
    const actor = createActor(machine, { input: {}, snapshot });
    expect(actor.getSnapshot()).toMatchObject({ status: "error", error: { code: "invalid_input", field } });
  });

  test("and one that went through JSON is taken, the login within a link included", async () => {
    for (const machine of Object.values(machines) as AnyStateMachine[]) {
      const actor = createActor(machine, { input: {} });
      const snapshot = JSON.parse(JSON.stringify(actor.getPersistedSnapshot()));
      expect(createActor(machine, { input: {}, snapshot }).getSnapshot()).toMatchObject({ status: "active" });
    }
  });
});

test("the statechart alone takes no input, and a request that nobody provided ends the login with its name", async () => {
  const actor = createActor(loginMachine).start();
  actor.send({ type: "credentials.submit", credentials });
  const { context } = await waitFor(actor, (reached) => reached.matches("failed"));
  expect(context).toMatchObject({ attempts: 1, failure: { code: "handler_failed", field: "submitCredentials" } });
});
