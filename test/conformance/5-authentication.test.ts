import { secret } from "ventanilla";
import { expect, test } from "vitest";
import { bankThatSays, createClient, SESSION_KEY, serveResponses } from "../api/server.ts";
import { createSandboxClient, keyIn, known, sandbox } from "./sandbox.ts";

test("5.1 the API key given as a secret is sent as it is", async () => {
  const { url, requests } = await serveResponses({ json: { status: "unheard_of" } });
  await createClient(url, { apiKey: secret("k-1 2") }).listProviders();
  expect(requests[0]?.headers["x-api-key"]).toBe("k-1 2");
});

test("5.1 without the right API key nothing is served", async () => {
  const client = createSandboxClient({ apiKey: "guess" });
  expect((await client.listProviders()).status).toBe("unknown_api_key");
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
  const credentials = known("bcp_pers_pe_mock", "12345", "asdfg");
  const key = keyIn(await sandbox.login(credentials));
  const done = await sandbox.login({ ...credentials, token: "123456" }, { key });
  expect(done.status).toBe("logged_in");
  expect((await sandbox.listTransferDestinations(keyIn(done))).status).toBe("success");
});
