import type { Socket } from "node:net";
import { createBankClient, reveal, secret } from "ventanilla";
import { expect, onTestFinished, test } from "vitest";
import { quickFaults } from "./table.ts";
import { holdTimeout } from "./timeouts.ts";
import { formatLine, formatResponse, listen, type WireOptions } from "./wire.ts";

const fields = { provider: "test", username: "ana", password: "hunter two" };
// A response's connection can be used again a turn after the response.
const free = () => new Promise((resolve) => setImmediate(resolve));
const loggedIn = (key: string, headers = {}) =>
  formatResponse("200 OK", JSON.stringify({ status: "logged_in", key }), headers);

async function startBank(onRequest: WireOptions["onRequest"]) {
  const wire = await listen({ onRequest });
  onTestFinished(() => wire.close());
  return { wire, client: createBankClient({ baseUrl: `http://127.0.0.1:${wire.port}`, apiKey: "k" }) };
}

// That a login is sent once on a kept connection that breaks: test/platforms.

test("a connection that the bank closes with its response is not used again", async () => {
  const { wire, client } = await startBank((socket) =>
    socket.write(loggedIn(`of ${wire.connections()}`, { connection: "close" })),
  );
  for (const number of [1, 2, 3]) {
    const response = await client.login(fields);
    await free();
    expect(response).toMatchObject({ status: "logged_in" });
    expect("key" in response && response.key && reveal(response.key)).toBe(`of ${number}`);
  }
  expect(wire.requests).toHaveLength(3);
});

test("a second response right after the first is dropped: the next login gets its own", async () => {
  const { wire, client } = await startBank((socket, { body }) => {
    const username = new URLSearchParams(body).get("username");
    socket.write(Buffer.concat([loggedIn(`of ${username}`), loggedIn("of somebody else")]));
  });
  for (const username of ["ana", "bea", "cleo"]) {
    const response = await client.login({ ...fields, username });
    await free();
    expect("key" in response && response.key && reveal(response.key)).toBe(`of ${username}`);
  }
  expect(wire.requests).toHaveLength(3);
});

test("a response after the time-out is dropped: the next request gets its own", async () => {
  const late: (() => void)[] = [];
  const timeout = holdTimeout();
  const { wire, client } = await startBank((socket, { target }) => {
    if (target.includes("slow")) {
      late.push(() => socket.write(formatResponse("200 OK", '{"status":"logged_out"}')));
      timeout.runOut();
    } else socket.write(formatResponse("200 OK", '{"status":"success","destinations":[]}'));
  });
  const slow = client.logout(secret("slow"), { timeout: timeout.length });
  await expect(slow).rejects.toMatchObject({ code: "request_timed_out" });
  for (const answer of late) answer();
  expect(await client.listTransferDestinations(secret("quick"))).toEqual({ status: "success", destinations: [] });
  expect(wire.requests.map(formatLine)).toEqual(["GET /logout/?key", "GET /transfer/destinations?key"]);
});

test.each(["50 MB", "chunks without an end"])(
  "of %s in response to a login, no more is read than the limit and what the machine buffers",
  async (fault) => {
    const { play } = quickFaults.find((row) => row.fault === fault) ?? expect.fail("no such fault");
    if (typeof play !== "function") expect.fail("a fault of the address");
    const sockets: Socket[] = [];
    const { wire, client } = await startBank((socket, request) => {
      sockets.push(socket);
      play({ socket, request, pass: async () => {}, elsewhere: "" });
    });
    const expected = { code: "response_too_large", detail: "more than 4194304 bytes" };
    await expect(client.login(fields)).rejects.toMatchObject(expected);
    await wire.requests[0]?.hungUp;
    expect(wire.requests).toHaveLength(1);
    expect(sockets[0]?.bytesWritten).toBeLessThan(25_000_000);
  },
);
