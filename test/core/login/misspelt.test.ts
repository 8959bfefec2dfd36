import {
  batch,
  createBankClient,
  createCredentials,
  createMemoryStore,
  createRelayClient,
  login,
  pause,
  resume,
} from "ventanilla";
import { createHostedLogin } from "ventanilla/hosted";
import { inspectLogin, recordLogin } from "ventanilla/inspect";
import { createRateLimit, createRelay } from "ventanilla/relay";
import { createDurableLoginClient, durableLogin } from "ventanilla/restate";
import { createSandbox } from "ventanilla/sandbox";
import { onLifecycle } from "ventanilla/telemetry";
import { describe, expect, test } from "vitest";
import { loggedIn, person, startService } from "../../bank/service.ts";
import { createMemoryJournal } from "../batch/memory-journal.ts";
import { KEY } from "../pause/paused.ts";

// Each of these was taken without a word, and an attempt was used up. What was sent is counted at the bank.

/** As JavaScript passes it, which no compiler checks. */
const untyped = <Value>(value: object) => value as Value;

const refused = (field: string, nearest?: string) => ({
  code: "invalid_input",
  field,
  detail: nearest ? `is no option: did you mean "${nearest}"?` : expect.stringMatching(/^is no option/),
});

describe("login() refuses", () => {
  test.each([
    ["onInteracton", "onInteraction"],
    ["sesionReplacement", "sessionReplacement"],
    ["Fields", "fields"],
    ["usernmae", "username"],
    ["deadlines", "deadline"],
    ["singal", "signal"],
  ])("%s, and nothing is sent", async (name, nearest) => {
    const service = await startService([loggedIn("key-1")]);
    const options = { ...person, validate: false, [name]: undefined };
    await expect(login(service.client(), options)).rejects.toMatchObject(refused(name, nearest));
    const rows = batch(service.client(), [{ ...options, id: "row" }], {
      journal: createMemoryJournal(),
    });
    const { value } = await rows.next();
    expect(value).toMatchObject({ id: "row", fault: refused(name, nearest) });
    expect(service.lines()).toEqual([]);
  });
});

test("a record of the user may be spread into login(), with members of its own", async () => {
  const service = await startService([loggedIn("key-1")]);
  const user = { id: 4711, mail: "ana@shop.example", bank: "test", language: "es", createdAt: new Date() };
  expect((await login(service.client(), { ...user, ...person, validate: false })).state).toBe("loggedIn");
  expect(Object.keys(Object.fromEntries(new URLSearchParams(service.requests[0]?.body)))).toEqual(
    expect.not.arrayContaining(Object.keys(user)),
  );
});

const client = createBankClient({ baseUrl: "http://bank.test", apiKey: "never-sent" });

describe("an unknown option is refused by", () => {
  test.each<[string, field: string, nearest: string | undefined, call: () => unknown]>([
    ["createCredentials", "type", undefined, () => createCredentials(untyped({ ...person, type: "rut" }))],
    ["createCredentials", "Fields", "fields", () => createCredentials(untyped({ ...person, Fields: {} }))],
    ["resume", "onInteracton", "onInteraction", () => resume(client, "token", untyped({ key: KEY, onInteracton: 1 }))],
    ["pause", "ttl", undefined, () => pause(client, untyped({}), untyped({ key: KEY, ttl: 1 }))],
    ["createHostedLogin", "allowedOrigins", undefined, () => createHostedLogin(untyped({ allowedOrigins: [] }))],
    ["createHostedLogin", "retentoin", "retention", () => createHostedLogin(untyped({ retentoin: 1 }))],
    ["createRelay", "allowedOrigin", "allowedOrigins", () => createRelay(untyped({ allowedOrigin: [] }))],
    ["createSandbox", "sed", undefined, () => createSandbox(untyped({ sed: "x" }))],
    ["createMemoryStore", "limits", "limit", () => createMemoryStore(untyped({ limits: 1 }))],
    ["onLifecycle", "onEror", "onError", () => onLifecycle(() => {}, untyped({ onEror: 1 }))],
    ["durableLogin", "sealKeys", "sealKey", () => durableLogin(untyped({ sealKeys: "x" }))],
    ["createDurableLoginClient", "key", undefined, () => createDurableLoginClient(untyped({ key: "x" }))],
    ["createRateLimit", "logins", "login", () => createRateLimit(untyped({ logins: 3 }))],
    ["createRateLimit", "user.windows", "window", () => createRateLimit({ user: untyped({ windows: 3 }) })],
    ["inspectLogin", "prot", "port", () => inspectLogin(untyped({ prot: 1 }))],
    ["recordLogin", "limits", "limit", () => recordLogin(untyped({ limits: 1 }))],
    ["createBankClient", "apikey", "apiKey", () => createBankClient(untyped({ baseUrl: "x", apikey: "x" }))],
    ["createRelayClient", "baseUrI", "baseUrl", () => createRelayClient(untyped({ baseUrI: "x" }))],
    ["batch", "preProvider", "perProvider", () => batch(client, [], untyped({ preProvider: 1 })).next()],
    ["batch", "concurency", "concurrency", () => batch(client, [], untyped({ concurency: 1 })).next()],
  ])("%s: %s", async (_, field, nearest, call) => {
    await expect((async () => call())()).rejects.toMatchObject(refused(field, nearest));
  });
});
