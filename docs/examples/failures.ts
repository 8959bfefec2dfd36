import { BankError, createBankClient, describeFailure, login } from "ventanilla";
import { SANDBOX_API_KEY, serveSandbox } from "ventanilla/sandbox";

const bank = await serveSandbox();
const client = createBankClient({ baseUrl: bank.url, apiKey: SANDBOX_API_KEY });
const credentials = { provider: "test", username: "12345", password: "not this one" };

// A refusal of the bank is a value …
const outcome = await login(client, credentials);
if (outcome.state === "failed") {
  const { text, retryable } = describeFailure(outcome.failure, "es");
  console.log(outcome.failure.code, text, retryable);
}

// … and a fault is an error with a code.
await bank.close();
try {
  await login(client, credentials);
} catch (error) {
  if (!(error instanceof BankError)) throw error;
  console.log(error.code, describeFailure(error, "pt").text, error.detail);
}
