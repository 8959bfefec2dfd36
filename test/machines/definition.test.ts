import { getStateNodes } from "@xstate/graph";
import { createBankClient, createLinkMachine, createLoginMachine, secret } from "ventanilla";
import { linkMachine } from "ventanilla/machines/link";
import { type CredentialsRequest, loginMachine, type SubmitOutput } from "ventanilla/machines/login";
import { describe, expect, test } from "vitest";
import { type AnyActorLogic, createActor, fromPromise, waitFor } from "xstate";
import { listStates } from "../../src/tools/trace/transitions.ts";
import { credentials } from "./login-cases.ts";

const createClient = () => createBankClient({ baseUrl: "http://bank.test", apiKey: "never-sent" });

// Their states: the types of test/types/right-use.ts, and the tables.
describe.each([
  ["login", createLoginMachine, loginMachine],
  ["link", createLinkMachine, linkMachine],
] as const)("the %s statechart", (id, createMachine, machine) => {
  test("has its id with a client", () => {
    expect(createMachine(createClient()).id).toBe(id);
  });

  test("itself fills no request: one that nobody provided ends in a fault that names it", async () => {
    // Waiting needs no bank, and the link has the login itself.
    const slots = Object.keys(machine.implementations.actors).filter(
      (slot) => !["waitUntil", "awaitApproval", "login"].includes(slot),
    );
    for (const slot of slots) {
      const logic = (machine.implementations.actors as Record<string, AnyActorLogic>)[slot] ?? expect.fail(slot);
      const actor = createActor(logic);
      const ended = new Promise((resolve) => actor.subscribe({ error: resolve }));
      actor.start();
      expect(await ended).toEqual({ code: "handler_failed", field: slot, detail: "no actor was provided" });
    }
    expect(slots.length).toBeGreaterThanOrEqual(3);
  });

  test("gives each state a description, which Stately Studio shows", () => {
    const states = listStates(machine).map(({ path }) => path);
    const described = getStateNodes(machine).filter(({ description }) => description);
    expect(described.map(({ path }) => path.join("."))).toEqual(states);
  });
});

test("a state of the login is busy with the bank, open to a person, or over; idle is none of them", () => {
  const states = getStateNodes(loginMachine).filter(({ type }) => type === "atomic" || type === "final");
  for (const { key, parent, invoke, tags: own } of states) {
    const tags = [...(parent?.tags ?? []), ...own];
    const rests = key === "idle" ? [] : ["over"];
    const slots = invoke.map(({ src }) => src);
    const waits = slots.includes("waitUntil") ? ["open"] : ["busy"];
    // They are left at once.
    if (["routing", "responded"].includes(key)) continue;
    expect({ key, tags }).toEqual({ key, tags: slots.length > 0 ? waits : rests });
  }
  expect(states.length).toBeGreaterThan(5);
});

test("a question waits for its time in a login of which only the request was provided", async () => {
  const submitCredentials = fromPromise<SubmitOutput, CredentialsRequest>(async () => ({
    status: "interaction_required",
    field: "otp",
    context: "Code?",
    key: secret("key"),
    expiresAt: Date.now(),
  }));
  const actor = createActor(loginMachine.provide({ actors: { submitCredentials } }), {
    input: { validate: false },
  }).start();
  actor.send({ type: "credentials.submit", credentials });
  const { context } = await waitFor(actor, (snapshot) => snapshot.matches("failed"));
  expect(context.failure).toEqual({ kind: "outcome", code: "expired" });
});
