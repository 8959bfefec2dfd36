import { expect, test } from "vitest";
import { createSandboxClient } from "./sandbox.ts";

test("5.1 without the right API key nothing is served", async () => {
  const client = createSandboxClient({ apiKey: "guess" });
  expect((await client.listProviders()).status).toBe("api_key_refused");
});
