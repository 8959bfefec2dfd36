import { createCredentials, createRelayClient, loginView, pause, reveal, type Secret, secret } from "ventanilla";
import { createRelay } from "ventanilla/relay";
import { createMemoryStore } from "ventanilla/tokens";
import { expect, test } from "vitest";
import type { LoginSnapshot } from "../../../src/core/login/login-state.ts";
import { readCredentials } from "../../../src/programs/cli/login/credentials-file.ts";
import { openCredentials, sealCredentials } from "../../../src/servers/restate/durable-seals.ts";
import {
  asks,
  bankWith,
  field,
  loggedIn,
  loginUnread,
  person,
  type Received,
  selectClient,
  startService,
} from "../../bank/service.ts";
import { readPosition } from "../../machines/position.ts";
import { KEY, takeUp } from "../pause/paused.ts";
import { start } from "./started.ts";

// Members of Object.prototype, and names that libraries treat specially. A bank may use any of them.
const names = ["__proto__", "constructor", "prototype", "toString", "valueOf", "hasOwnProperty", "then", "length"];
const fields = Object.fromEntries(names.map((name) => [name, `typed into ${name}`]));
const form = { ...person, fields };
const key = "3f1c1a5e-7a1d-4f6e-9a39-6d7d5f0b7c11";

const detail = bankWith(...names.map((name) => field({ name })));

/** What arrived at the bank, name by name. */
const sent = (request: Received | undefined) => Object.fromEntries(new URLSearchParams(request?.body));
const whole = { ...fields, ...person };

const revealAll = (values: Readonly<Record<string, Secret>>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, reveal(value)]));

test("loginView accepts and submits fields with special names", async () => {
  const { service, actor, reaches } = await start([loggedIn(key)]);
  const view = loginView(actor.getSnapshot() as LoginSnapshot, actor, { provider: "test", detail });
  if (view.state !== "idle") throw new Error(view.state);
  const typed = { username: person.username, password: person.password, ...fields };
  expect(await view.form.schema["~standard"].validate(typed)).toEqual({ value: typed });
  const empty = await view.form.schema["~standard"].validate({});
  expect(empty.issues?.map(({ path }) => path?.[0])).toEqual(["username", "password", ...names]);
  const errors = view.submit({ username: person.username, password: person.password });
  expect(Object.keys(errors ?? {})).toEqual(names);
  view.submit(typed);
  await reaches("loggedIn");
  expect(sent(service.requests[0])).toEqual(whole);
});

test.each(names)("pause and resume keep fields with special names, and an answer to %s", async (field) => {
  const crowded = { json: { status: "max_sessions_reached", key } };
  const closed = { json: { status: "logged_out" } };
  const script = [asks(field, key), crowded, closed, loggedIn(key)];
  const { service, actor, reaches } = await start(script, { sessionReplacement: true });
  const view = loginView(actor.getSnapshot() as LoginSnapshot, actor, { provider: "test", detail });
  if (view.state !== "idle") throw new Error(view.state);
  view.submit({ username: person.username, password: person.password, ...fields });
  await reaches("awaitingInteraction");
  const resumed = await takeUp(service, await pause(service.client(), actor, { key: KEY }));
  expect(readPosition(resumed.actor.getSnapshot())).toBe("awaitingInteraction");
  resumed.actor.send({ type: "interaction.answer", answer: { [field]: secret("8888") } });
  await resumed.reaches("failed");
  expect(sent(service.requests[1])).toEqual({ ...person, [field]: "8888" });
  // The login that begins anew needs the whole form.
  resumed.actor.send({ type: "session.replace" });
  await resumed.reaches("loggedIn");
  expect(sent(service.requests[3])).toEqual(whole);
});

test.each(names)("pause and resume keep a client with the id %s, which can be chosen", async (client) => {
  // Text: an object would take `__proto__` for its prototype.
  const clients = { text: `{"status":"success","clients":{${names.map((id) => `"${id}":"Client ${id}"`)}}}` };
  const script = [selectClient(key), clients, loggedIn(key)];
  const { service, actor, reaches } = await start(script, { clientSelection: true });
  actor.send({ type: "credentials.submit", credentials: createCredentials(form) });
  await reaches("selectClient.choosing");
  const resumed = await takeUp(service, await pause(service.client(), actor, { key: KEY }));
  const shown = loginView(resumed.actor.getSnapshot() as LoginSnapshot, resumed.actor, { provider: "test" });
  if (shown.state !== "selectClient") throw new Error(shown.state);
  expect(shown.clients).toEqual(names.map((id) => ({ id, name: `Client ${id}` })));
  shown.choose(client);
  const chosen = await service.arrival(3);
  expect(chosen.url).toBe(`/client/${client}/?key=${key}`);
});

test("readCredentials keeps fields and answers with special names", () => {
  const text = JSON.stringify({ fields, answers: fields });
  const known = readCredentials(text, "credentials");
  expect(revealAll(known.fields)).toEqual(fields);
  expect(revealAll(known.answers)).toEqual(fields);
  const [first] = names;
  expect(() => readCredentials(text.replace(`typed into ${first}`, ""), "credentials")).toThrow(
    `credentials.fields.${first}`,
  );
});

test("sealCredentials keeps fields with special names", async () => {
  const options = { id: "one", sealKey: KEY };
  const opened = await openCredentials(await sealCredentials(form, options), options);
  expect(revealAll(opened.fields)).toEqual({ ...fields, username: person.username, password: person.password });
});

test("the relay passes on fields and answers with special names", async () => {
  const service = await startService([...names.map((field) => asks(field, key)), loggedIn(key)]);
  const page = "https://shop.example";
  const relay = createRelay({
    client: service.client(),
    store: createMemoryStore({ rows: new Map() }),
    allowedOrigins: [page],
    readCaller: () => "page",
    onLogin: () => undefined,
  });
  const client = createRelayClient({
    baseUrl: page,
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set("origin", page);
      return relay(new Request(input, { ...init, headers }));
    },
  });
  const outcome = await loginUnread(client, form, { onInteraction: ({ field }) => `answered ${field}` });
  expect(outcome.state).toBe("loggedIn");
  expect(sent(service.requests[0])).toEqual(whole);
  for (const [index, name] of names.entries()) {
    expect(sent(service.requests[index + 1])).toEqual({ ...person, [name]: `answered ${name}` });
  }
});
