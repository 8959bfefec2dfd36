import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { promised } from "../../bank/service.ts";
import {
  bank,
  breakBy,
  call,
  callWithFault,
  type Fault,
  findRepeated,
  kept,
  LOGIN,
  setUpPage,
} from "./repeats-site.ts";

setUpPage();

const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";

describe.each([
  ["once", 1],
  ["each time", Number.POSITIVE_INFINITY],
])("a connection that breaks %s", (_, times) => {
  test.each<[fault: string, act: (socket: Socket, body: string) => unknown]>([
    ["closes before the headers", (socket) => socket.end()],
    ["is reset before the headers", (socket) => socket.resetAndDestroy()],
    ["closes within the status line", (socket) => socket.end("HTTP/1.1 2")],
    ["closes within the headers", (socket) => socket.end(head.slice(0, 40))],
    ["closes before the body", (socket, body) => socket.end(`${head}content-length: ${body.length}\r\n\r\n`)],
    [
      "closes within the body",
      (socket, body) => socket.end(`${head}content-length: ${body.length}\r\n\r\n${body.slice(0, -3)}`),
    ],
    ["brings something else than HTTP", (socket) => socket.end("\u0000\u0001\u0002\r\n\r\n")],
    [
      "responds with HTTP 408 and closes",
      (socket) => socket.end("HTTP/1.1 408 Status\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"),
    ],
  ])("and %s", async (_name, act) => {
    const fault: Fault = async (forward) => {
      const body = await forward();
      return breakBy((socket) => act(socket, body));
    };
    await callWithFault(LOGIN, fault, times, ["briefLogin", "ana"]);
    expect(kept[0]).toBe(true);
    expect(bank.requests).toEqual(["POST /login/"]);
  });

  test.each([
    ["closes", (socket: Socket) => socket.destroy()],
    ["is reset", (socket: Socket) => socket.resetAndDestroy()],
  ])("and %s while the bank works", async (_name, act) => {
    const { promise, keep } = promised();
    bank.ready = promise;
    const fault: Fault = async (forward) => {
      forward().catch(() => undefined);
      await expect.poll(() => bank.requests).not.toEqual([]);
      return breakBy(act);
    };
    const { tries } = await callWithFault(LOGIN, fault, times, ["login", "ana"], keep);
    expect(tries).toBeGreaterThan(1);
    expect(bank.requests).toEqual(["POST /login/"]);
  });
});

test.each([
  ["answer", LOGIN, "asked", (key: string) => ["asked", key], "logged_in"],
  ["selectClient", "GET /bank/client/7/", "chooser", (key: string) => [key, "7"], "success"],
  ["logout", "GET /bank/logout/", "ana", (key: string) => [key], "logged_out"],
] as const)("%s is sent to the bank once", async (name, line, username, toArguments, expected) => {
  const { key } = await call("login", username);
  bank.requests.length = 0;
  const close: Fault = async (forward) => {
    await forward();
    return breakBy((socket) => socket.end());
  };
  expect(await callWithFault(line, close, 1, [name, ...toArguments(key)])).toEqual({ tries: 2, outcome: expected });
  expect(bank.requests).toEqual([line.replace("/bank", "")]);
});

// Each code from 400 to 599 is in repeats.full.ts.
test("Chromium repeats a login at HTTP 408 and 421, and the bank sees one", async () => {
  expect(await findRepeated([400, 401, 403, 408, 409, 421, 425, 429, 500, 502, 503, 504])).toEqual([408, 421]);
});
