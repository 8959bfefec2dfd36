import type { LoginState } from "ventanilla";
import { createBankClient, login } from "ventanilla";
import { createSandbox, SANDBOX_API_KEY } from "ventanilla/sandbox";

// A program that outcomes-without-handlers.test.ts runs: it ignores the outcome that waits, or has a handler that never answers, and
// a clock that may be set forward when the bank asks.

const sandbox = createSandbox();
const client = createBankClient({
  baseUrl: "http://sandbox",
  apiKey: SANDBOX_API_KEY,
  fetch: (input, init) => sandbox(new Request(input, init)),
});
const [answerTimeout, clockChange = 0] = process.argv.slice(2).map(Number);
const onTransition = ({ state }: LoginState) => {
  const { now } = Date;
  if (state === "awaitingInteraction") Date.now = () => now() + clockChange;
};
const onInteraction = () => new Promise<never>(() => {});
const options = answerTimeout === undefined ? {} : { settings: { answerTimeout }, onTransition, onInteraction };
const outcome = await login(client, { provider: "test", username: "12345otp", password: "asdfg" }, options);
process.stdout.write(outcome.state);
