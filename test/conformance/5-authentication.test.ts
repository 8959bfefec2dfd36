import { reveal, secret } from "ventanilla";
import { expect, test } from "vitest";
import { bankThatSays, createClient, FORM, SESSION_KEY, serveResponses } from "../api/server.ts";
import { createSandboxClient } from "./sandbox.ts";

const sandbox = createSandboxClient();

test("5.1 the API key given as a secret is sent as it is", async () => {
  const { url, requests } = await serveResponses({ json: { status: "unheard_of" } });
  await createClient(url, { apiKey: secret("k-1 2") }).listProviders();
  expect(requests[0]?.headers["x-api-key"]).toBe("k-1 2");
});

test("5.1 without the right API key nothing is served", async () => {
  const client = createSandboxClient({ apiKey: "guess" });
  expect((await client.listProviders()).status).toBe("unknown_api_key");
});

test("5.2 a successful login yields a session key in the response field key", async () => {
  const { client } = await bankThatSays({ json: { status: "logged_in", key: SESSION_KEY } });
  const answer = await client.login(FORM);
  if (answer.status !== "logged_in" || !answer.key) expect.fail(answer.status);
  expect(reveal(answer.key)).toBe(SESSION_KEY);
});

test("5.3 a later request passes the session key in the query parameter key, and in no header", async () => {
  const { client, requests } = await bankThatSays({ json: { status: "unheard_of" } });
  await client.listTransferDestinations(secret(SESSION_KEY));
  expect(requests[0]?.url).toBe(`/transfer/destinations?key=${SESSION_KEY}`);
  expect(JSON.stringify(requests[0]?.headers)).not.toContain(SESSION_KEY);
});

test("5.3 a key is opaque: whatever it holds arrives as it was given", async () => {
  const { client, requests } = await bankThatSays({ json: { status: "unheard_of" } });
  await client.listTransferDestinations("a&key=b#c+d e%20/ñ");
  const { searchParams } = new URL(requests[0]?.url ?? "", "http://bank.example");
  expect([...searchParams]).toEqual([["key", "a&key=b#c+d e%20/ñ"]]);
});

test("5.4 the second login of the sandbox needs the key of the first one", async () => {
  const client = sandbox;
  const credentials = { provider: "bcp_pers_pe_mock", username: "12345", password: "asdfg" };
  const required = await client.login(credentials);
  if (required.status !== "interaction_required" || !required.key) expect.fail(required.status);
  const done = await client.login({ ...credentials, token: "123456" }, { key: required.key });
  if (done.status !== "logged_in" || !done.key) expect.fail(done.status);
  expect((await client.listTransferDestinations(done.key)).status).toBe("success");
});
