import { randomBytes } from "node:crypto";
import { H3, serve } from "h3";
import { createBankClient, createMemoryClaimStore } from "ventanilla";
import { createRelay } from "ventanilla/relay";
import { openFront } from "../front.ts";

/** The pages in a folder, served by a front with a relay behind it that talks to a bank. */
export async function openRelayed(files: string, apiKey: string, bank: (request: Request) => Promise<Response>) {
  const front = await openFront(files);
  const relay = createRelay({
    client: createBankClient({
      baseUrl: "http://bank.example",
      apiKey,
      retry: false,
      fetch: (input, init) => bank(new Request(input, init)),
    }),
    sealKey: randomBytes(32).toString("base64"),
    allowedOrigins: [front.url],
    path: "/bank",
    clientSelection: true,
    logout: true,
    rateLimit: false,
    claimStore: createMemoryClaimStore(),
    onLogin: () => undefined,
  });
  const app = new H3({ silent: true }).all("/**", (event) => relay(event.req));
  const server = serve(app, { port: 0, hostname: "127.0.0.1", silent: true });
  await server.ready();
  front.relay = new URL(server.url ?? "").origin;
  const close = async () => {
    front.close();
    await server.close(true);
  };
  return { front, close };
}
