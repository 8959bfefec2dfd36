import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createBankClient } from "ventanilla";
import { createHostedLogin, type HostedLogin } from "ventanilla/hosted";
import { createNodeHandler } from "ventanilla/node";
import { SANDBOX_API_KEY, serveSandbox } from "ventanilla/sandbox";
import { createMemoryStore } from "ventanilla/tokens";

const bank = await serveSandbox(); // in production: your service's address
const client = createBankClient({ baseUrl: bank.url, apiKey: SANDBOX_API_KEY });

const server = createServer((request, response) => createNodeHandler(hosted.handle)(request, response));
await once(server.listen(Number(process.env["PORT"] ?? 8080), "127.0.0.1"), "listening");
const { port } = server.address() as AddressInfo;

const hosted: HostedLogin = createHostedLogin({
  client,
  sealKey: randomBytes(32).toString("base64"), // in production: the same for every instance, from a vault
  store: createMemoryStore(), // several instances: a store that they share, from "ventanilla/tokens"
  url: `http://127.0.0.1:${port}/bank`, // in production: https
  name: "Shop",
  async onEnd({ id, user, status }) {
    console.log(`account ${user}:`, status);
    if (status === "logged_in") {
      const key = await hosted.takeKey(id, { idempotencyKey: `account ${user}` }); // store it
      console.log((await client.listTransferDestinations(key)).status);
    }
    clearInterval(sweeping);
    server.close();
    await bank.close();
  },
});
const sweeping = setInterval(hosted.sweep, 60_000);

const { url } = await hosted.create({ user: "42", provider: "test" });
console.log("Log in as 12345 with the password gfdsa at", url);
