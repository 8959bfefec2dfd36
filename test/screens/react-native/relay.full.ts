import { createBankClient } from "ventanilla";
import { createRelay } from "ventanilla/relay";
import { SANDBOX_API_KEY } from "ventanilla/sandbox";
import { fetchFor } from "ventanilla/testing";
import { createMemoryStore } from "ventanilla/tokens";
import { expect, test } from "vitest";
import { openReactNative } from "./runtime.ts";

test("an app logs in through a relay and answers a question, without an API key and without crypto.subtle", async () => {
  const client = createBankClient({
    baseUrl: "http://sandbox.test",
    apiKey: SANDBOX_API_KEY,
    fetch: fetchFor({ faults: [], steps: [] }),
  });
  const providers: string[] = [];
  const relay = createRelay({
    client,
    sealKey: Buffer.alloc(32, 7).toString("base64"),
    store: createMemoryStore({ rows: new Map() }),
    allowedOrigins: [],
    checkAppToken: () => true,
    onLogin: ({ provider }) => void providers.push(provider),
  });
  const sent: string[] = [];
  const { core } = openReactNative(async (input, init) => {
    const request = new Request(input, init);
    sent.push(`${request.method} ${new URL(request.url).pathname}`);
    return relay(request);
  });
  const app = core.createRelayClient({ baseUrl: "http://relay.test", headers: { authorization: "Bearer token" } });
  const outcome = await core.login(
    app,
    { provider: "test", username: "12345otp", password: "asdfg" },
    {
      onInteraction: () => "8888",
    },
  );
  expect(outcome).toMatchObject({ state: "loggedIn" });
  expect(providers).toEqual(["test"]);
  expect(sent).toEqual(["GET /provider/test/", "POST /login/", "POST /login/"]);
});
