import { createBankClient, createCredentials, createRelayClient, login, pause, resume } from "ventanilla";
import { type BatchRow, batch } from "ventanilla/batch";
import { createHostedLogin } from "ventanilla/hosted";
import { inspectLogin, inspectRecording } from "ventanilla/inspect";
import { createRateLimit, createRelay } from "ventanilla/relay";
import { createDurableLoginClient, durableLogin } from "ventanilla/restate";
import { createSandbox } from "ventanilla/sandbox";
import { lifecycleTelemetry } from "ventanilla/telemetry";
import { createMemoryStore } from "ventanilla/tokens";
import { describe, expect, test } from "vitest";
import { loggedIn, person, startService, unasked } from "../../bank/service.ts";
import { createMemoryJournal } from "../batch/memory-journal.ts";
import { KEY } from "../pause/paused.ts";

// Each of these was taken without a word, and an attempt was used up. What was sent is counted at the bank.

/** As JavaScript passes it, which no compiler checks. */
const untyped = <Value>(value: object) => value as Value;

const refused = (field: string, nearest?: string) => ({
  code: "invalid_input",
  field,
  detail: nearest ? `is not an option: did you mean "${nearest}"?` : expect.stringMatching(/^is not an option/),
});

describe("login() refuses", () => {
  test.each([
    ["option onInteracton", {}, { onInteracton: unasked }, "onInteraction"],
    ["option deadline, which is a setting", {}, { deadline: new Date() }, undefined],
    ["setting sesionReplacement", {}, { settings: { sesionReplacement: true } }, "sessionReplacement"],
    ["credential usernmae", { usernmae: "ana" }, {}, "username"],
    ["credential mail, of a record of the user", { mail: "ana@shop.example" }, {}, undefined],
  ])("the %s, and nothing is sent", async (what, credentials, options, nearest) => {
    const service = await startService([loggedIn("key-1")]);
    const name = what.split(/[ ,]/)[1] ?? "";
    const form = { ...person, ...credentials };
    await expect(login(service.client(), form, untyped(options))).rejects.toMatchObject(refused(name, nearest));
    const row = { id: "row", ...form, ...options };
    const rows = batch(service.client(), [untyped<BatchRow>(row)], { journal: createMemoryJournal() });
    const { value } = await rows.next();
    expect(value).toMatchObject({ id: "row", fault: { code: "invalid_input", field: name } });
    expect(service.lines()).toEqual([]);
  });
});

const client = createBankClient({ baseUrl: "http://bank.test", apiKey: "never-sent" });

describe("an unknown option is refused by", () => {
  test.each<[string, field: string, nearest: string | undefined, call: () => unknown]>([
    ["createCredentials", "type", undefined, () => createCredentials(untyped({ ...person, type: "rut" }))],
    ["resume", "onInteracton", "onInteraction", () => resume(client, "token", untyped({ key: KEY, onInteracton: 1 }))],
    ["pause", "ttl", undefined, () => pause(client, untyped({}), untyped({ key: KEY, ttl: 1 }))],
    ["createHostedLogin", "retentoin", "retention", () => createHostedLogin(untyped({ retentoin: 1 }))],
    ["createRelay", "allowedOrigin", "allowedOrigins", () => createRelay(untyped({ allowedOrigin: [] }))],
    ["createSandbox", "sed", undefined, () => createSandbox(untyped({ sed: "x" }))],
    ["createMemoryStore", "limits", "limit", () => createMemoryStore(untyped({ limits: 1 }))],
    ["lifecycleTelemetry", "onEror", "onError", () => lifecycleTelemetry(() => {}, untyped({ onEror: 1 }))],
    ["durableLogin", "sealKeys", "sealKey", () => durableLogin(untyped({ sealKeys: "x" }))],
    ["createDurableLoginClient", "key", undefined, () => createDurableLoginClient(untyped({ key: "x" }))],
    ["createRateLimit", "logins", "login", () => createRateLimit(untyped({ logins: 3 }))],
    ["inspectLogin", "prot", "port", () => inspectLogin(untyped({ prot: 1 }))],
    ["inspectRecording", "limits", "limit", () => inspectRecording(untyped({ limits: 1 }))],
    ["createBankClient", "apikey", "apiKey", () => createBankClient(untyped({ baseUrl: "x", apikey: "x" }))],
    ["createRelayClient", "baseUrI", "baseUrl", () => createRelayClient(untyped({ baseUrI: "x" }))],
    ["batch", "preProvider", "perProvider", () => batch(client, [], untyped({ preProvider: 1 })).next()],
  ])("%s: %s", async (_, field, nearest, call) => {
    await expect((async () => call())()).rejects.toMatchObject(refused(field, nearest));
  });
});
