import { expect, test } from "vitest";
import { createClient, FORM, SESSION_KEY, serveResponses } from "../api/server.ts";
import { keyIn, known, readProvider, sandbox } from "./sandbox.ts";

test("1 a client lists the providers, reads the fields of one, logs in and lists the destinations", async () => {
  const listed = await sandbox.listProviders();
  if (listed.status !== "success") expect.fail(listed.status);
  const code = listed.providers.find(({ name }) => name === "Banco de prueba")?.code ?? "";
  const { auth_fields } = await readProvider(code);
  const required = auth_fields.filter(({ interactive }) => !interactive).map(({ name }) => name);
  expect([code, ...required]).toEqual(["test", "username", "password"]);

  const key = keyIn(await sandbox.login(known(code, "12345", "gfdsa")));
  expect(await sandbox.listTransferDestinations(key)).toEqual({
    status: "success",
    destinations: [
      { id: 1, name: "Institución de prueba 1" },
      { id: 2, name: "Institución de prueba 2" },
    ],
  });
});

test("1 all paths are relative to the base address", async () => {
  const { url, lines } = await serveResponses({ json: { status: "unheard_of" } });
  const client = createClient(`${url}/banking/v1`);
  await client.listProviders();
  await client.getProvider("test");
  await client.login(FORM);
  await client.listTransferDestinations(SESSION_KEY);
  expect(lines()).toEqual([
    "GET /banking/v1/provider/",
    "GET /banking/v1/provider/test/",
    "POST /banking/v1/login/",
    `GET /banking/v1/transfer/destinations?key=${SESSION_KEY}`,
  ]);
});
