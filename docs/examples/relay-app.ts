import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BankError, createBankClient, createRelayClient, describeFailure, login, reveal } from "ventanilla";
import { createNodeHandler } from "ventanilla/node";
import { createRelay } from "ventanilla/relay";
import { SANDBOX_API_KEY, serveSandbox } from "ventanilla/sandbox";
import { createFolderStore } from "ventanilla/tokens";

// The app's backend: a person who has signed in to the app gets a token that expires soon.
const tokens = new Map<string, { person: string; expiresAt: number }>();
function issueToken(person: string): string {
  const token = randomUUID();
  tokens.set(token, { person, expiresAt: Date.now() + 300_000 });
  return token;
}
function findPerson(token: string): string | undefined {
  const issued = tokens.get(token);
  return issued && issued.expiresAt > Date.now() ? issued.person : undefined;
}

// The relay of the app: no page may use it, so each request needs a token.
const bank = await serveSandbox();
const folder = await mkdtemp(join(tmpdir(), "logins-")); // in production: one that stays, such as /var/lib/shop/logins
const relay = createRelay({
  client: createBankClient({ baseUrl: bank.url, apiKey: SANDBOX_API_KEY }),
  sealKey: randomBytes(32).toString("base64"), // in production: the same for every instance, from a vault
  store: createFolderStore(folder), // several instances: a store that they share
  allowedOrigins: [],
  checkAppToken: ({ token }) => findPerson(reveal(token)) !== undefined,
  path: "/bank",
  readUser: ({ token }) => token && findPerson(reveal(token)),
  onLogin: ({ provider, key, user }) => console.log(`server: ${user} logged in at ${provider} with ${key}`), // in production: store it
  onEvent: ({ route, httpStatus, status, reason }) => console.log("log:", route, httpStatus, status ?? reason),
});
const server = createServer(createNodeHandler(relay)).listen(0, "127.0.0.1"); // in production: behind https
await once(server, "listening");
const { port } = server.address() as AddressInfo;
const baseUrl = `http://127.0.0.1:${port}/bank`;

// The app: it asks its backend for a token before each request. There are no cookies.
const client = createRelayClient({ baseUrl, headers: async () => ({ authorization: `Bearer ${issueToken("ana")}` }) });
const outcome = await login(
  client,
  { provider: "test", username: "12345otp", password: "asdfg" },
  {
    onInteraction: ({ context }) => {
      console.log("app:", context);
      return "8888";
    },
  },
);
console.log("app:", outcome.state);

// A program without a token of the backend's.
const stranger = createRelayClient({ baseUrl, headers: { authorization: "Bearer guess" } });
try {
  await stranger.login({ provider: "test", username: "12345", password: "gfdsa" });
} catch (error) {
  if (error instanceof BankError) console.log("stranger:", error.code, describeFailure(error, "es").text);
}

server.closeAllConnections();
server.close();
await relay.finish();
await bank.close();
await rm(folder, { recursive: true });
