import { expect, test } from "vitest";
import {
  createRecord,
  type DurableEvent,
  type DurableRecord,
  hasPicture,
  isSettled,
  transitionRecord,
} from "../../../../src/servers/restate/durable-record.ts";
import { toDurableState } from "../../../../src/servers/restate/durable-state.ts";
import { dataUrl, png } from "../../../core/api/pictures.ts";
import { answer, applyEvent, credentials, done, machine, question, submit } from "./login-steps.ts";

const settings = { validate: false, sessionReplacement: true, clientSelection: true };
const asked = done({ ...question, expiresAt: 9000 });

/** The record after these events, and the actor that the last one began. */
function apply(...events: DurableEvent[]) {
  let record = createRecord(machine, settings, credentials);
  let begun: string | undefined;
  for (const event of events) {
    const applied = applyEvent(record, event);
    record = applied.record;
    begun = applied.step.begun?.id;
  }
  return { record, begun };
}

test("each step begins an actor with its sealed input, and stops the one under way", () => {
  const first = transitionRecord(machine, createRecord(machine, {}, credentials), submit);
  expect(first).toMatchObject({ value: { submitting: "checkingFields" }, stopped: false });
  expect(first.begun).toMatchObject({ id: "checkFields", src: "checkFields", input: { credentials } });
  const checked = applyEvent(
    { ...createRecord(machine, {}, credentials), ...first },
    done({ status: "success" }, "checkFields"),
  );
  expect(checked.step).toMatchObject({ value: { submitting: "sendingCredentials" }, stopped: true });
  expect(checked.step.begun).toMatchObject({
    id: "submitCredentials",
    src: "submitCredentials",
    input: { credentials },
  });
  const { record, begun } = apply(submit, asked);
  expect(begun).toBe("interactionDeadline");
  expect(transitionRecord(machine, record, answer)).toMatchObject({
    stopped: true,
    begun: { id: "submitAnswer", input: { key: "sealed-key", answer: { sealed: "sealed-answer" } } },
  });
});

test("the state of a question contains no key", () => {
  const { record } = apply(submit, asked);
  expect(isSettled(record)).toBe(true);
  expect(toDurableState(record)).toEqual({
    state: "awaitingInteraction",
    over: false,
    provider: "test",
    settings,
    interaction: {
      field: "otp",
      fields: ["otp"],
      context: "Code?",
      number: 1,
      isRepeat: false,
      answersSent: 0,
      expiresAt: 9000,
    },
    expiresAt: 9000,
  });
});

test("a confirmation does not say that it continues automatically: no worker waits for the bank's app", () => {
  const { record, begun } = apply(submit, done({ ...question, awaitsApproval: true }));
  expect(begun).toBe("interactionDeadline");
  expect(toDurableState(record).interaction).toMatchObject({ field: "otp" });
  expect(toDurableState(record).interaction).not.toHaveProperty("awaitsApproval");
});

test("a picture is shown until the answer, and the record never contains it", () => {
  const picture = dataUrl("image/png", png);
  const submitting = apply(submit).record;
  const step = transitionRecord(machine, submitting, done({ ...question, context: picture }));
  expect(step.picture).toBe(picture);
  expect(JSON.stringify({ ...step, picture: undefined, snapshots: undefined })).not.toContain(png);
  const record = { ...submitting, value: step.value, context: step.context };
  expect(hasPicture(record)).toBe(true);
  expect(toDurableState(record, { picture }).interaction).toMatchObject({ field: "otp", context: picture });
  const next = transitionRecord(machine, record, answer);
  expect(next.picture).toBeUndefined();
  expect(hasPicture({ ...record, ...next })).toBe(false);
});

test("an event that a state does not accept changes nothing", () => {
  const step = transitionRecord(machine, apply(submit).record, { type: "client.choose", client: "0" });
  expect(step).toMatchObject({ changed: false, begun: undefined });
});

test("a session that blocks the login is closed where the settings say so, once", () => {
  const failure = { kind: "outcome", code: "max_sessions_reached" };
  const refused = done({ status: "refused", failure, key: "sealed-other" });
  const { record, begun } = apply(submit, refused);
  expect([record.value, begun]).toEqual(["replacingSession", "closeSession"]);
  const again = apply(submit, refused, done({ status: "logged_out" }, "closeSession"), refused).record;
  expect(toDurableState(again)).toMatchObject({ state: "failed", over: true, key: "sealed-other" });
});

test("after the end neither form nor answer is left", () => {
  const { record } = apply(
    submit,
    asked,
    answer,
    done({ status: "logged_in", key: "sealed-session", loggedInAt: 7 }, "submitAnswer"),
  );
  const state = { state: "loggedIn", over: true, provider: "test", settings, key: "sealed-session", loggedInAt: 7 };
  expect(toDurableState(record)).toEqual(state);
  expect(JSON.stringify(record)).not.toMatch(/sealed-(form|answer)/);
});

test("the state of outcome_unknown says what to do", () => {
  const unknown = { kind: "fault", code: "outcome_unknown", request: "POST /login/" };
  const slot = "submitCredentials";
  const { record } = apply(submit, { type: `xstate.error.actor.${slot}`, error: unknown, actorId: slot });
  const text = expect.stringContaining("Wait a few minutes before trying again");
  const failure = { code: "outcome_unknown", recovery: "wait", text };
  expect(toDurableState(record)).toMatchObject({ state: "failed", over: true, failure });
});

test("a record that the statechart can't read ends the login in a fault, without a secret", () => {
  const unreadable: DurableRecord = { ...apply(submit, asked).record, value: "waitingForTheBank" as never };
  const { step, record } = applyEvent(unreadable, { type: "login.cancel" });
  expect(step).toMatchObject({ changed: true, stopped: true, begun: undefined });
  expect(toDurableState(record)).toMatchObject({ state: "failed", over: true, failure: { code: "unexpected_fault" } });
  expect(JSON.stringify(record)).not.toMatch(/sealed-(form|key)/);
});

test("the statechart never has two requests or timers under way at once", () => {
  const counts = [...walk(machine.root)].map(
    ({ invoke }) =>
      // No worker waits for the bank's app.
      invoke.filter(({ src }) => src !== "awaitApproval").length,
  );
  expect(Math.max(...counts)).toBe(1);
});

type Node = typeof machine.root;
function* walk(node: Node): Generator<Node> {
  yield node;
  for (const child of Object.values(node.states) as Node[]) yield* walk(child);
}
