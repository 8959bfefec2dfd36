import { type BankClient, createBankClient } from "ventanilla";
import { expect, onTestFinished, test } from "vitest";
import { listen, type Wire } from "./wire.ts";

const createClient = (baseUrl: string) => createBankClient({ baseUrl, apiKey: "k", retry: { limit: 2, delay: 1 } });
const login = (client: BankClient) => client.login({ provider: "test", username: "ana", password: "hunter two" });

async function listenInVain(): Promise<Wire> {
  const wire = await listen({ onRequest: (socket) => socket.destroy() });
  onTestFinished(() => wire.close());
  return wire;
}

test("an https address of a plain server gets no request across, and a login tries it once", async () => {
  const wire = await listenInVain();
  const client = createClient(`https://127.0.0.1:${wire.port}`);
  await expect(login(client)).rejects.toMatchObject({ code: "network_failed", request: "POST /login/" });
  expect(wire.connections()).toBe(1);
  await expect(client.listProviders()).rejects.toMatchObject({ code: "network_failed", request: "GET /provider/" });
  expect(wire.connections()).toBe(1 + 3);
  expect(wire.requests).toEqual([]);
});
