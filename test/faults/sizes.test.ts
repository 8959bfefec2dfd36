import type { Socket } from "node:net";
import { createBankClient } from "ventanilla";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Scene } from "./bank.ts";
import { endlessChunks, fiftyMegabytes } from "./bodies.ts";
import { listen, type Received } from "./wire.ts";

async function bankThat(play: (scene: Scene) => unknown) {
  const sockets: Socket[] = [];
  const wire = await listen({
    onRequest: (socket: Socket, request: Received) => {
      sockets.push(socket);
      play({ socket, request, pass: async () => {}, elsewhere: "" });
    },
  });
  onTestFinished(() => wire.close());
  const client = createBankClient({ baseUrl: `http://127.0.0.1:${wire.port}`, apiKey: "k" });
  return { wire, client, taken: () => sockets.reduce((sum, socket) => sum + socket.bytesWritten, 0) };
}

describe.each([
  ["50 MB", fiftyMegabytes],
  ["chunks without an end", endlessChunks],
])("%s in response to a login", (_, play) => {
  test("are not taken in beyond the limit and what the machine buffers", async () => {
    const { wire, client, taken } = await bankThat(play);
    const end = client.login({ provider: "test", username: "ana", password: "hunter two" });
    await expect(end).rejects.toMatchObject({ code: "response_too_large", detail: "more than 4194304 bytes" });
    await wire.requests[0]?.hungUp;
    expect(wire.requests).toHaveLength(1);
    expect(taken()).toBeLessThan(25_000_000);
  });
});
