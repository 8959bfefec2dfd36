import { type BankClient, type BankClientOptions, createBankClient, type LoginResponse, type Secret } from "ventanilla";
import { createSandbox, SANDBOX_API_KEY } from "ventanilla/sandbox";
import { expect } from "vitest";

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

export const sandbox = createSandboxClient();

/** What the sandbox says of a provider. */
export async function readProvider(code: string) {
  const response = await sandbox.getProvider(code);
  return response.status === "success" ? response.provider : expect.fail(response.status);
}

/** The session key that a response brings. */
export function keyIn(response: LoginResponse): Secret {
  return "key" in response && response.key ? response.key : expect.fail(response.status);
}

/** The form of somebody whom the sandbox knows. */
export const known = (provider: string, username: string, password = "s3creto") => ({ provider, username, password });
