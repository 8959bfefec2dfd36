import { createBankClient } from "ventanilla";
import { createSandbox, SANDBOX_API_KEY } from "ventanilla/sandbox";

/** A client of a bank that runs in this page; in production the address of your relay, which keeps the API key. */
export function sandboxClient() {
  const sandbox = createSandbox();
  return createBankClient({
    baseUrl: "http://sandbox.example",
    apiKey: SANDBOX_API_KEY,
    fetch: (input, init) => sandbox(new Request(input, init)),
  });
}
