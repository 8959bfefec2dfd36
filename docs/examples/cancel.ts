import { createBankClient, login } from "ventanilla";
import { SANDBOX_API_KEY, serveSandbox } from "ventanilla/sandbox";

const bank = await serveSandbox();
const client = createBankClient({ baseUrl: bank.url, apiKey: SANDBOX_API_KEY });
const controller = new AbortController();

const outcome = await login(
  client,
  { provider: "test", username: "12345otp", password: "asdfg" },
  {
    settings: {
      // cancels whatever runs
      deadline: new Date(Date.now() + 120_000), // ends the whole login
      answerTimeout: 60_000,
    },
    signal: controller.signal, // cancels an interaction that gets no answer
    onTransition: ({ state }) => console.log(state),
    onInteraction: (_interaction, { signal }) => {
      signal.addEventListener("abort", () => console.log("close the prompt"));
      controller.abort();
      return new Promise(() => {}); // a person who never answers
    },
  },
);
console.log(outcome.state);
await bank.close();
