import { type BankClient, type BankClientOptions, createBankClient } from "ventanilla";
import { createSandbox, SANDBOX_API_KEY } from "ventanilla/sandbox";

/** A client of a sandbox of its own. */
export function createSandboxClient(options: Partial<BankClientOptions> = {}): BankClient {
  const sandbox = createSandbox();
  return createBankClient({
    baseUrl: "http://sandbox.test",
    apiKey: SANDBOX_API_KEY,
    fetch: (input, init) => sandbox(new Request(input, init)),
    ...options,
  });
}
