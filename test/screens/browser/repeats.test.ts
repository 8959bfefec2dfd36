import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import type { Page } from "playwright-core";
import type * as ventanilla from "ventanilla";
import { createBankClient, createMemoryClaimStore } from "ventanilla";
import { createRelay } from "ventanilla/relay";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openService, promised, type Reply, respondAs } from "../../bank/service.ts";
import { openPage } from "./screen-page.ts";
import { buildCore } from "./vite.ts";

/** What happens to a request of the page. `forward` sends it to the relay, until the connection breaks. */
type Fault = (forward: () => Promise<string>) => Promise<Reply>;

let page: Page;
/** The fault that strikes a request, if any does. */
let findFault = (_line: string): Fault | undefined => undefined;

/** The requests to the bank. It responds to a login once `ready` resolves. */
const bank = { requests: [] as string[], ready: Promise.resolve() };

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

// The page and its relay, on one origin.
const site = await openService(async (request) => {
  const { method, url } = request;
  if (!url.startsWith("/bank/")) return { text: "<title>Bank</title>", headers: { "content-type": "text/html" } };
  const forward = async () => relayed(request) as Promise<{ text: string }>;
  return findFault(`${method} ${url}`)?.(async () => (await forward()).text) ?? forward();
});
const relayed = respondAs(
  createRelay({
    client: createBankClient({
      baseUrl: "http://bank.example",
      apiKey: "key",
      retry: false,
      fetch: (input, init) => respond(new Request(input, init)),
    }),
    sealKey: randomBytes(32).toString("base64"),
    allowedOrigins: [site.url],
    path: "/bank",
    clientSelection: true,
    logout: true,
    rateLimit: false,
    claimStore: createMemoryClaimStore(),
    onLogin: () => undefined,
  }),
);

beforeAll(async () => {
  ({ page } = await openPage(site.url));
  await page.addScriptTag({ content: await buildCore() });
});
afterAll(async () => {
  await page.context().close();
  await site.close();
});
beforeEach(() => {
  bank.requests.length = 0;
  kept.length = 0;
  bank.ready = Promise.resolve();
});

type Call = "login" | "answer" | "selectClient" | "logout";

/** Makes one call in the page, after the browser has opened two connections. */
const call = (name: Call, ...values: string[]) =>
  page.evaluate(
    async ([name, [first = "", second = ""]]) => {
      const { createRelayClient, reveal } = (window as unknown as { ventanilla: typeof ventanilla }).ventanilla;
      const client = createRelayClient({ baseUrl: "/bank", retry: false });
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
 * @param onRepeat called when the browser has repeated the request.
 * @returns how often the browser tried, and how the call ended.
 */
async function callWithFault(
  line: string,
  fault: Fault,
  times: number,
  values: Parameters<typeof call>,
  onRepeat = () => {},
) {
  let tries = 0;
  findFault = (sent) => {
    if (!sent.startsWith(line)) return undefined;
    tries += 1;
    if (tries > 1) onRepeat();
    return tries > times ? undefined : fault;
  };
  const { outcome } = await call(...values);
  findFault = () => undefined;
  return { tries, outcome };
}

const LOGIN = "POST /bank/login/";
const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
/** Whether each broken connection had a response before. */
const kept: boolean[] = [];
/** Does something to the connection in place of a response. */
const breakBy = (act: (socket: Socket) => unknown): Reply => ({
  write: ({ socket }) => {
    if (!socket) return;
    kept.push(socket.bytesWritten > 0);
    act(socket);
  },
});

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
    await callWithFault(LOGIN, fault, times, ["login", "ana"]);
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

test("Chromium repeats a login at HTTP 408 and 421, and the bank sees one", async () => {
  const repeated: number[] = [];
  for (let http = 400; http < 600; http++) {
    bank.requests.length = 0;
    const respondWith: Fault = async (forward) => {
      await forward();
      return { http, headers: { "content-length": "0" } };
    };
    const { tries } = await callWithFault(LOGIN, respondWith, Number.POSITIVE_INFINITY, ["login", "ana"]);
    if (tries > 1) repeated.push(http);
    expect(bank.requests, String(http)).toEqual(["POST /login/"]);
  }
  expect(repeated).toEqual([408, 421]);
});
