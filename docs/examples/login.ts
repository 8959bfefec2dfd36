import { createBankClient, login } from "ventanilla";
import { SANDBOX_API_KEY, serveSandbox } from "ventanilla/sandbox";

const bank = await serveSandbox(); // in production: your service's address
const client = createBankClient({ baseUrl: bank.url, apiKey: SANDBOX_API_KEY });

let outcome = await login(client, { provider: "test", username: "12345otp", password: "asdfg" });
while (outcome.state === "awaitingInteraction") {
  if (outcome.interaction.isRepeat) break; // the bank has not accepted the answer: ask for another one, or cancel
  console.log(`The bank asks for ${outcome.interaction.field}: ${outcome.interaction.context}`);
  outcome = await outcome.answer("8888"); // in production: ask the person
}
if (outcome.state === "loggedIn") console.log(await client.listTransferDestinations(outcome.key));
await bank.close();
