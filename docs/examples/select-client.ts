import { createBankClient, login } from "ventanilla";
import { SANDBOX_API_KEY, serveSandbox } from "ventanilla/sandbox";

const bank = await serveSandbox();
const client = createBankClient({ baseUrl: bank.url, apiKey: SANDBOX_API_KEY });

let outcome = await login(
  client,
  { provider: "canal_pa", username: "letters", password: "s3creto", fields: { company_code: "7701" } },
  {
    settings: {
      // what this bank asks beside username and password
      clientSelection: true,
    },
  },
);
if (outcome.state === "selectClient") {
  console.log(outcome.clients);
  const [first] = outcome.clients; // in production: the person chooses
  if (first) outcome = await outcome.choose(first);
}
console.log(outcome.state);
await bank.close();
