import { createBankClient, login } from "ventanilla";
import { createSandbox, SANDBOX_API_KEY } from "ventanilla/sandbox";

// A program that outcomes-without-handlers.test.ts runs: it ignores the outcome that waits, or has a handler that never answers.

const sandbox = createSandbox();
const client = createBankClient({
  baseUrl: "http://sandbox",
  apiKey: SANDBOX_API_KEY,
  fetch: (input, init) => sandbox(new Request(input, init)),
});
const [answerTimeout] = process.argv.slice(2).map(Number);
const handlers = answerTimeout !== undefined && { answerTimeout, onInteraction: () => new Promise<never>(() => {}) };
const outcome = await login(client, { provider: "test", username: "12345otp", password: "asdfg", ...handlers });
process.stdout.write(outcome.status);
