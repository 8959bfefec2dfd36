import { randomBytes } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { text } from "node:stream/consumers";
import type { Page } from "playwright-core";
import type * as ventanilla from "ventanilla";
import { createBankClient, createMemoryClaimStore } from "ventanilla";
import { createRelay } from "ventanilla/relay";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openPage } from "./screen-page.ts";
import { buildCore } from "./vite.ts";

/** A request of the page to its relay. */
interface Arrival {
  readonly method: string;
  readonly path: string;
  /** Which request of its connection it is, from 1. */
  readonly number: number;
  readonly socket: Socket;
  readonly response: ServerResponse;
  /** Sends it to the relay, until the connection breaks. @returns the body of the response. */
  forward(): Promise<string>;
}

let page: Page;
/** Handles a request instead of the server; `false` leaves it to the server. */
let intercept = async (_: Arrival): Promise<boolean> => false;

/** The requests to the bank. It responds to a login once `ready` resolves. */
const bank = { requests: [] as string[], ready: Promise.resolve() };
let release = () => {};

/** A bank that logs every user in, lets them choose a client, and logs them out. */
async function respond(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === "/provider/") return Response.json({ status: "success", providers: [] });
  if (pathname === "/client/") return Response.json({ status: "success", clients: { 7: "Seven" } });
  bank.requests.push(`${request.method} ${pathname}`);
  if (pathname === "/logout/") return Response.json({ status: "logged_out" });
  if (pathname === "/client/7/") return Response.json({ status: "success" });
  const key = crypto.randomUUID();
  const form = new URLSearchParams(await request.text());
  await bank.ready;
  if (form.get("username") === "chooser") return Response.json({ status: "select_client", key });
  const needsCode = form.get("username") === "asked" && !form.has("otp");
  if (needsCode) return Response.json({ status: "interaction_required", field: "otp", context: "Code", key });
  return Response.json({ status: "logged_in", key });
}

const numbers = new WeakMap<Socket, number>();

