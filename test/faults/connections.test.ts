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
  return {
    wire,
    client: createBankClient({ baseUrl: `http://127.0.0.1:${wire.port}`, apiKey: "k", directory: false }),
  };
}

// That a login is sent once on a kept connection that breaks: test/platforms.

test("what is sent once has a connection of its own, which reads do not use", async () => {
  const used: Socket[] = [];
  const { wire, client } = await startBank((socket, request) => {
    used.push(socket);
    const status = request.method === "POST" ? "logged_in" : "success";
    socket.write(formatResponse("200 OK", JSON.stringify({ status, key: "k", providers: [] })));
  });
  for (const call of [
    client.listProviders,
    () => client.login(fields),
    client.listProviders,
    () => client.login(fields),
  ]) {
    await call();
    await free();
  }
  const [read, login, secondRead, secondLogin] = used;
  expect(secondRead).toBe(read);
  expect(new Set([read, login, secondLogin]).size).toBe(3);
  const logins = wire.requests.filter(({ method }) => method === "POST");
  expect(logins.map(({ headers }) => [headers["connection"], headers["host"]])).toEqual(
    Array.from({ length: 2 }, () => ["close", `127.0.0.1:${wire.port}`]),
  );
});

test("a proxy's late second response to a read never becomes the response of a login", async () => {
  const late = new WeakSet<Socket>();
  const { client } = await startBank((socket, { method }) => {
    if (method === "GET") {
      late.add(socket);
      return socket.write(formatResponse("200 OK", '{"status":"success","providers":[]}'));
    }
    if (late.has(socket)) socket.write(loggedIn("of somebody else"));
    return socket.write(formatResponse("200 OK", '{"status":"wrong_credentials"}'));
  });
  await client.listProviders();
  await free();
  expect(await client.login(fields)).toMatchObject({ status: "wrong_credentials" });
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
  expect(await client.listTransferDestinations(secret("quick"))).toEqual({
    status: "success",
    destinations: [],
    skipped: 0,
  });
  expect(wire.requests.map(formatLine)).toEqual(["GET /logout/?key", "GET /transfer/destinations?key"]);
});

test.each(["50 MB", "chunks without an end"])(
  "of %s for a login, only the limit and what the machine buffers is read",
  async (fault) => {
    const { play } = quickFaults.find((row) => row.fault === fault) ?? expect.fail("no such fault");
    if (typeof play !== "function") expect.fail("a fault of the address");
    const sockets: Socket[] = [];
    const { wire, client } = await startBank((socket, request) => {
      sockets.push(socket);
      play({ socket, request, pass: async () => {}, elsewhere: "" });
    });
    const expected = { code: "outcome_unknown", detail: "response_against_contract: more than 4194304 bytes" };
    await expect(client.login(fields)).rejects.toMatchObject(expected);
    await wire.requests[0]?.hungUp;
    expect(wire.requests).toHaveLength(1);
    expect(sockets[0]?.bytesWritten).toBeLessThan(25_000_000);
  },
);
