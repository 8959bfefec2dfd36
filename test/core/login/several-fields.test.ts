import {
  createBankClient,
  createLoginMachine,
  createRelayClient,
  type LoginOutcome,
  loginView,
  resume,
  type StringOrSecret,
  secret,
} from "ventanilla";
import { createRelay } from "ventanilla/relay";
import { createSandbox, SANDBOX_API_KEY } from "ventanilla/sandbox";
import { createMemoryStore } from "ventanilla/tokens";
import { describe, expect, test } from "vitest";
import { createActor, waitFor } from "xstate";
import { loggedIn, loginUnread, person, startService } from "../../bank/service.ts";
import { KEY } from "../pause/paused.ts";
import { submit } from "./started.ts";

// "The interactive field(s)": contract, sections 3, 4.1 and 5. A bank may ask for several at once.

const asksFor = (field: unknown) => ({
  json: { status: "interaction_required", key: "first-key", context: "Both, please", field },
});
const both = { otp: "161803", token: "314159" };

function asked(outcome: LoginOutcome) {
  if (outcome.state !== "awaitingInteraction") return expect.fail(outcome.state);
  return outcome;
}

async function logInTo(field: unknown) {
  const service = await startService([asksFor(field), loggedIn("key-2")]);
  const outcome = asked(await loginUnread(service.client(), person));
  const sent = () => Object.fromEntries(new URLSearchParams(service.requests[1]?.body));
  return { service, outcome, sent };
}

const { username, password } = person;
const sentForm = { provider: "test", username, password };

describe("a bank that asks for several fields", () => {
  test("gets all of them in one second login", async () => {
    const { service, outcome, sent } = await logInTo(["otp", "token"]);
    expect(outcome.interaction).toMatchObject({ field: "otp", fields: ["otp", "token"], context: "Both, please" });
    expect((await outcome.answer({ otp: "161803", token: secret("314159") })).state).toBe("loggedIn");
    expect(service.lines()).toEqual(["POST /login/", "POST /login/?key=first-key"]);
    expect(sent()).toEqual({ ...sentForm, ...both });
  });

  test.each<[what: string, answer: StringOrSecret | Record<string, StringOrSecret>, error: object]>([
    ["one text", "161803", { code: "missing_field", field: "token" }],
    ["one field", { otp: "161803" }, { code: "missing_field", field: "token" }],
    ["an empty field", { otp: "161803", token: "" }, { code: "invalid_input", field: "token" }],
    ["no field", {}, { code: "missing_field", field: "token" }],
    ["a password", { ...both, password: "x" }, { code: "invalid_input", field: "password" }],
    ["a key", { ...both, Key: "x" }, { code: "invalid_input", field: "Key" }],
  ])("is sent nothing for %s, and can still be answered", async (_, answer, error) => {
    const { service, outcome } = await logInTo(["otp", "token"]);
    await expect(outcome.answer(answer)).rejects.toMatchObject(error);
    expect(service.requests).toHaveLength(1);
    expect((await outcome.answer(both)).state).toBe("loggedIn");
  });

  test("is answered by a handler", async () => {
    const { client, requests } = await startService([asksFor(["otp", "token"]), loggedIn("key-2")]);
    const onInteraction = () => both;
    expect((await loginUnread(client(), person, { onInteraction })).state).toBe("loggedIn");
    expect(Object.fromEntries(new URLSearchParams(requests[1]?.body))).toEqual({ ...sentForm, ...both });
  });

  test("is sent nothing if a handler has only a part of the answer, and the fault names the rest", async () => {
    const { client, requests } = await startService([asksFor(["otp", "token"]), loggedIn("key-2")]);
    const onInteraction = () => ({ otp: "161803", token: "" });
    const login = loginUnread(client(), person, { onInteraction });
    await expect(login).rejects.toMatchObject({ code: "invalid_input", field: "token" });
    expect(requests).toHaveLength(1);
  });

  test("goes on after a pause", async () => {
    const { service, outcome, sent } = await logInTo(["otp", "token"]);
    const token = await outcome.pause({ key: KEY });
    const resumed = asked(
      await resume(service.client(), token, { key: KEY, claimStore: createMemoryStore({ rows: new Map() }) }),
    );
    expect(resumed.interaction.fields).toEqual(["otp", "token"]);
    expect((await resumed.answer(both)).state).toBe("loggedIn");
    expect(sent()).toEqual({ ...sentForm, ...both });
  });

  test("gets them from the view, whose question shows each field", async () => {
    const { client, requests } = await startService([asksFor(["otp", "token"]), loggedIn("key-2")]);
    const actor = createActor(createLoginMachine(client()), { input: { validate: false } }).start();
    actor.send(submit);
    await waitFor(actor, (snapshot) => snapshot.matches("awaitingInteraction"));
    const view = loginView(actor.getSnapshot(), actor, { provider: "test" });
    if (view.state !== "awaitingInteraction") return expect.fail(view.state);
    expect(view.question.field).toBe(view.question.fields[0]);
    expect(view.question.fields).toMatchObject([
      { name: "otp", label: "One-time code", required: true },
      { name: "token", label: "Token", required: true },
    ]);
    expect(view.answer("161803")).toEqual({ token: "Fill this in." });
    view.answer({ otp: " 161 803", token: "314159\n", username: "somebody-else" });
    await waitFor(actor, ({ status }) => status === "done");
    expect(Object.fromEntries(new URLSearchParams(requests[1]?.body))).toEqual({ ...sentForm, ...both });
  });

  test.each<[what: string, field: unknown, fields: readonly string[]]>([
    ["of one name is as the name alone", ["otp"], ["otp"]],
    ["names a field twice", ["otp", "token", "otp"], ["otp", "token"]],
    ["has elements that are no names", [null, "otp", 5, "", {}, "x".repeat(201), "token"], ["otp", "token"]],
    ["names what would replace the credentials", ["password", "otp", "Key"], ["otp"]],
  ])("is read if its list %s", async (_, field, fields) => {
    const { outcome } = await logInTo(field);
    expect(outcome.interaction).toMatchObject({ field: fields[0], fields });
  });
});

