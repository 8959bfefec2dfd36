import { randomBytes } from "node:crypto";
import {
  type BankError,
  createLinkMachine,
  createLoginMachine,
  type LoginActor,
  pause,
  readState,
  resume,
  type Secret,
  secret,
} from "ventanilla";
import { describe, expect, onTestFinished, test } from "vitest";
import { createActor, waitFor } from "xstate";
import { openSessionKey, sealSessionKey } from "../../src/restate/durable-seals.ts";
import { asks, type Line, loggedIn, openQuestion, type Received, startService } from "../bank/service.ts";
import { form, stage, startService as startRelayed } from "../relay/stage.ts";
import { findCanaries } from "./canaries.ts";
import { watch } from "./channels.ts";
import { parrot } from "./echoes.ts";
import { type Canaries, flowCanaries, submit } from "./flows.ts";

/** What is found of a login up to its third question, or to where it ends before that. */
async function findingsOf(script: (canaries: Canaries) => readonly Line[], moved = false) {
  const canaries = flowCanaries();
  const { firstAnswer, secondAnswer, apiKey } = canaries;
  const service = await startService(script(canaries));
  const watching = watch(Object.values(canaries));
  const client = service.client({ apiKey: apiKey.value, ...watching.hooks });
  const settings = { clientSelection: true, interactionLimit: 3 };
  let actor: LoginActor = createActor(createLoginMachine(client), { input: settings });
  onTestFinished(() => void actor.stop());
  watching.actor(actor);
  actor.on("client.required", () => actor.send({ type: "client.choose", client: "0" }));
  actor.start();
  actor.send(submit(canaries));
  const settled = () =>
    waitFor(actor, (snapshot) => ["awaitingInteraction", "loggedIn", "failed"].includes(readState(snapshot)));
  let snapshot = await settled();
  const contexts: string[] = [];
  while (readState(snapshot) === "awaitingInteraction") {
    const { number = 0, context = "" } = snapshot.context.interaction ?? {};
    contexts.push(context);
    if (moved) {
      const key = randomBytes(32).toString("base64");
      actor = openQuestion(await resume(client, await pause(actor, { key }), { key })).actor;
      watching.actor(actor);
      actor.on("client.required", () => actor.send({ type: "client.choose", client: "0" }));
      watching.see("snapshot", actor.getSnapshot());
    }
    actor.send({ type: "interaction.answer", answer: secret((number === 1 ? firstAnswer : secondAnswer).value) });
    snapshot = await settled();
  }
  watching.see("snapshot", snapshot);
  return { found: watching.findings(), contexts, failure: snapshot.context.failure };
}

describe("a question that repeats", () => {
  test("a password in a picture shows nothing of it, nor the picture", async () => {
    const { found, contexts } = await findingsOf(({ firstKey }) => [
      ({ form }) => asks("captcha", firstKey.value, `data:image/png;base64,${form["password"]}`),
      loggedIn(),
    ]);
    expect(found).toEqual([]);
    expect(contexts).toEqual(["data:,"]);
  });

  test("a password in the name of the field shows nothing of it", async () => {
    const { found } = await findingsOf(({ firstKey }) => [
      ({ form }) => asks(`otp ${form["password"]}`, firstKey.value),
      loggedIn(),
    ]);
    expect(found).toEqual([]);
  });
});

const destinationsOf = (echo: string) => ({ json: { status: "success", destinations: [{ id: 1, name: echo }] } });

