import { createBankClient, login } from "ventanilla";
import { inspectLogin } from "ventanilla/inspect";
import { SANDBOX_API_KEY, serveSandbox } from "ventanilla/sandbox";

const bank = await serveSandbox();
const client = createBankClient({ baseUrl: bank.url, apiKey: SANDBOX_API_KEY });

const inspect = inspectLogin(); // on this machine only; it does not keep the process alive
const { viewer, server } = await inspect.address;
console.log("Watch at", viewer);
console.log("or with a receiver at", server);

const outcome = await login(
  client,
  { provider: "test", username: "12345otp", password: "asdfg" },
  {
    onInteraction: () => "8888",
    inspect,
  },
);
console.log(outcome.state);
inspect.stop();
await bank.close();
