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
  /** Sends it on to the relay, until the connection breaks. Gives the body that came back. */
  forward(): Promise<string>;
}

let page: Page;
/** Takes a request's response into its own hands; false leaves it to the server. */
let misbehave = async (_: Arrival): Promise<boolean> => false;

/** What reached the bank, and what holds its response to a login back. */
const bank = { requests: [] as string[], held: Promise.resolve() };
let release = () => {};

/** A bank that logs everybody in, lets them choose, and logs them out. */
async function respond(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === "/provider/") return Response.json({ status: "success", providers: [] });
  if (pathname === "/client/") return Response.json({ status: "success", clients: { 7: "Seven" } });
  bank.requests.push(`${request.method} ${pathname}`);
  if (pathname === "/logout/") return Response.json({ status: "logged_out" });
  if (pathname === "/client/7/") return Response.json({ status: "success" });
  const key = crypto.randomUUID();
  const form = new URLSearchParams(await request.text());
  await bank.held;
  if (form.get("username") === "chooser") return Response.json({ status: "select_client", key });
  const isAsked = form.get("username") === "asked" && !form.has("otp");
  if (isAsked) return Response.json({ status: "interaction_required", field: "otp", context: "Code", key });
  return Response.json({ status: "logged_in", key });
}

const numbers = new WeakMap<Socket, number>();

// The page and its relay, at one address.
const server = createServer(async (request, response) => {
  const { method = "", url: path = "", socket } = request;
  const number = (numbers.get(socket) ?? 0) + 1;
  numbers.set(socket, number);
  if (!path.startsWith("/bank/")) return response.setHeader("content-type", "text/html").end("<title>Bank</title>");
  const body = (await text(request)) || null;
  const leaving = new AbortController();
  const leave = () => leaving.abort();
  socket.once("close", leave);
  response.once("close", () => socket.off("close", leave));
  let relayed = new Response();
  const forward = async () => {
    const headers = request.headers as Record<string, string>;
    relayed = await relay(new Request(address + path, { method, headers, body, signal: leaving.signal }));
    return relayed.clone().text();
  };
  if (await misbehave({ method, path, number, socket, response, forward })) return;
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
  bank.held = Promise.resolve();
});

type Called = "login" | "answer" | "selectClient" | "logout";

/** Makes one call in the page, while the browser keeps two used connections. */
const call = (name: Called, ...given: string[]) =>
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
    [name, given] as const,
  );

/** Makes one call while something happens to it. @returns which requests of their connections arrived, and how it ended. */
async function broken(
  isMeant: (arrival: Arrival) => boolean,
  fault: (arrival: Arrival) => Promise<unknown>,
  times: number,
  ...called: Parameters<typeof call>
) {
  const numbers: number[] = [];
  misbehave = async (arrival) => {
    if (!isMeant(arrival)) return false;
    // A response that is held back comes once the request was repeated.
    if (numbers.push(arrival.number) > 1) release();
    if (numbers.length > times) return false;
    await fault(arrival);
    return true;
  };
  const { outcome } = await call(...called);
  misbehave = async () => false;
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
    ["brings what is no HTTP", (socket) => socket.end("\u0000\u0001\u0002\r\n\r\n")],
    [
      "responds with HTTP 408 and closes",
      (socket) => socket.end("HTTP/1.1 408 Status\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"),
    ],
  ])("and %s", async (_name, act) => {
    const fault = async ({ forward, socket }: Arrival) => act(socket, await forward());
    const { numbers } = await broken(isLogin, fault, times, "login", "ana");
    expect(numbers[0]).toBeGreaterThan(1);
    expect(bank.requests).toEqual(["POST /login/"]);
  });

  test.each([
    ["closes", (socket: Socket) => socket.destroy()],
    ["is reset", (socket: Socket) => socket.resetAndDestroy()],
  ])("and %s while the bank works", async (_name, act) => {
    bank.held = new Promise((resolve) => {
      release = resolve;
    });
    const fault = async ({ forward, socket }: Arrival) => {
      forward().catch(() => undefined);
      await expect.poll(() => bank.requests).not.toEqual([]);
      act(socket);
    };
    const { numbers } = await broken(isLogin, fault, times, "login", "ana");
    expect(numbers[0]).toBeGreaterThan(1);
    expect(bank.requests).toEqual(["POST /login/"]);
  });
});

test.each([
  ["answer", "POST /bank/login/", "asked", (key: string) => ["asked", key], "logged_in"],
  ["selectClient", "GET /bank/client/7/", "chooser", (key: string) => [key, "7"], "success"],
  ["logout", "GET /bank/logout/", "ana", (key: string) => [key], "logged_out"],
] as const)("%s is sent once as well", async (name, line, username, toArguments, expected) => {
  const { key } = await call("login", username);
  bank.requests.length = 0;
  const isMeant = ({ method, path }: Arrival) => `${method} ${path}`.startsWith(line);
  const close = async ({ forward, socket }: Arrival) => {
    await forward();
    socket.end();
  };
  const { numbers, outcome } = await broken(isMeant, close, 1, name, ...toArguments(key));
  expect(numbers).toHaveLength(2);
  expect(outcome).toBe(expected);
  expect(bank.requests).toEqual([line.replace("/bank", "")]);
});

test("every HTTP code: Chromium repeats at these, and the bank sees one login", async () => {
  const repeated: number[] = [];
  for (let status = 400; status < 600; status++) {
    bank.requests.length = 0;
    const respondWith = async ({ forward, response }: Arrival) => {
      await forward();
      response.writeHead(status, { "content-length": 0 }).end();
    };
    const { numbers } = await broken(isLogin, respondWith, Number.POSITIVE_INFINITY, "login", "ana");
    if (numbers.length > 1) repeated.push(status);
    expect(bank.requests, String(status)).toEqual(["POST /login/"]);
  }
  expect(repeated).toEqual([408, 421]);
});
