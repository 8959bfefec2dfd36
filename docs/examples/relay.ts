import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBankClient, createRelayClient, login } from "ventanilla";
import { createNodeHandler } from "ventanilla/node";
import { createRelay } from "ventanilla/relay";
import { SANDBOX_API_KEY, serveSandbox } from "ventanilla/sandbox";
import { createFolderStore } from "ventanilla/tokens";

// The server: it has the API key, and gets the session key.
const bank = await serveSandbox();
const folder = await mkdtemp(join(tmpdir(), "logins-")); // in production: one that stays, such as /var/lib/shop/logins
const page = "https://shop.example"; // the origin of your page
const relay = createRelay({
  client: createBankClient({
    baseUrl: bank.url,
    apiKey: SANDBOX_API_KEY,
    sessionKeyIn: "header", // beyond the contract: leave it out where the service takes keys in the query alone
  }),
  sealKey: randomBytes(32).toString("base64"), // in production: the same for every instance, from a vault
  store: createFolderStore(folder), // several instances: a store that they share
  allowedOrigins: [page],
  path: "/bank",
  readUser: false, // in production: whose request it is, so that a reload loses no login
  onLogin: ({ provider, key }) => console.log(`server: logged in at ${provider} with ${key}`), // in production: store it
  onEvent: ({ route, httpStatus, status, reason }) => console.log("log:", route, httpStatus, status ?? reason),
});
const server = createServer(createNodeHandler(relay)).listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address() as AddressInfo;

// The browser: it has neither. Its own fetch adds the origin; here we are not a browser.
const browserFetch: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set("origin", page);
  return fetch(input, { ...init, headers });
};
const client = createRelayClient({ baseUrl: `http://127.0.0.1:${port}/bank`, fetch: browserFetch });
const outcome = await login(
  client,
  { provider: "test", username: "12345otp", password: "asdfg" },
  {
    onInteraction: ({ context }) => {
      console.log("browser:", context);
      return "8888";
    },
  },
);
if (outcome.state === "loggedIn") console.log("browser:", (await client.listTransferDestinations(outcome.key)).status);

server.closeAllConnections();
server.close();
await relay.finish();
await bank.close();
await rm(folder, { recursive: true });
