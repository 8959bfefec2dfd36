import { credentialsOf, loginMachineOf, secret, stateOf } from "ventanilla";
import { describe, expect, onTestFinished, test } from "vitest";
import { createActor, waitFor } from "xstate";
import { asks, type Line, loggedIn, type Received, selectClient, startService } from "../login/service.ts";
import { watch } from "./channels.ts";
import { type Canaries, flowCanaries } from "./flows.ts";

/** What is found of a login up to its second question, or to where it ends before that. */
async function findingsOf(script: (canaries: Canaries) => readonly Line[]) {
  const canaries = flowCanaries();
  const { username, password, companyCode, firstAnswer, secondAnswer, apiKey } = canaries;
  const service = await startService(script(canaries));
  const watching = watch(Object.values(canaries));
  const client = service.client({ apiKey: apiKey.value, ...watching.hooks });
  const actor = createActor(loginMachineOf(client), { input: { clientSelection: true, interactionLimit: 2 } });
  onTestFinished(() => void actor.stop());
  watching.actor(actor);
  actor.on("interaction.required", ({ interaction: { number } }) =>
    actor.send({ type: "interaction.answer", answer: secret((number === 1 ? firstAnswer : secondAnswer).value) }),
  );
  actor.on("client.required", () => actor.send({ type: "client.choose", client: "0" }));
  actor.start();
  actor.send({
    type: "credentials.submit",
    credentials: credentialsOf({
      provider: "test",
      username: username.value,
      password: password.value,
      fields: { company_code: companyCode.value },
    }),
  });
  await waitFor(actor, (snapshot) => ["loggedIn", "failed"].includes(stateOf(snapshot)));
  return watching.findings();
}

const apiKeyOf = ({ headers }: Received) => String(headers["x-api-key"]);

describe("a question that repeats", () => {
  test("the API key shows nothing of it", async () => {
    const findings = await findingsOf(({ firstKey }) => [
      (request) => asks("otp", firstKey.value, `for ${apiKeyOf(request)}`),
      loggedIn(),
    ]);
    expect(findings).toEqual([]);
  });

  test("what was sent earlier in the same login shows nothing of it", async () => {
    const findings = await findingsOf(({ firstKey, secondKey, companyCode }) => [
      asks("otp", firstKey.value),
      asks("token", secondKey.value, companyCode.value),
      loggedIn(undefined),
    ]);
    expect(findings).toEqual([]);
  });

  test("the form as it was sent, encoded, shows nothing of it", async () => {
    const findings = await findingsOf(({ firstKey }) => [({ body }) => asks("otp", firstKey.value, body), loggedIn()]);
    expect(findings).toEqual([]);
  });

  test("its own key shows nothing of it", async () => {
    const findings = await findingsOf(({ firstKey }) => [asks("otp", firstKey.value, firstKey.value), loggedIn()]);
    expect(findings).toEqual([]);
  });

  test("a password in the name of the field shows nothing of it", async () => {
    const findings = await findingsOf(({ firstKey }) => [
      ({ form }) => asks(`otp ${form["password"]}`, firstKey.value),
      loggedIn(),
    ]);
    expect(findings).toEqual([]);
  });
});

test("a list of clients that repeats the key shows nothing of it", async () => {
  const findings = await findingsOf(({ firstKey }) => [
    selectClient(firstKey.value),
    ({ url }) => ({ json: { status: "success", clients: { 0: `client of ${url}` } } }),
    { json: { status: "success" } },
  ]);
  expect(findings).toEqual([]);
});
