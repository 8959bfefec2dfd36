import type { IncomingMessage } from "node:http";
import { networkInterfaces } from "node:os";
import { BankError } from "ventanilla";
import { inspectLogin, type LoginInspection } from "ventanilla/inspect";
import { loginMachine } from "ventanilla/machines/login";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { WebSocket } from "ws";
import { createActor } from "xstate";
import { hasToken } from "../../../src/tools/inspect/server/viewer-server.ts";
import { parseStatus, raw } from "../../servers/relay/wire.ts";

function inspected(options?: Parameters<typeof inspectLogin>[0]): LoginInspection {
  const inspection = inspectLogin(options);
  onTestFinished(() => inspection.stop());
  return inspection;
}

const readServer = async (inspection: LoginInspection): Promise<string> => (await inspection.address).server ?? "";

/** Runs a statechart as far as it goes without events: one actor, one event and one snapshot. */
const beginLogin = (inspect: LoginInspection) => createActor(loginMachine, { input: {}, inspect }).start();

/** Connects and keeps the messages; a refusal gives its HTTP code. */
async function connect(address: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(address, { headers });
  const received: string[] = [];
  socket.on("message", (data) => received.push(String(data)));
  const answer = await new Promise<number>((resolve, reject) => {
    socket.on("open", () => resolve(101));
    socket.on("unexpected-response", (_, response) => resolve(response.statusCode ?? 0));
    socket.on("error", reject);
  });
  onTestFinished(() => socket.terminate());
  const closed = new Promise<number>((resolve) => socket.on("close", resolve));
  return { answer, received, socket, closed };
}

describe("a watcher", () => {
  test("needs the complete token", async () => {
    const server = await readServer(inspected());
    const [, base = "", right = ""] = /^ws(:.*\/)([\w-]{22})$/.exec(server) ?? [];
    const other = right.replace(/^./, (first) => (first === "A" ? "B" : "A"));
    for (const token of ["", right.slice(1), `${right}x`, other]) {
      expect((await connect(`ws${base}${token}`)).answer, token).toBe(403);
      expect((await fetch(`http${base}${token}`)).status, token).toBe(404);
    }
    expect((await connect(server)).answer).toBe(101);
    expect(await readServer(inspected())).not.toContain(right);
  });

  test("is refused with letters of several bytes in place of the token", () => {
    const token = "a".repeat(22);
    const request = (path: string) => ({ url: `/${path}/`, headers: { host: "127.0.0.1:1" } }) as IncomingMessage;
    const paths = ["é".repeat(22), "é".repeat(11), token];
    expect(paths.filter((path) => hasToken(request(path), token))).toEqual([token]);
  });

  test("in a page needs the origin of the viewer", async () => {
    const server = await readServer(inspected());
    const { host, port } = new URL(server);
    const strange = ["https://evil.example", "null", `http://127.0.0.1:${Number(port) + 1}`, `https://${host}`];
    for (const origin of strange) expect((await connect(server, { origin })).answer, origin).toBe(403);
    expect((await connect(server, { origin: `http://${host}` })).answer).toBe(101);
  });

  test("is refused under a host name that was rebound to this machine", async () => {
    const server = await readServer(inspected());
    const { host, pathname, port } = new URL(server);
    const rebound = `evil.example:${port}`;
    expect((await connect(server, { host: rebound, origin: `http://${rebound}` })).answer).toBe(403);
    const readPage = (name: string) =>
      raw(server, `GET ${pathname}/ HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`);
    expect([await readPage(host), await readPage(rebound)].map(parseStatus)).toEqual([200, 404]);
  });

  test("on another machine can't connect: only the loopback listens", async () => {
    const server = new URL(await readServer(inspected()));
    expect(server.hostname).toBe("127.0.0.1");
    const outside = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal, family }) => !internal && family === "IPv4");
    for (const { address } of outside) {
      server.hostname = address;
      await expect(connect(server.href), address).rejects.toThrow(/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH/);
    }
  });
});

