import { randomBytes } from "node:crypto";
import { BankError, createBankClient, describeFailure, login, resume } from "ventanilla";
import { SANDBOX_API_KEY, serveSandbox } from "ventanilla/sandbox";
import { createMemoryStore } from "ventanilla/tokens";

const bank = await serveSandbox();
const client = createBankClient({ baseUrl: bank.url, apiKey: SANDBOX_API_KEY });
const key = randomBytes(32).toString("base64"); // in production: made once, and kept in a vault

// In one process: the bank asks for a code, and the person needs time to find it.
const waiting = await login(client, { provider: "test", username: "12345otp", password: "asdfg" });
if (waiting.state !== "awaitingInteraction") throw new Error(waiting.state);
const token = await waiting.pause({ key });
console.log(token.length < 1024);

// In another: what waits there, and the answer.
const claimStore = createMemoryStore(); // several instances: a store that they share, from "ventanilla/tokens"
let outcome = await resume(client, token, { key, claimStore });
while (outcome.state === "awaitingInteraction") {
  console.log(outcome.interaction.context);
  outcome = await outcome.answer("8888");
}
if (outcome.state === "loggedIn") console.log(await client.listTransferDestinations(outcome.key));

try {
  await resume(client, token, { key, claimStore });
} catch (error) {
  if (!(error instanceof BankError)) throw error;
  console.log(error.code, describeFailure(error, "es").text);
}
await bank.close();