// The page and its relay, on one origin.
const server = createServer(async (request, response) => {
  const { method = "", url: path = "", socket } = request;
  const number = (numbers.get(socket) ?? 0) + 1;
  numbers.set(socket, number);
  if (!path.startsWith("/bank/")) return response.setHeader("content-type", "text/html").end("<title>Bank</title>");
  const body = (await text(request)) || null;
  const controller = new AbortController();
  const abort = () => controller.abort();
  socket.once("close", abort);
  response.once("close", () => socket.off("close", abort));
  let relayed = new Response();
  const forward = async () => {
    const headers = request.headers as Record<string, string>;
    relayed = await relay(new Request(address + path, { method, headers, body, signal: controller.signal }));
    return relayed.clone().text();
  };
  if (await intercept({ method, path, number, socket, response, forward })) return;
  const content = await forward();
  response.writeHead(relayed.status, Object.fromEntries(relayed.headers)).end(content);
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const relay = createRelay({
  client: createBankClient({
    baseUrl: "http://bank.example",
    apiKey: "key",
    retry: false,
    fetch: (input, init) => respond(new Request(input, init)),
  }),
  sealKey: randomBytes(32).toString("base64"),
  allowedOrigins: [address],
  path: "/bank",
  clientSelection: true,
  logout: true,
  rateLimit: false,
  claimStore: createMemoryClaimStore(),
  onLogin: () => undefined,
});

beforeAll(async () => {
  ({ page } = await openPage(address));
  await page.addScriptTag({ content: await buildCore() });
});
afterAll(async () => {
  await page.context().close();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  bank.requests.length = 0;
  bank.ready = Promise.resolve();
});

type Call = "login" | "answer" | "selectClient" | "logout";

/** Makes one call in the page, after the browser has opened two connections. */
const call = (name: Call, ...values: string[]) =>
  page.evaluate(
    async ([name, [first = "", second = ""]]) => {
      const { createBankClient, reveal } = (window as unknown as { ventanilla: typeof ventanilla }).ventanilla;
      const client = createBankClient({ baseUrl: "/bank", retry: false });
      await Promise.all([client.listProviders(), client.listProviders()]);
      const form = { provider: "test", username: first, password: "word" };
      const calls = {
        login: () => client.login(form),
        answer: () => client.login({ ...form, otp: "1" }, { key: second }),
        selectClient: () => client.selectClient(first, second),
        logout: () => client.logout(first),
      };
      try {
        const response = await calls[name]();
        return { outcome: response.status, key: "key" in response && response.key ? reveal(response.key) : "" };
      } catch (error) {
        return { outcome: String(error), key: "" };
      }
    },
    [name, values] as const,
  );

/**
 * Makes one call while a fault strikes its request.
 *
 * @param times how many of the browser's tries the fault strikes.
 * @returns for each try, which request of its connection it was; and how the call ended.
 */
async function callWithFault(
  isStruck: (arrival: Arrival) => boolean,
  fault: (arrival: Arrival) => Promise<unknown>,
  times: number,
  ...parameters: Parameters<typeof call>
) {
  const numbers: number[] = [];
  intercept = async (arrival) => {
    if (!isStruck(arrival)) return false;
    // The bank responds once the browser has repeated the request.
    if (numbers.push(arrival.number) > 1) release();
    if (numbers.length > times) return false;
    await fault(arrival);
    return true;
  };
  const { outcome } = await call(...parameters);
  intercept = async () => false;
  return { numbers, outcome };
}

const isLogin = ({ method }: Arrival) => method === "POST";
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
    const fault = async ({ forward, socket }: Arrival) => act(socket, await forward());
    const { numbers } = await callWithFault(isLogin, fault, times, "login", "ana");
    expect(numbers[0]).toBeGreaterThan(1);
    expect(bank.requests).toEqual(["POST /login/"]);
  });

  test.each([
    ["closes", (socket: Socket) => socket.destroy()],
    ["is reset", (socket: Socket) => socket.resetAndDestroy()],
  ])("and %s while the bank works", async (_name, act) => {
    bank.ready = new Promise((resolve) => {
      release = resolve;
    });
    const fault = async ({ forward, socket }: Arrival) => {
      forward().catch(() => undefined);
      await expect.poll(() => bank.requests).not.toEqual([]);
      act(socket);
    };
    const { numbers } = await callWithFault(isLogin, fault, times, "login", "ana");
    expect(numbers[0]).toBeGreaterThan(1);
    expect(bank.requests).toEqual(["POST /login/"]);
  });
});

test.each([
  ["answer", "POST /bank/login/", "asked", (key: string) => ["asked", key], "logged_in"],
  ["selectClient", "GET /bank/client/7/", "chooser", (key: string) => [key, "7"], "success"],
  ["logout", "GET /bank/logout/", "ana", (key: string) => [key], "logged_out"],
] as const)("%s is sent to the bank once", async (name, line, username, toArguments, expected) => {
  const { key } = await call("login", username);
  bank.requests.length = 0;
  const isStruck = ({ method, path }: Arrival) => `${method} ${path}`.startsWith(line);
  const close = async ({ forward, socket }: Arrival) => {
    await forward();
    socket.end();
  };
  const { numbers, outcome } = await callWithFault(isStruck, close, 1, name, ...toArguments(key));
  expect(numbers).toHaveLength(2);
  expect(outcome).toBe(expected);
  expect(bank.requests).toEqual([line.replace("/bank", "")]);
});

test("Chromium repeats a login at HTTP 408 and 421, and the bank sees one", async () => {
  const repeated: number[] = [];
  for (let status = 400; status < 600; status++) {
    bank.requests.length = 0;
    const respondWith = async ({ forward, response }: Arrival) => {
      await forward();
      response.writeHead(status, { "content-length": 0 }).end();
    };
    const { numbers } = await callWithFault(isLogin, respondWith, Number.POSITIVE_INFINITY, "login", "ana");
    if (numbers.length > 1) repeated.push(status);
    expect(bank.requests, String(status)).toEqual(["POST /login/"]);
  }
  expect(repeated).toEqual([408, 421]);
});