test.each([
  [undefined, 15],
  [4, 4],
])("a late watcher gets what happened before: with a history of %s the last %d events", async (history, count) => {
  const inspection = inspected(history === undefined ? {} : { history });
  for (let number = 0; number < 5; number += 1) beginLogin(inspection);
  const { received } = await connect(await readServer(inspection));
  await expect.poll(() => received.length).toBe(count);
  const [actor, event, snapshot] = ["@xstate.actor", "@xstate.event", "@xstate.snapshot"];
  expect(received.slice(-4).map((text) => JSON.parse(text).type)).toEqual([snapshot, actor, event, snapshot]);
});

describe("an inspected login", () => {
  const messagesWritten = (written: { mock: { calls: unknown[][] } }) =>
    written.mock.calls.filter(([value]) => typeof value === "object" && value !== null && "_version" in value).length;

  test("writes no message without a watcher", async () => {
    const inspection = inspected();
    await inspection.address;
    const written = vi.spyOn(JSON, "stringify");
    onTestFinished(() => written.mockRestore());
    for (let number = 0; number < 10; number += 1) beginLogin(inspection);
    expect(messagesWritten(written)).toBe(0);
    const [one, other] = [await connect(await readServer(inspection)), await connect(await readServer(inspection))];
    await expect.poll(() => [one.received.length, other.received.length]).toEqual([30, 30]);
    const before = messagesWritten(written);
    beginLogin(inspection);
    // Once for both watchers.
    expect(messagesWritten(written) - before).toBe(3);
  });

  test("drops a watcher that does not read", async () => {
    const inspection = inspected({ history: 1 });
    const { socket, closed } = await connect(await readServer(inspection));
    socket.pause();
    // One turn between the rounds, so that the messages pile up in this process and not in the watcher's.
    for (let round = 0; round < 60; round += 1) {
      for (let number = 0; number < 200; number += 1) beginLogin(inspection);
      await new Promise((resolve) => setImmediate(resolve));
    }
    socket.resume();
    expect(await closed).toBe(1006);
  });

  test("goes on where the port is taken; only `address` rejects", async () => {
    const { port } = new URL(await readServer(inspected()));
    const second = inspected({ port: Number(port) });
    expect(beginLogin(second).getSnapshot().value).toBe("idle");
    const error = await second.address.catch((reason) => reason);
    expect(error).toBeInstanceOf(BankError);
    expect(error).toMatchObject({ code: "invalid_input", field: "port", detail: "EADDRINUSE" });
  });

  test.each([{ port: -1 }, { history: 1.5 }])("takes integers only: %o", (options) => {
    expect(() => inspectLogin(options)).toThrow(`invalid_input: ${Object.keys(options)}`);
  });

  test("rejects a port above 65535 in the same way", async () => {
    const refusal = { code: "invalid_input", field: "port", detail: "must be at most 65535" };
    await expect(inspected({ port: 65_536 }).address).rejects.toMatchObject(refusal);
  });
});

describe("stop()", () => {
  test("closes the connections and the server, and drops later events", async () => {
    const inspection = inspected();
    const server = await readServer(inspection);
    const { closed, received } = await connect(server);
    beginLogin(inspection);
    inspection.stop();
    inspection.stop();
    expect(beginLogin(inspection).getSnapshot().value).toBe("idle");
    expect(await closed).toBe(1000);
    expect(received).toHaveLength(3);
    await expect(connect(server)).rejects.toThrow("ECONNREFUSED");
  });

  test("before the server listens keeps it from listening", async () => {
    const inspection = inspected();
    inspection.stop();
    const server = await readServer(inspection);
    await expect.poll(() => connect(server).then(() => "connected", String)).toContain("ECONNREFUSED");
  });
});

test("the policy of the served page allows connections to this machine only", async () => {
  const { viewer } = await inspected().address;
  const response = await fetch(viewer);
  const [status, headers, text] = [response.status, Object.fromEntries(response.headers), await response.text()];
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
  });
  expect(text).toMatch(
    /"Content-Security-Policy" content="default-src 'none'; script-src 'sha256-[^' ]+'; style-src 'sha256-[^' ]+'; connect-src ws:\/\/127\.0\.0\.1:\* ws:\/\/localhost:\*; base-uri 'none'; form-action 'none'">/,
  );
  expect(text).not.toMatch(/(src|href)=/);
});
