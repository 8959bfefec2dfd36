import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { API_KEY, type Bank, openBank } from "../faults/bank.ts";
import { quickFaults, slowFaults } from "../faults/table.ts";
import { openReactNative } from "./runtime.ts";

const form = { provider: "test", username: "12345", password: "gfdsa" };
const line = "POST /login/";

let core: ReturnType<typeof openReactNative>["core"];
let world: ReturnType<typeof openReactNative>;
beforeAll(() => {
  world = openReactNative();
  core = world.core;
});

const open: { close(): unknown }[] = [];
afterEach(() => Promise.all(open.splice(0).map((one) => one.close())));

const createClient = ({ wire }: Pick<Bank, "wire">, timeout = 20_000) =>
  core.createBankClient({ baseUrl: `http://127.0.0.1:${wire.port}`, apiKey: API_KEY, timeout: { login: timeout } });

test("the tests run on what React Native has, and on nothing of Node", () => {
  const names = ["TextDecoder", "ReadableStream", "structuredClone", "crypto", "DOMException", "require"];
  expect(names.filter((name) => name in world)).toEqual([]);
  expect([world.URL, world.Response, world.AbortController]).not.toContain(undefined);
  expect("canParse" in world.URL).toBe(false);
  expect("body" in new world.Response("text")).toBe(false);
  expect("reason" in new world.AbortController().signal).toBe(false);
});

/** What is otherwise than on other platforms, since the native side reads the whole body and unpacks it. */
const differs: Readonly<Record<string, string>> = {
  // Followed, to a server that hangs up.
  "a 302 to another origin": "network_failed",
  "a 307 to another origin": "network_failed",
  "a 308 to another origin": "network_failed",
  "chunks without an end": "request_timed_out",
  "a gzip that is none": "network_failed",
};

// The others lie at the address, which the tests of the other platforms change in a `fetch` of their own.
const rows = [...quickFaults, ...slowFaults].filter(({ play }) => typeof play === "function");

describe("a login ends with the same code as elsewhere, and is sent once", () => {
  test.each(rows)("$fault", async ({ fault, play, code, details, stuckAt }) => {
    const bank = await openBank(play, line);
    open.push(bank);
    const expected = differs[fault] ?? code;
    const timeout = stuckAt || expected === "request_timed_out" ? 1_000 : 20_000;
    const login = createClient(bank, timeout).login(form);
    if (expected === "success") await expect(login).resolves.toMatchObject({ status: "logged_in" });
    else if (expected === "unexpected_status" || expected === "invalid_key")
      await expect(login).resolves.toMatchObject({ status: expected });
    else {
      const { detail: _, ...rest } = details;
      await expect(login).rejects.toMatchObject({ code: expected, ...(expected === code && rest) });
    }
    expect(bank.lines()).toEqual([line]);
  });
});

test("the caller's signal aborts the request, by React Native's own AbortController", async () => {
  const bank = await openBank(() => {}, line);
  open.push(bank);
  const leaving = new world.AbortController();
  const login = createClient(bank).login(form, { signal: leaving.signal });
  await bank.arrived;
  leaving.abort();
  await expect(login).rejects.toMatchObject({ code: "request_aborted" });
  await bank.wire.requests[0]?.hungUp;
});

test("a server that nobody listens at is a network fault", async () => {
  const bank = await openBank(() => {}, line);
  await bank.close();
  await expect(createClient(bank).login(form)).rejects.toMatchObject({ code: "network_failed" });
});

test.each([302, 307])("a response that comes by HTTP %i from another origin is refused", async (status) => {
  const elsewhere = createServer((_, response) => response.end('{"status":"logged_in","key":"k"}'));
  const service = createServer((request, response) => {
    request.resume().once("end", () => response.writeHead(status, { location: readAddress(elsewhere) }).end());
  });
  const readAddress = (server: typeof service) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  for (const server of [elsewhere, service]) {
    open.push({ close: () => server.closeAllConnections() ?? server.close() });
    await once(server.listen(0, "127.0.0.1"), "listening");
  }
  const client = core.createBankClient({ baseUrl: readAddress(service), apiKey: API_KEY });
  await expect(client.login(form)).rejects.toMatchObject({ code: "redirect_refused" });
});

test.each([
  "bank.example",
  "/bank",
  "https://",
  "ftp://bank.example",
  "https://me@bank.example",
  "https://bank.example/?a",
  7,
])("%j is no address for a client", (baseUrl) => {
  const create = () => core.createBankClient({ baseUrl: baseUrl as string });
  expect(create).toThrow(expect.objectContaining({ code: "invalid_input", field: "baseUrl" }));
});
