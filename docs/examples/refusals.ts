import { randomBytes } from "node:crypto";
import { createBankClient, login, rememberRefusals } from "ventanilla";
import { SANDBOX_API_KEY, serveSandbox } from "ventanilla/sandbox";
import { createMemoryStore } from "ventanilla/tokens";

const bank = await serveSandbox();
const client = createBankClient({ baseUrl: bank.url, apiKey: SANDBOX_API_KEY });
const careful = rememberRefusals(client, {
  store: createMemoryStore(), // several processes or runs: a store that they share, from "ventanilla/tokens"
  key: randomBytes(32).toString("base64"), // in production: made once, and kept in a vault
  onError: console.error, // a store that fails stops no login
});

const stored = { provider: "test", username: "12345", password: "not this one" };
for (let run = 1; run <= 3; run += 1) {
  const outcome = await login(careful, stored); // the second and the third send nothing
  if (outcome.state === "failed") console.log(outcome.failure.code, outcome.failure.refusedAt);
}
await bank.close();
