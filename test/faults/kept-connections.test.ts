import { createBankClient, reveal, secret } from "ventanilla";
import { expect, onTestFinished, test } from "vitest";
import { holdTimeout } from "./timeouts.ts";
import { formatLine, formatResponse, listen, type WireOptions } from "./wire.ts";

const fields = { provider: "test", username: "ana", password: "hunter two" };
// A response's connection can be used again a turn after the response.
const free = () => new Promise((resolve) => setImmediate(resolve));
const loggedIn = (key: string, headers = {}) =>
  formatResponse("200 OK", JSON.stringify({ status: "logged_in", key }), headers);

async function bankThat(onRequest: WireOptions["onRequest"]) {
  const wire = await listen({ onRequest });
  onTestFinished(() => wire.close());
  const client = createBankClient({ baseUrl: `http://127.0.0.1:${wire.port}`, apiKey: "k", retry: { delay: 1 } });
  return { wire, client };
}

test("a login on a connection that was kept, and breaks under it, is not sent on another one", async () => {
  let number = 0;
  const { wire, client } = await bankThat((socket) => {
    number += 1;
    if (number === 1) socket.write(loggedIn("first"));
    else socket.resetAndDestroy();
  });
  await client.login(fields);
  await free();
  await expect(client.login({ ...fields, otp: "8888" }, { key: "first" })).rejects.toMatchObject({
    code: "network_failed",
    request: "POST /login/",
  });
  expect(wire.requests.map(formatLine)).toEqual(["POST /login/", "POST /login/?key"]);
  expect(wire.connections()).toBe(1);
});

test("a connection that the bank takes back with its response is not used again", async () => {
  const { wire, client } = await bankThat((socket) =>
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

test("a second response behind the first is nobody's: the next login gets its own", async () => {
  const { wire, client } = await bankThat((socket, { body }) => {
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

test("a response that comes after the time-out is nobody's: the next request gets its own", async () => {
  const late: (() => void)[] = [];
  const timeout = holdTimeout();
  const { wire, client } = await bankThat((socket, { target }) => {
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
