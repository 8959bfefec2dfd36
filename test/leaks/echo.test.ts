import { randomBytes } from "node:crypto";
import { createLoginMachine, type LoginActor, pause, readState, resume, type Secret, secret } from "ventanilla";
import { describe, expect, onTestFinished, test } from "vitest";
import { createActor, waitFor } from "xstate";
import { openSessionKey, sealSessionKey } from "../../src/restate/durable-seals.ts";
import { asks, type Line, loggedIn, openQuestion, type Received, startService } from "../bank/service.ts";
import { form, stage, startService as startRelayed } from "../relay/stage.ts";
import { findCanaries } from "./canaries.ts";
import type { Watch } from "./channels.ts";
import { linkStatechart } from "./drivers.ts";
import { parrot } from "./echoes.ts";
import { type Canaries, flowCanaries, submit } from "./flows.ts";
import { startHunt } from "./hunt.ts";

/** Runs a login through all its questions, or to where it ends before, and reports what was found. */
async function huntQuestions(script: (canaries: Canaries) => readonly Line[], isMoved = false) {
  const { canaries, watching, createClient } = await startHunt({ script });
  const { firstAnswer, secondAnswer } = canaries;
  const client = createClient();
  const settings = { clientSelection: true, interactionLimit: 3 };
  let actor: LoginActor = createActor(createLoginMachine(client), { input: settings });
  const follow = () => {
    watching.actor(actor);
    actor.on("client.required", () => actor.send({ type: "client.choose", client: "0" }));
  };
  const untilSettled = () =>
    waitFor(actor, (snapshot) => ["awaitingInteraction", "loggedIn", "failed"].includes(readState(snapshot)));
  onTestFinished(() => void actor.stop());
  follow();
  actor.start();
  actor.send(submit(canaries));
  let snapshot = await untilSettled();
  const contexts: string[] = [];
  while (readState(snapshot) === "awaitingInteraction") {
    const { number = 0, context = "" } = snapshot.context.interaction ?? {};
    contexts.push(context);
    if (isMoved) {
      const key = randomBytes(32).toString("base64");
      actor = openQuestion(await resume(client, await pause(actor, { key }), { key })).actor;
      follow();
      watching.see("snapshot", actor.getSnapshot());
    }
    actor.send({ type: "interaction.answer", answer: secret((number === 1 ? firstAnswer : secondAnswer).value) });
    snapshot = await untilSettled();
  }
  watching.see("snapshot", snapshot);
  return { found: watching.findings(), contexts, failure: snapshot.context.failure };
}

test("a question that repeats a password in a picture shows neither", async () => {
  const { found, contexts } = await huntQuestions(({ firstKey }) => [
    ({ form }) => asks("captcha", firstKey.value, `data:image/png;base64,${form["password"]}`),
    loggedIn(),
  ]);
  expect(found).toEqual([]);
  expect(contexts).toEqual(["data:,"]);
});

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
    const { contexts, failure, found } = await huntQuestions(whole, moved);
    expect(failure).toBeUndefined();
    expect(contexts).toHaveLength(3);
    // The texts came, cleared of everything.
    for (const context of contexts) expect(context.replaceAll("[secret]", "").replaceAll(/value=|["\n]/g, "")).toBe("");
    expect(found).toEqual([]);
  });

  test.each(["status", "code", "message", "description"])("in a refusal's %s after two questions", async (member) => {
    const { failure, found } = await huntQuestions(({ firstKey, secondKey }) =>
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
      const { failure, found } = await huntQuestions(({ firstKey, secondKey, ...canaries }) => [
        asks("otp", firstKey.value),
        asks({ ...canaries, firstKey, secondKey }[name].value, secondKey.value),
      ]);
      expect(failure).toMatchObject({ code: "response_against_contract", field: "field" });
      expect(found).toEqual([]);
    },
  );

  test("in the names of destinations, after a link has forgotten its credentials", async () => {
    const { canaries, watching, createClient } = await startHunt({
      script: ({ firstKey, sessionKey }) =>
        parrot([
          (echo) => asks("otp", firstKey.value, echo),
          (echo) => ({ json: { status: "logged_in", key: sessionKey.value, context: echo } }),
          (echo, all) => ({
            json: { status: "success", destinations: all.map((value, id) => ({ id, name: value, [value]: echo })) },
          }),
        ]),
    });
    const outcomes: unknown[] = [];
    const see: Watch["see"] = (source, value) => {
      if (source === "outcome") outcomes.push(value);
      watching.see(source, value);
    };
    expect(await linkStatechart(createClient(), canaries, { ...watching, see }, {})).toBe("loggedIn");
    const [linked] = outcomes as [{ destinations: { name: string }[] }];
    expect(linked.destinations.length).toBeGreaterThan(5);
    for (const { name } of linked.destinations) expect(name).toBe("[secret]");
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

test("a session key that Restate has stored sealed still clears what its login sent", async () => {
  const canaries = flowCanaries();
  const { password, firstAnswer, firstKey, secondKey } = canaries;
  const service = await startService(
    parrot([
      (echo) => asks("otp", firstKey.value, echo),
      (echo) => asks("otp", secondKey.value, echo),
      (echo) => ({ json: { status: "success", destinations: [{ id: 1, name: echo }] } }),
    ]),
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
