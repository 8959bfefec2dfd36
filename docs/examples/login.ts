import { createBankClient, login } from "ventanilla";
import { SANDBOX_API_KEY, serveSandbox } from "ventanilla/sandbox";

const bank = await serveSandbox(); // in production: your service's address
const client = createBankClient({ baseUrl: bank.url, apiKey: SANDBOX_API_KEY });

const outcome = await login(client, {
  provider: "test",
  username: "12345otp",
  password: "asdfg",
  onInteraction: ({ field, context }) => {
    console.log(`The bank asks for ${field}: ${context}`);
    return "8888"; // in production: ask the person
  },
});

if (outcome.status === "logged_in") {
  console.log(await client.listTransferDestinations(outcome.key));
} else console.log(`Not logged in: ${outcome.status}`);
await bank.close();
