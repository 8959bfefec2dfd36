import { reveal, secret } from "ventanilla";
import { expect, test } from "vitest";
import { bankThatSays, clientOf, FORM, SESSION_KEY, serveAnswers } from "../api/server.ts";
import { createSandboxClient } from "./sandbox.ts";

const sandbox = createSandboxClient();

test("1 a client lists the providers, reads the fields of one, logs in and lists the destinations", async () => {
  const client = sandbox;
  const listed = await client.listProviders();
  if (listed.status !== "success") expect.fail(listed.status);
  const code = listed.providers.find(({ name }) => name === "Banco de prueba")?.code;
  expect(code).toBe("test");

  const read = await client.getProvider("test");
  if (read.status !== "success") expect.fail(read.status);
  expect(read.provider.auth_fields.filter(({ interactive }) => !interactive).map(({ name }) => name)).toEqual([
    "username",
    "password",
  ]);

  const loggedIn = await client.login({ provider: "test", username: "12345", password: "gfdsa" });
  if (loggedIn.status !== "logged_in" || !loggedIn.key) expect.fail(loggedIn.status);
  expect(await client.listTransferDestinations(loggedIn.key)).toEqual({
    status: "success",
    destinations: [
      { id: 1, name: "Institución de prueba 1" },
      { id: 2, name: "Institución de prueba 2" },
    ],
  });
});

test.each([
  { provider: "test", username: "12345otp", password: "asdfg", field: "otp", answer: "8888" },
  { provider: "test", username: "12345pq", password: "asdfg", field: "personal_question", answer: "8888" },
  { provider: "brou_pers_uy_mock", username: "12345", password: "asdfg", field: "token", answer: "prometeo" },
  { provider: "bcp_pers_pe_mock", username: "12345", password: "asdfg", field: "token", answer: "123456" },
])("1 the account $username of $provider has the extra factor $field", async ({ field, answer, ...credentials }) => {
  const client = sandbox;
  const asked = await client.login(credentials);
  if (asked.status !== "interaction_required" || !asked.key) expect.fail(asked.status);
  expect(asked.field).toBe(field);
  const done = await client.login({ ...credentials, [field]: secret(answer) }, { key: asked.key });
  expect(done.status).toBe("logged_in");
});

test("1 the account 12345 of test has no extra factor", async () => {
  const done = await sandbox.login({ provider: "test", username: "12345", password: "gfdsa" });
  expect(done.status).toBe("logged_in");
});

test("1 all paths are relative to the base address", async () => {
  const { url, requests } = await serveAnswers({ json: { status: "unheard_of" } });
  const client = clientOf(`${url}/banking/v1`);
  await client.listProviders();
  await client.getProvider("test");
  await client.login(FORM);
  await client.listTransferDestinations(SESSION_KEY);
  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    "GET /banking/v1/provider/",
    "GET /banking/v1/provider/test/",
    "POST /banking/v1/login/",
    `GET /banking/v1/transfer/destinations?key=${SESSION_KEY}`,
  ]);
});

test("1 the session key of the login is the one that lists the destinations", async () => {
  const { client, requests } = await bankThatSays(
    { json: { status: "logged_in", key: SESSION_KEY } },
    { json: { status: "success", destinations: [] } },
  );
  const done = await client.login(FORM);
  if (done.status !== "logged_in" || !done.key) expect.fail(done.status);
  expect(reveal(done.key)).toBe(SESSION_KEY);
  await client.listTransferDestinations(done.key);
  expect(requests[1]?.url).toBe(`/transfer/destinations?key=${SESSION_KEY}`);
});