describe("a bank that repeats all that it ever got, in every encoding, shows nothing of it", () => {
  const whole = ({ firstKey, secondKey, otherKey, sessionKey }: Canaries) =>
    parrot([
      (echo) => asks("otp", firstKey.value, echo),
      (echo) => asks("token", secondKey.value, echo),
      (echo) => asks("otp", otherKey.value, echo),
      (echo) => ({ json: { status: "select_client", key: sessionKey.value, message: echo } }),
      (echo) => ({ json: { status: "success", clients: { 0: echo.slice(0, 290), 1: echo.slice(-290) } } }),
      () => ({ json: { status: "success" } }),
    ]);

  test.each([false, true])("in the questions and clients of one login; moved by tokens: %s", async (moved) => {
    const { contexts, failure, found } = await findingsOf(whole, moved);
    expect(failure).toBeUndefined();
    expect(contexts).toHaveLength(3);
    // The texts came, cleared of everything.
    for (const context of contexts) expect(context.replaceAll("[secret]", "").replaceAll(/value=|["\n]/g, "")).toBe("");
    expect(found).toEqual([]);
  });

  test.each(["status", "code", "message", "description"])("in a refusal's %s after two questions", async (member) => {
    const { failure, found } = await findingsOf(({ firstKey, secondKey }) =>
      parrot([
        (echo) => asks("otp", firstKey.value, echo),
        (echo) => asks("token", secondKey.value, echo),
        (echo) => ({ http: 403, json: { status: "error", [member]: echo } }),
      ]),
    );
    expect(failure).toMatchObject({ code: "unexpected_status" });
    expect(found).toEqual([]);
  });

  test.each(["apiKey", "password", "firstAnswer", "firstKey", "secondKey", "username"] as const)(
    "in the name of a field that is the %s",
    async (name) => {
      const { failure, found } = await findingsOf(({ firstKey, secondKey, ...canaries }) => [
        asks("otp", firstKey.value),
        asks({ ...canaries, firstKey, secondKey }[name].value, secondKey.value),
      ]);
      expect(failure).toMatchObject({ code: "response_against_contract", field: "field" });
      expect(found).toEqual([]);
    },
  );

  test("in the names of destinations, once its credentials are forgotten", async () => {
    const canaries = flowCanaries();
    const { firstKey, sessionKey, apiKey, firstAnswer } = canaries;
    const lines = parrot([
      (echo) => asks("otp", firstKey.value, echo),
      (echo) => ({ json: { status: "logged_in", key: sessionKey.value, context: echo } }),
      (echo, all) => ({
        json: { status: "success", destinations: all.map((value, id) => ({ id, name: value, [value]: echo })) },
      }),
    ]);
    const service = await startService((request) => {
      if (request.url === "/provider/")
        return { json: { status: "success", providers: [{ code: "test", name: "A" }] } };
      if (request.url === "/provider/test/") {
        return { json: { status: "success", provider: { name: "A", auth_fields: [] } } };
      }
      const line = lines.shift();
      return typeof line === "function" ? line(request) : { http: 500 };
    });
    const watching = watch(Object.values(canaries));
    const actor = createActor(createLinkMachine(service.client({ apiKey: apiKey.value })), { input: {} });
    onTestFinished(() => void actor.stop());
    watching.actor(actor);
    actor.start();
    await waitFor(actor, (snapshot) => snapshot.matches("choosingProvider"));
    actor.send({ type: "provider.choose", provider: "test" });
    const { children } = await waitFor(actor, (snapshot) => snapshot.matches("loggingIn"));
    children.login?.on("interaction.required", () =>
      actor.send({ type: "interaction.answer", answer: secret(firstAnswer.value) }),
    );
    actor.send(submit(canaries));
    const { context } = await waitFor(actor, (snapshot) => snapshot.matches("linked"));
    expect(context.destinations?.length).toBeGreaterThan(5);
    for (const { name } of context.destinations ?? []) expect(name).toBe("[secret]");
    expect(watching.findings()).toEqual([]);
  });
});

test("behind a relay, a later question shows nothing of earlier keys and answers", async () => {
  const canaries = flowCanaries();
  const { username, password, companyCode, firstAnswer, secondAnswer, firstKey, secondKey, otherKey } = canaries;
  const lines = parrot([firstKey, secondKey, otherKey].map((key) => (echo: string) => asks("otp", key.value, echo)));
  const bank = await startRelayed(async (request) => {
    const { pathname, search } = new URL(request.url);
    const line = lines.shift();
    if (typeof line !== "function") return Response.json({});
    const fields = Object.fromEntries(new URLSearchParams(await request.text()));
    const headers = Object.fromEntries(request.headers);
    const reply = await line({ url: `${pathname}${search}`, form: fields, headers } as unknown as Received);
    return Response.json((reply as { json: unknown }).json);
  });
  const { send } = await stage({}, { bank });
  const login = { provider: "test", username: username.value, password: password.value };
  const first = await (await send("/login/", form({ ...login, company_code: companyCode.value }))).json();
  const second = await (await send(`/login/?key=${first.key}`, form({ ...login, otp: firstAnswer.value }))).json();
  const third = await (await send(`/login/?key=${second.key}`, form({ ...login, otp: secondAnswer.value }))).json();
  for (const answer of [first, second, third]) {
    expect(answer).toMatchObject({ status: "interaction_required", context: expect.stringContaining("[secret]") });
    expect(findCanaries(answer, Object.values(canaries))).toEqual([]);
  }
});

test("a key that Restate has kept sealed knows what its login sent", async () => {
  const canaries = flowCanaries();
  const { password, firstAnswer, firstKey, secondKey } = canaries;
  const service = await startService(
    parrot([(echo) => asks("otp", firstKey.value, echo), (echo) => asks("otp", secondKey.value, echo), destinationsOf]),
  );
  const client = service.client();
  const sealing = { id: "1.a", sealKey: randomBytes(32).toString("base64") };
  const moved = async (key: Secret | undefined) =>
    openSessionKey(await sealSessionKey(key ?? expect.fail("no key"), sealing), sealing);
  const credentials = { provider: "test", username: "ana", password: password.value };
  const first = await client.login(credentials);
  const second = await client.login(
    { ...credentials, otp: firstAnswer.value },
    { key: await moved("key" in first ? first.key : undefined) },
  );
  const list = await client.listTransferDestinations(await moved("key" in second ? second.key : undefined));
  expect(list).toMatchObject({ status: "success" });
  for (const answer of [first, second, list]) expect(findCanaries(answer, Object.values(canaries))).toEqual([]);
});

test("a fault that names a member of the answer shows no secret in its place", async () => {
  const canaries = flowCanaries();
  const service = await startService(({ url }) => ({
    json: { status: "success", clients: { [new URLSearchParams(url.split("?")[1]).get("key") ?? ""]: 7 } },
  }));
  const error = await service
    .client()
    .listClients(canaries.sessionKey.value)
    .catch((fault: BankError) => fault);
  expect(error).toMatchObject({ code: "response_against_contract", field: "clients.[secret]" });
  expect(findCanaries(error, Object.values(canaries))).toEqual([]);
});