test.each([
  ["nothing was typed, the confirmation", "", "true"],
  ["somebody has a code, the code", " 8888", "8888"],
])("a text that asks to confirm in the app: where %s is sent", async (_, typed, otp) => {
  const asking = { status: "interaction_required", key: "first-key", context: "Confirme en la app", field: "otp" };
  const { client, requests } = await startService([{ json: asking }, loggedIn("key-2")]);
  const actor = createActor(createLoginMachine(client()), { input: { validate: false } }).start();
  actor.send(submit);
  await waitFor(actor, (snapshot) => snapshot.matches("awaitingInteraction"));
  const view = loginView(actor.getSnapshot(), actor, { provider: "test" });
  if (view.state !== "awaitingInteraction") return expect.fail(view.state);
  view.answer({ otp: typed });
  await waitFor(actor, ({ status }) => status === "done");
  expect(Object.fromEntries(new URLSearchParams(requests[1]?.body))).toEqual({ ...sentForm, otp });
});

test("a single field may be answered together with others of the bank's", async () => {
  const { outcome, sent } = await logInTo("otp");
  await outcome.answer(both);
  expect(sent()).toEqual({ ...sentForm, ...both });
});

test("several fields pass a relay, both ways", async () => {
  const service = await startService([asksFor(["otp", "token"]), loggedIn("key-2")]);
  const relay = createRelay({
    client: service.client(),
    store: createMemoryStore({ rows: new Map() }),
    allowedOrigins: ["https://shop.example"],
    readCaller: () => "page",
    onLogin: () => undefined,
  });
  const client = createRelayClient({
    baseUrl: "https://shop.example",
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set("origin", "https://shop.example");
      return relay(new Request(input, { ...init, headers }));
    },
  });
  const outcome = asked(await loginUnread(client, person));
  expect(outcome.interaction.fields).toEqual(["otp", "token"]);
  expect((await outcome.answer(both)).state).toBe("loggedIn");
  expect(Object.fromEntries(new URLSearchParams(service.requests[1]?.body))).toEqual({ ...sentForm, ...both });
});

test("Banco Cerrojo of the sandbox, which asks for a code and a token at once, is logged in to", async () => {
  const sandbox = createSandbox();
  const client = createBankClient({
    baseUrl: "https://bank.example",
    apiKey: SANDBOX_API_KEY,
    fetch: (input, init) => sandbox(new Request(input, init)),
  });
  const outcome = asked(await loginUnread(client, { provider: "cerrojo_sv", username: "both", password: "s3creto" }));
  expect((await outcome.answer(both)).state).toBe("loggedIn");
});
