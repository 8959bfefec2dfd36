import { expect, test } from "vitest";
import { createSandboxClient, keyIn, known, sandbox } from "./sandbox.ts";

test("5.1 without the right API key nothing is served", async () => {
  const client = createSandboxClient({ apiKey: "guess" });
  expect((await client.listProviders()).status).toBe("unknown_api_key");
});

test("5.4 the second login of the sandbox needs the key of the first one", async () => {
  const credentials = known("bcp_pers_pe_mock", "12345", "asdfg");
  const key = keyIn(await sandbox.login(credentials));
  const done = await sandbox.login({ ...credentials, token: "123456" }, { key });
  expect(done.status).toBe("logged_in");
  expect((await sandbox.listTransferDestinations(keyIn(done))).status).toBe("success");
});
