import { createBankClient } from "ventanilla";
import { loginMachine } from "ventanilla/machines/login";
import { expect, test } from "vitest";
import { createDurableActors } from "../../../src/restate/durable-actors.ts";
import {
  createRecord,
  type DurableEvent,
  hasPicture,
  isSettled,
  transitionRecord,
} from "../../../src/restate/durable-record.ts";
import { toDurableState } from "../../../src/restate/durable-state.ts";
import { createStepInspection } from "../../../src/restate/inspect-steps.ts";
import { dataUrl, png } from "../../api/pictures.ts";

const client = createBankClient({ baseUrl: "http://127.0.0.1:9", apiKey: "unused" });
const inspection = createStepInspection(loginMachine, undefined);
const slots = createDurableActors({ client, inspection, sealKey: Buffer.alloc(32).toString("base64"), sealTtl: 1000 });
const machine = loginMachine.provide({ actors: slots as never });
const credentials = { provider: "test", sealed: "sealed-form", expiresAt: 5000 };
const done = (slot: string, output: unknown): DurableEvent => ({
  type: `xstate.done.actor.${slot}`,
  output,
  actorId: slot,
});

const settings = { sessionReplacement: true, clientSelection: true };

function after(...events: DurableEvent[]) {
  let record = createRecord(machine, settings, credentials);
  let begun: string | undefined;
  for (const event of events) {
    const step = transitionRecord(machine, record, event);
    // What Restate keeps between two steps is JSON.
    record = JSON.parse(JSON.stringify({ ...record, value: step.value, context: step.context }));
    begun = step.begun?.id;
  }
  return { record, begun };
}

const submit: DurableEvent = { type: "credentials.submit", credentials };
const question = {
  status: "interaction_required",
  field: "otp",
  context: "Code?",
  key: "sealed-key",
  expiresAt: 9000,
};
const asked = done("submitCredentials", question);

const answered: DurableEvent = { type: "interaction.answer", answer: { interaction: 1, sealed: "sealed-answer" } };

test("each step begins an actor with its sealed input, and stops the one under way", () => {
  const first = transitionRecord(machine, createRecord(machine, {}, credentials), submit);
  expect(first).toMatchObject({ value: "submitting", stopped: false });
  expect(first.begun).toMatchObject({ id: "submitCredentials", src: "submitCredentials", input: { credentials } });
  const { record, begun } = after(submit, asked);
  expect(begun).toBe("interactionDeadline");
  expect(transitionRecord(machine, record, answered)).toMatchObject({
    stopped: true,
    begun: { id: "submitCredentials", input: { key: "sealed-key", answer: { sealed: "sealed-answer" } } },
  });
});

test("a question shows without its key", () => {
  const { record } = after(submit, asked);
  expect(isSettled(record)).toBe(true);
  expect(toDurableState(record)).toEqual({
    state: "awaitingInteraction",
    over: false,
    provider: "test",
    settings,
    interaction: { field: "otp", context: "Code?", number: 1, isRepeat: false, answersSent: 0, expiresAt: 9000 },
    expiresAt: 9000,
  });
});

test("a picture shows while somebody is to see it, and the record never holds it", () => {
  const picture = dataUrl("image/png", png);
  const submitting = after(submit).record;
  const step = transitionRecord(machine, submitting, done("submitCredentials", { ...question, context: picture }));
  expect(step.picture).toBe(picture);
  expect(JSON.stringify({ ...step, picture: undefined, snapshots: undefined })).not.toContain(png);
  const record = { ...submitting, value: step.value, context: step.context };
  expect(hasPicture(record)).toBe(true);
  expect(toDurableState(record, { picture }).interaction).toMatchObject({ field: "otp", context: picture });
  const next = transitionRecord(machine, record, answered);
  expect(next.picture).toBeUndefined();
  expect(hasPicture({ ...record, ...next })).toBe(false);
});

test("what has no place in a state changes nothing", () => {
  const { record } = after(submit);
  expect(transitionRecord(machine, record, { type: "client.choose", client: "0" })).toMatchObject({
    changed: false,
    begun: undefined,
  });
});

test("a session in the way is closed by itself where the settings say so, once", () => {
  const failure = { kind: "outcome", code: "max_sessions_reached" };
  const refused = done("submitCredentials", { status: "refused", failure, key: "sealed-other" });
  const { record, begun } = after(submit, refused);
  expect([record.value, begun]).toEqual(["replacingSession", "closeSession"]);
  const again = after(submit, refused, done("closeSession", { status: "logged_out" }), refused).record;
  expect(toDurableState(again)).toMatchObject({ state: "failed", over: true, key: "sealed-other" });
});

test("after the end nothing is left of the form", () => {
  const { record } = after(
    submit,
    asked,
    answered,
    done("submitCredentials", { status: "logged_in", key: "sealed-session" }),
  );
  expect(toDurableState(record)).toEqual({
    state: "loggedIn",
    over: true,
    provider: "test",
    settings,
    key: "sealed-session",
  });
  expect(JSON.stringify(record)).not.toMatch(/sealed-(form|answer)/);
});

test("outcome_unknown says what to do", () => {
  const unknown = { kind: "fault", code: "outcome_unknown", request: "POST /login/" };
  const slot = "submitCredentials";
  const { record } = after(submit, { type: `xstate.error.actor.${slot}`, error: unknown, actorId: slot });
  expect(toDurableState(record)).toMatchObject({
    state: "failed",
    over: true,
    failure: {
      code: "outcome_unknown",
      recovery: "wait",
      text: expect.stringContaining("Wait a few minutes before trying again"),
    },
  });
});

test("a record that the statechart can't read ends the login, with nothing secret left, and says so", () => {
  const { record } = after(submit, asked);
  const unreadable = { ...record, value: "waitingForTheBank" as never };
  const step = transitionRecord(machine, unreadable, { type: "login.cancel" });
  expect(step).toMatchObject({ changed: true, stopped: true, begun: undefined });
  const ended = { ...unreadable, value: step.value, context: step.context };
  expect(toDurableState(ended)).toMatchObject({ state: "failed", over: true, failure: { code: "unexpected_fault" } });
  expect(JSON.stringify(ended)).not.toMatch(/sealed-(form|key)/);
});

test("the statechart never has two requests or timers under way at once", () => {
  const counts = [...(machine.root.states ? walk(machine.root) : [])].map(({ invoke }) => invoke.length);
  expect(Math.max(...counts)).toBe(1);
});

type Node = typeof machine.root;
function* walk(node: Node): Generator<Node> {
  yield node;
  for (const child of Object.values(node.states) as Node[]) yield* walk(child);
}
