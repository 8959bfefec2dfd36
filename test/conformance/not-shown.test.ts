import { expect, test } from "vitest";
import { clientThatReads } from "../core/api/local-bank.ts";
import { createSandboxClient, keyIn, known } from "./sandbox.ts";

test("2 not shown: any country is taken as it is", async () => {
  const providers = [{ code: "a", country: "Ruritania", name: "A" }];
  const client = clientThatReads({ json: { status: "success", providers } });
  expect(await client.listProviders()).toEqual({ status: "success", providers, skipped: 0 });
});

test("5 not shown: the session key can travel in the header instead, and the sandbox takes it there", async () => {
  const client = createSandboxClient({ sessionKeyIn: "header" });
  const credentials = known("test", "12345otp", "asdfg");
  const key = keyIn(await client.login(credentials));
  const done = await client.login({ ...credentials, otp: "8888" }, { key });
  expect((await client.listTransferDestinations(keyIn(done))).status).toBe("success");
});
