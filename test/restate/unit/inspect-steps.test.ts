import { createBankClient } from "ventanilla";
import { loginMachine } from "ventanilla/machines/login";
import { type LifecycleEvent, onLifecycle } from "ventanilla/telemetry";
import { expect, onTestFinished, test, vi } from "vitest";
import { readState } from "../../../src/login/login-state.ts";
import { createDurableActors } from "../../../src/restate/durable-actors.ts";
import { createRecord, type DurableEvent, transitionRecord } from "../../../src/restate/durable-record.ts";
import { createStepInspection } from "../../../src/restate/inspect-steps.ts";
import type { Inspect } from "../../../src/trace/traced-actors.ts";
import { line } from "../../telemetry/observed.ts";

const client = createBankClient({ baseUrl: "http://127.0.0.1:9", apiKey: "unused" });
const inspection = createStepInspection(loginMachine, undefined);
const slots = createDurableActors({ client, inspection, sealKey: Buffer.alloc(32).toString("base64"), sealTtl: 1000 });
const machine = loginMachine.provide({ actors: slots as never });
const credentials = { provider: "test", sealed: "sealed-form", expiresAt: 5000 };
const done = (output: unknown): DurableEvent => ({
  type: "xstate.done.actor.submitCredentials",
  output,
  actorId: "submitCredentials",
});
const submit: DurableEvent = { type: "credentials.submit", credentials };
const asked = done({ status: "interaction_required", field: "otp", context: "Code?", key: "sealed-key" });
const answer: DurableEvent = { type: "interaction.answer", answer: { interaction: 1, sealed: "sealed-answer" } };

/** Takes the steps of a login, 100 milliseconds apart, each in front of an inspect function of its own. */
function takeSteps(events: readonly DurableEvent[], createInspect: () => Inspect): void {
  let record = createRecord(machine, {}, credentials);
  for (const [index, event] of events.entries()) {
    const step = transitionRecord(machine, record, event);
    const past = {
      provider: "test",
      state: readState(record),
      duration: index * 100,
      interactions: record.context.interaction?.number ?? 0,
    };
    const inspection = createStepInspection(machine, createInspect());
    inspection.step({ id: "5.a", past: index === 0 ? undefined : past }, step.snapshots);
    record = JSON.parse(JSON.stringify({ ...record, value: step.value, context: step.context }));
  }
}

test.each<[string, readonly DurableEvent[], readonly string[]]>([
  [
    "is finished",
    [submit, asked, answer, done({ status: "logged_in", key: "sealed-session" })],
    [
      "login.started started at test in submitting after 0",
      "interaction.required interaction_required at test in answering after 100 field=otp number=1 answersSent=0",
      "login.finished logged_in at test in loggedIn after 300 interactions=1",
    ],
  ],
  [
    "is cancelled",
    [submit, asked, { type: "login.cancel" }],
    [
      "login.started started at test in submitting after 0",
      "interaction.required interaction_required at test in answering after 100 field=otp number=1 answersSent=0",
      "login.cancelled cancelled at test in answering after 200 interactions=1",
    ],
  ],
])("a login that %s, each step in another process, has the events of one login", (_, events, expected) => {
  const told: LifecycleEvent[] = [];
  takeSteps(events, () => onLifecycle((event) => told.push(event), { now: () => 5000 }));
  expect(told.map(line)).toEqual(expected);
  expect(new Set(told.map(({ id }) => id))).toEqual(new Set(["5.a"]));
});

test("what an inspect function throws does not reach the login", () => {
  const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  onTestFinished(() => warn.mockRestore());
  const fail = () => {
    throw new Error("not today");
  };
  takeSteps([submit], () => fail);
  expect(warn).toHaveBeenCalledOnce();
});

test("nothing sealed is shown", () => {
  const shown: unknown[] = [];
  takeSteps([submit, asked, answer], () => (inspected) => {
    if ("snapshot" in inspected) shown.push(inspected.snapshot);
  });
  expect(shown).toHaveLength(3);
  expect(JSON.stringify(shown)).not.toContain("sealed-");
});
