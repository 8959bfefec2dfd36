import { randomBytes } from "node:crypto";
import { createBankClient } from "ventanilla";
import { createRelay } from "ventanilla/relay";
import { createSandbox, SANDBOX_API_KEY } from "ventanilla/sandbox";
import { createMemoryStore } from "ventanilla/tokens";

/** The server half. It has the API key, and gets the session keys. Here the bank is the sandbox, in this process. */
export function relayFor(origin: string, onLogin: (provider: string) => void = () => {}) {
  const sandbox = createSandbox();
  return createRelay({
    client: createBankClient({
      baseUrl: "http://sandbox.example",
      apiKey: SANDBOX_API_KEY,
      fetch: (input, init) => sandbox(new Request(input, init)),
    }),
    sealKey: randomBytes(32).toString("base64"), // in production: the same for every instance, from a vault
    store: createMemoryStore(), // in production: one that outlives the process, from "ventanilla/tokens"
    allowedOrigins: [origin],
    path: "/bank/",
    clientSelection: true,
    logout: true,
    readUser: false, // in production: whose request it is, so that a reload loses no login
    onLogin: ({ provider, key }) => onLogin(`${provider} ${key}`), // in production: store the key
  });
}
