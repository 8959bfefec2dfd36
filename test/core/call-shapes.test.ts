import {
  BankError,
  createBankClient,
  createCredentials,
  createLinkMachine,
  createLoginMachine,
  createRelayClient,
  interactionKind,
  login,
  pause,
  resume,
  secret,
} from "ventanilla";
import { batch } from "ventanilla/batch";
import { describe, expect, test } from "vitest";
import { type Actor, createActor } from "xstate";
import { asks, loggedIn, person, startService } from "../bank/service.ts";
import { createMemoryJournal } from "./batch/memory-journal.ts";
import { KEY } from "./pause/paused.ts";

// What JavaScript passes, which no compiler checks. Each is refused before anything is sent, and the error says what to write.

type Untyped = (...args: unknown[]) => unknown;
const untyped = (call: unknown) => call as Untyped;

const client = createBankClient({ baseUrl: "http://bank.test", apiKey: "never-sent" });
const journal = createMemoryJournal();
const key = KEY;
const promised = Promise.resolve(client);
const isPromise = "is a promise: write `await` before it";
const isClient = "must come from createBankClient or createRelayClient";
const isObject = /^must be an object, such as \{ \w+/;
const first = (...args: unknown[]) => (untyped(batch)(...args) as AsyncGenerator).next();

const readFault = async (call: () => unknown) => {
  try {
    await call();
  } catch (error) {
    expect(error).toBeInstanceOf(BankError);
    return error as BankError;
  }
  throw new Error("was not refused");
};

describe("invalid_input names what is missing or of another shape, and says what to write:", () => {
  test.each<[call: string, field: string, detail: string | RegExp, run: () => unknown]>([
    ["createBankClient()", "options", isObject, () => untyped(createBankClient)()],
    ["createRelayClient()", "options", isObject, () => untyped(createRelayClient)()],
    ["createCredentials()", "options", isObject, () => untyped(createCredentials)()],
    ["login()", "client", isClient, () => untyped(login)()],
    ["login(options)", "client", isClient, () => untyped(login)({ baseUrl: "http://bank.test", ...person })],
    ["login(promise, …)", "client", isPromise, () => untyped(login)(promised, person)],
    ["login(client)", "options", isObject, () => untyped(login)(client)],
    ["login, a text", "options", isObject, () => untyped(login)(client, "test")],
    [
      "login, a promise of a password",
      "password",
      isPromise,
      () => untyped(login)(client, { ...person, password: Promise.resolve("x") }),
    ],
    [
      "login, an object for a text",
      "username",
      "must be a string or a secret: give each field alone",
      () => untyped(login)(client, { ...person, username: { document: "1" } }),
    ],
    ["pause()", "client", "must be an object", () => untyped(pause)(undefined, undefined, { key })],
    ["pause(client)", "options", isObject, () => untyped(pause)(client)],
    [
      "pause(client, promise, …)",
      "login",
      "must be the actor of a login",
      () => untyped(pause)(client, Promise.resolve(), { key }),
    ],
    ["resume()", "client", isClient, () => untyped(resume)()],
    ["resume(client)", "token", "must be a string: await pause()", () => untyped(resume)(client)],
    ["resume(client, token)", "options", isObject, () => untyped(resume)(client, "token")],
    ["batch()", "client", isClient, () => first()],
    ["batch(client)", "options", isObject, () => first(client)],
    ["batch(client, undefined, …)", "rows", "must be an object", () => first(client, undefined, { journal })],
    ["createLoginMachine()", "client", isClient, () => untyped(createLoginMachine)()],
    ["createLinkMachine()", "client", isClient, () => untyped(createLinkMachine)()],
    ["interactionKind()", "interaction", "must be an object", () => untyped(interactionKind)()],
    ["client.login(promise)", "fields", isPromise, () => untyped(client.login)(Promise.resolve(person))],
    [
      "client.login, with fields",
      "fields",
      "must be a string or a secret: give each field alone",
      () => untyped(client.login)({ ...person, fields: { type: "pers" } }),
    ],
    ["client.getProvider()", "code", "must be a string or a secret", () => untyped(client.getProvider)()],
  ])("%s", async (_, field, detail, run) => {
    const fault = await readFault(run);
    expect(fault).toMatchObject({ code: "invalid_input", field });
    if (typeof detail === "string") expect(fault.detail).toBe(detail);
    else expect(fault.detail).toMatch(detail);
  });
});

describe("missing_field names the first that a login lacks:", () => {
  test.each<[call: string, field: string, run: () => unknown]>([
    ["login(client, {})", "provider", () => untyped(login)(client, {})],
    ["login, a variable that is not set", "username", () => untyped(login)(client, { ...person, username: undefined })],
    ["client.login({})", "provider", () => untyped(client.login)({})],
  ])("%s", async (_, field, run) => {
    expect(await readFault(run)).toMatchObject({ code: "missing_field", field });
  });
});

// A form, a path and a digest would have U+FFFD in its place.
describe("half a surrogate pair is refused where it is given:", () => {
  const half = "a\ud800";
  const row = { ...person, id: "row" };
  test.each<[what: string, field: string, run: () => unknown]>([
    [
      "the address of a service",
      "baseUrl",
      () => createBankClient({ baseUrl: `http://bank.test/${half}`, apiKey: "k" }),
    ],
    ["the path of a relay", "baseUrl", () => createRelayClient({ baseUrl: `/${half}` })],
    ["a bank", "provider", () => createCredentials({ ...person, provider: half })],
    ["a user name", "username", () => createCredentials({ ...person, username: secret(half) })],
    ["a field's value", "type", () => createCredentials({ ...person, fields: { type: half } })],
    ["a field's name", "fields", () => createCredentials({ ...person, fields: { [half]: "x" } })],
    ["the name of a row", "id", () => first(client, [{ ...row, id: half }], { journal })],
    ["the code of a bank to read", "code", () => client.getProvider(half)],
    ["a client to select", "client", () => client.selectClient("key", half)],
    ["a choice", "choice.value", () => client.getProvider("test", { choice: { field: "type", value: half } })],
  ])("%s", async (_, field, run) => {
    expect(await readFault(run)).toMatchObject({ code: "invalid_input", field, detail: "must be well-formed Unicode" });
  });

  test.each<[what: string, answer: string | Record<string, string>, field: string]>([
    ["an answer", half, "otp"],
    ["the name of an answer", { otp: "1", [half]: "2" }, "answer"],
  ])("%s", async (_, answer, field) => {
    const service = await startService([asks("otp", "key-1"), loggedIn("key-1")]);
    const outcome = await login(service.client(), person, { settings: { validate: false } });
    if (outcome.state !== "awaitingInteraction") throw new Error(outcome.state);
    expect(await readFault(() => outcome.answer(answer))).toMatchObject({ code: "invalid_input", field });
    expect(service.lines()).toHaveLength(1);
    await outcome.cancel();
  });
});

test("a key that is a plain text, of a method that waits for an approval, reaches nothing that watches", async () => {
  const key = "5e0a0b9a-plain-key-canary";
  for (const thrown of [
    Object.assign(new BankError("network_failed"), { key }),
    new BankError("network_failed", untyped(Object)({ key }) as object),
    { code: "network_failed", key },
  ]) {
    const service = await startService([
      { json: { status: "interaction_required", key: "k", field: "push", context: "Approve in the app" } },
    ]);
    const seen: unknown[] = [];
    const failing = { ...service.client(), awaitApproval: () => Promise.reject(thrown) };
    const actor: Actor<ReturnType<typeof createLoginMachine>> = createActor(createLoginMachine(failing), {
      input: { validate: false },
      inspect: (event) => void seen.push(event),
    });
    const told = new Promise((resolve) => actor.on("approval.unknown", resolve));
    actor.start();
    actor.send({ type: "credentials.submit", credentials: createCredentials(person) });
    seen.push(await told, actor.getPersistedSnapshot());
    expect(findText(seen, key)).toBe(false);
    actor.stop();
  }
});

/** Whether an object, or what hangs on it, holds a text, in members that JSON leaves out too. */
function findText(value: unknown, text: string, known = new Set<unknown>()): boolean {
  if (typeof value === "string") return value.includes(text);
  if (typeof value !== "object" || value === null || known.has(value)) return false;
  known.add(value);
  return Reflect.ownKeys(value).some((name) =>
    findText(Object.getOwnPropertyDescriptor(value, name)?.value, text, known),
  );
}
