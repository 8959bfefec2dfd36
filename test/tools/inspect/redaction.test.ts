import { createBankClient, createLinkMachine, secret } from "ventanilla";
import { inspectRecording } from "ventanilla/inspect";
import { loginMachine } from "ventanilla/machines/login";
import { beforeAll, describe, expect, test } from "vitest";
import { assign, createActor, fromPromise, type InspectionEvent, setup, waitFor } from "xstate";
import type { AnswerRequest, Credentials, CredentialsRequest, SubmitOutput } from "../../../machines/login.types.ts";
import { findCanaries, newCanaries } from "../../leaks/canaries.ts";

describe("plain text that an actor returns to the statechart", () => {
  // What is typed in has to be a secret: test/leaks/plain.test.ts. An actor of a program's own can return anything.
  const canaries = newCanaries(["replyKey", "question", "detail"]);
  const { replyKey, question, detail } = canaries;
  const plain = (value: string) => value as never;
  const credentials: Credentials = {
    id: "a-login",
    provider: "test",
    fields: { username: secret("u"), password: secret("p"), document_type: secret("d") },
  };
  const wrong = { kind: "outcome", code: "wrong_credentials", httpStatus: 403 } as const;
  const key = plain(replyKey.token);
  const careless = loginMachine.provide({
    actors: {
      submitCredentials: fromPromise<SubmitOutput, CredentialsRequest>(async () => ({
        status: "interaction_required",
        field: "otp",
        context: question.value,
        key,
      })),
      submitAnswer: fromPromise<SubmitOutput, AnswerRequest>(async () => ({
        status: "refused",
        failure: { ...wrong, detail: detail.value, field: detail.value },
        key,
      })),
      waitUntil: fromPromise<void, { readonly time: number | undefined }>(() => new Promise(() => {})),
    },
  });

  const recorder = inspectRecording();
  const raw: InspectionEvent[] = [];

  beforeAll(async () => {
    const inspect = (event: InspectionEvent) => {
      raw.push(event);
      recorder.inspect(event);
    };
    const actor = createActor(careless, { input: { validate: false }, inspect }).start();
    actor.send({ type: "credentials.submit", credentials });
    await waitFor(actor, (snapshot) => snapshot.matches("awaitingInteraction"));
    actor.send({ type: "interaction.answer", answer: { otp: secret("8888") } });
    await waitFor(actor, (snapshot) => snapshot.matches("failed"));
  });

  test("is in the events of XState, and not in the trace", () => {
    const found = findCanaries(raw, Object.values(canaries)).map((finding) => finding.split(" ")[0]);
    expect([...new Set(found)].sort()).toEqual(Object.keys(canaries).sort());
    const trace = recorder.trace();
    expect(findCanaries([trace, JSON.stringify(trace)], Object.values(canaries))).toEqual([]);
  });

  test("leaves names, codes and numbers in the trace", () => {
    const { events } = recorder.trace();
    const credentials = { id: "a-login", provider: "test", fields: ["username", "password", "document_type"] };
    const output = { status: "interaction_required", field: "otp", key: true };
    expect(events.flatMap((event) => (event.type === "@xstate.event" ? [event.event] : []))).toEqual(
      expect.arrayContaining([
        { type: "credentials.submit", credentials },
        { type: "xstate.done.actor.submitCredentials", output },
        { type: "interaction.answer" },
      ]),
    );
    const failed = events.findLast((event) => event.type === "@xstate.snapshot" && event.snapshot.value === "failed");
    const interaction = { field: "otp", number: 1, isRepeat: false, answersSent: 0 };
    const context = { id: "a-login", provider: "test", interaction, sessionReplaced: false, failure: wrong };
    expect(failed).toHaveProperty("snapshot", { status: "active", value: "failed", context });
  });
});

test("a trace of another statechart has its names and states only", () => {
  const { token } = newCanaries(["foreign"]).foreign;
  const machine = setup({
    types: {
      context: {} as { provider: string },
      events: {} as { type: string; provider: string },
      input: {} as string,
    },
    actions: { keep: assign({ provider: ({ event }) => event.provider }) },
  }).createMachine({
    id: "shop",
    context: ({ input }) => ({ provider: input }),
    initial: "open",
    states: { open: { on: { "provider.choose": { target: "closed", actions: "keep" } } }, closed: {} },
  });
  const recorder = inspectRecording();
  const actor = createActor(machine, { input: token, inspect: recorder.inspect });
  actor.start();
  actor.send({ type: "provider.choose", provider: token });
  actor.send({ type: `${token} with spaces`, provider: token });
  const { events } = recorder.trace();
  expect(findCanaries(JSON.stringify(events), [{ name: "foreign", token, value: token }])).toEqual([]);
  const states = { open: { on: { "provider.choose": { target: "closed", actions: "keep" } } }, closed: {} };
  expect(events[0]).toMatchObject({ name: "shop", definition: { id: "shop", initial: "open", states } });
  expect(
    events.flatMap((event) => (event.type === "@xstate.snapshot" ? [event.event.type, event.snapshot.value] : [])),
  ).toEqual(["xstate.init", "open", "provider.choose", "closed", "[unnamed]", "closed"]);
});

test("an unreadable event does not break the login", () => {
  expect(() => inspectRecording().inspect({ type: "@xstate.snapshot" } as never)).not.toThrow();
});

test("a definition has names in place of functions, and nothing that was provided", () => {
  const client = createBankClient({ baseUrl: "http://bank.test", apiKey: secret("api-key-of-nobody") });
  const recorder = inspectRecording();
  createActor(createLinkMachine(client), { input: {}, inspect: recorder.inspect });
  const text = JSON.stringify(recorder.trace().events[0]);
  expect(text).not.toMatch(/api-key-of-nobody|=>|function|params/);
  expect(text).toContain(
    '"onDone":[{"guard":{"type":"isRefused"},"target":"failed","actions":{"type":"storeRefusal"}}',
  );
});
