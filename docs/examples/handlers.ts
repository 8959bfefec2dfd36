import { createBankClient, login } from "ventanilla";
import { SANDBOX_API_KEY, serveSandbox } from "ventanilla/sandbox";

const bank = await serveSandbox();
const client = createBankClient({ baseUrl: bank.url, apiKey: SANDBOX_API_KEY });

const outcome = await login(
  client,
  { provider: "test", username: "12345otp", password: "asdfg" },
  {
    onInteraction: ({ field, context, isRepeat }) => {
      console.log(`The bank asks for ${field}: ${context}`);
      return isRepeat ? null : "8888"; // null cancels the login
    },
  },
);
console.log(outcome.state);
await bank.close();
