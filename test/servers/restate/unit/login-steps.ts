import { createBankClient } from "ventanilla";
import { loginMachine } from "ventanilla/machines/login";
import { createDurableActors } from "../../../../src/servers/restate/durable-actors.ts";
import {
  type DurableEvent,
  type DurableRecord,
  type Step,
  toSealedMachine,
  transitionRecord,
} from "../../../../src/servers/restate/durable-record.ts";
import { createStepInspection } from "../../../../src/servers/restate/inspect-steps.ts";

/** The statechart as a worker has it. No request is sent: a test applies events to records. */
export const machine = toSealedMachine(loginMachine).provide({
  actors: createDurableActors({
    client: createBankClient({ baseUrl: "http://127.0.0.1:9", apiKey: "unused" }),
    inspection: createStepInspection(loginMachine, undefined),
    sealKey: Buffer.alloc(32).toString("base64"),
    sealTtl: 1000,
  }) as never,
});

export const credentials = { id: "7.a-login", provider: "test", sealed: "sealed-form", expiresAt: 5000 };
export const question = { status: "interaction_required", field: "otp", context: "Code?", key: "sealed-key" };

/** The result of an actor. */
export const done = (output: unknown, slot = "submitCredentials"): DurableEvent => ({
  type: `xstate.done.actor.${slot}`,
  output,
  actorId: slot,
});

export const submit: DurableEvent = { type: "credentials.submit", credentials };
export const answer: DurableEvent = { type: "interaction.answer", answer: { interaction: 1, sealed: "sealed-answer" } };

/** Applies an event, and converts the record to JSON and back, as Restate does between two steps. */
export function applyEvent(record: DurableRecord, event: DurableEvent): { step: Step; record: DurableRecord } {
  const step = transitionRecord(machine, record, event);
  return { step, record: JSON.parse(JSON.stringify({ ...record, value: step.value, context: step.context })) };
}
