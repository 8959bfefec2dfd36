import { expect, test } from "vitest";
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
    skipped: 0,
  });
});
