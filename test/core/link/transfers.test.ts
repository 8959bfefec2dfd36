import { createBankClient, createCredentials, createLinkMachine, createRelayClient, secret } from "ventanilla";
import { createRelay } from "ventanilla/relay";
import { createSandbox, SANDBOX_API_KEY } from "ventanilla/sandbox";
import { createMemoryStore } from "ventanilla/tokens";
import { expect, test } from "vitest";
import { createActor, waitFor } from "xstate";

// Beyond the contract: `methods.transfers` of a bank's detail. Without transfers there is nobody to transfer to.

const page = "https://shop.example";

function begin() {
  const lines: string[] = [];
  const sandbox = createSandbox();
  const client = createBankClient({
    baseUrl: "https://bank.example",
    apiKey: SANDBOX_API_KEY,
    fetch: (input, init) => {
      const request = new Request(input, init);
      lines.push(`${request.method} ${new URL(request.url).pathname}`);
      return sandbox(request);
    },
  });
  const relay = createRelay({
    client,
    store: createMemoryStore({ rows: new Map() }),
    allowedOrigins: [page],
    readCaller: () => "page",
    onLogin: () => undefined,
  });
  const atPage = createRelayClient({
    baseUrl: page,
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set("origin", page);
      return relay(new Request(input, { ...init, headers }));
    },
  });
  return { lines, clients: { "the bank": client, "a relay": atPage } };
}

test.each(["the bank", "a relay"] as const)(
  "a link at %s ends without destinations where there are none",
  async (at) => {
    const { lines, clients } = begin();
    const provider = "silencio_ni";
    const actor = createActor(createLinkMachine(clients[at]), { input: { provider } }).start();
    await waitFor(actor, (snapshot) => snapshot.children.login?.getSnapshot().value === "idle");
    const credentials = createCredentials({ provider, username: "object", password: "s3creto" });
    actor.send({ type: "credentials.submit", credentials });
    await waitFor(actor, (snapshot) => snapshot.children.login?.getSnapshot().value === "awaitingInteraction");
    actor.send({ type: "interaction.answer", answer: { otp: secret("271828") } });
    const { output } = await waitFor(actor, ({ status }) => status === "done");
    expect(output).toMatchObject({ state: "linked", provider, destinations: [] });
    expect(lines).toEqual(["GET /provider/silencio_ni/", "POST /login/", "POST /login/"]);
  },
);

test.each<[username: string, at: "the bank" | "a relay", failure: object]>([
  ["later", "the bank", {}],
  ["later", "a relay", {}],
  ["latertoken", "the bank", { field: "token", description: "Ingrese el token para ver sus contactos" }],
  ["latertoken", "a relay", { field: "token", description: "Ingrese el token para ver sus contactos" }],
])("destinations that ask for more say so, and keep the session: %s, at %s", async (username, at, failure) => {
  const { lines, clients } = begin();
  const provider = "canal_pa";
  const actor = createActor(createLinkMachine(clients[at]), { input: { provider, destinations: true } }).start();
  await waitFor(actor, (snapshot) => snapshot.children.login?.getSnapshot().value === "idle");
  const fields = { company_code: "7701" };
  actor.send({
    type: "credentials.submit",
    credentials: createCredentials({ provider, username, password: "s3creto", fields }),
  });
  const { context } = await waitFor(actor, (snapshot) => snapshot.matches("failed"));
  expect(context.failure).toEqual({
    kind: "outcome",
    code: "session_incomplete",
    httpStatus: at === "the bank" ? 200 : 403,
    ...failure,
  });
  expect(context.key).toBeDefined();
  expect(lines).toEqual(["GET /provider/canal_pa/", "POST /login/", "GET /transfer/destinations"]);
});
