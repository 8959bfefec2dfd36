import { expect, test } from "vitest";
import { createClient, FORM, SESSION_KEY, serveResponses } from "../api/server.ts";
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

test("1 all paths are relative to the base address", async () => {
  const { url, requests } = await serveResponses({ json: { status: "unheard_of" } });
  const client = createClient(`${url}/banking/v1`);
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
