import { createBankClient, createCredentials, createLinkMachine, createLoginMachine, secret } from "ventanilla";
import { type GetProviderOutput, type LinkRequest, linkMachine } from "ventanilla/machines/link";
import { expect, test } from "vitest";
import { type AnyActorRef, createActor, fromPromise, waitFor } from "xstate";
import { asks, startService } from "../bank/service.ts";
import { createCanary, findCanaries } from "./canaries.ts";

// No compiler checks a page in JavaScript: each event of both statecharts is sent with texts in place of secrets.
const canary = createCanary("plain text", "plain-canary-of-events");
const { value } = canary;
const credentials = createCredentials({ provider: "test", username: "ana", password: "1234" });
const interaction = { field: "otp", fields: ["otp"], context: "A code", number: 1, isRepeat: false, answersSent: 0 };
const paused = {
  id: "1",
  settings: {},
  provider: "test",
  credentials,
  key: secret("a-key"),
  interaction,
  clients: [],
  expiresAt: undefined,
  sessionReplaced: false,
};

const submits = [
  ["plain credentials", { provider: "test", username: value, password: value }, "credentials"],
  ["a plain field", { ...credentials, fields: { ...credentials.fields, password: value } }, "password"],
  ["a plain token beside the fields", { ...credentials, token: value }, "token"],
  ["text for credentials", value, "credentials"],
  ["a wrapped record in place of fields", { ...credentials, fields: secret(value) }, "credentials"],
  ["no credentials", undefined, "credentials"],
].map(([name, credentials, field]) => [name, { type: "credentials.submit", credentials }, field] as const);

const answers = [
  ["a text", value, "answer"],
  ["a plain answer", { otp: value }, "otp"],
  ["one plain answer of two", { otp: secret("1"), other: value }, "other"],
  ["an object around the text", { otp: { value } }, "otp"],
  ["no answer", undefined, "answer"],
].map(([name, answer, field]) => [name, { type: "interaction.answer", answer }, field] as const);

const resumes = [
  ["a plain key", { ...paused, key: value }, "key"],
  ["plain credentials", { ...paused, credentials: { ...credentials, fields: { username: value } } }, "username"],
  ["a plain token of a kept login", { id: "1", settings: {}, provider: "test", token: value }, "token"],
].map(([name, paused, field]) => [name, { type: "login.resume", paused }, field] as const);

const look = (actor: AnyActorRef) =>
  findCanaries([actor.getSnapshot(), JSON.stringify(actor.getPersistedSnapshot?.())], [canary]);

function expectRefused(actor: AnyActorRef, field: unknown) {
  expect(actor.getSnapshot().context.failure).toMatchObject({
    code: "invalid_input",
    field,
    detail: expect.stringMatching(/secret\(\)|createCredentials\(\)/),
  });
  expect(look(actor)).toEqual([]);
  actor.stop();
}

const unused = createBankClient({ baseUrl: "http://bank.test", apiKey: "k", fetch: () => Promise.reject(new Error()) });

test.each([...submits, ...resumes])("a login refuses %s: nothing of it is kept", (_, event, field) => {
  const actor = createActor(createLoginMachine(unused)).start();
  actor.send(event as never);
  expectRefused(actor, field);
});

test.each(answers)("a login refuses %s as an answer: nothing of it is kept or sent", async (_, event, field) => {
  const service = await startService([asks("otp", "key-1")]);
  const actor = createActor(createLoginMachine(service.client()), { input: { validate: false } }).start();
  actor.send({ type: "credentials.submit", credentials });
  await waitFor(actor, (snapshot) => snapshot.matches("awaitingInteraction"));
  actor.send(event as never);
  expectRefused(actor, field);
  expect(service.lines()).toEqual(["POST /login/"]);
});

test.each(resumes)("a link refuses %s", (_, event, field) => {
  const actor = createActor(createLinkMachine(unused)).start();
  actor.send(event as never);
  expectRefused(actor, field);
});

test.each([...submits, ...answers])("a link hands %s to its login, and keeps nothing of it", async (_, event) => {
  const detail = { name: "Test", country: "UY", auth_fields: [], account_type: [] };
  const getProvider = fromPromise<GetProviderOutput, LinkRequest>(async () => ({ status: "success", detail }));
  const machine = linkMachine.provide({ actors: { getProvider, login: createLoginMachine(unused) } });
  const actor = createActor(machine, { input: { provider: "test" } }).start();
  await waitFor(actor, (snapshot) => snapshot.matches("loggingIn"));
  actor.send(event as never);
  expect(look(actor)).toEqual([]);
  actor.stop();
});
