import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import type { Page } from "playwright-core";
import type * as ventanilla from "ventanilla";
import { createBankClient } from "ventanilla";
import { createRelay } from "ventanilla/relay";
import { createMemoryStore } from "ventanilla/tokens";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { openService, type Reply, respondAs } from "../../bank/service.ts";
import { openPage } from "./screen-page.ts";
import { buildCore } from "./vite.ts";

/** What happens to a request of the page. `forward` sends it to the relay, until the connection breaks. */
export type Fault = (forward: () => Promise<string>) => Promise<Reply>;

let page: Page;
/** The fault that strikes a request, if any does. */
let findFault = (_line: string): Fault | undefined => undefined;

/** The requests to the bank. It responds to a login once `ready` resolves. */
export const bank = { requests: [] as string[], ready: Promise.resolve() };

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
    readUser: false,
    clientSelection: true,
    logout: true,
    rateLimit: false,
    store: createMemoryStore({ rows: new Map() }),
    onLogin: () => undefined,
  }),
);

/** Opens the page for the tests of a file. */
export function setUpPage(): void {
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
}

type Call = "login" | "briefLogin" | "answer" | "selectClient" | "logout";

/** Makes one call in the page, after the browser has opened two connections. */
export const call = (name: Call, ...values: string[]) =>
  page.evaluate(
    async ([name, [first = "", second = ""]]) => {
      const { createRelayClient, reveal } = (window as unknown as { ventanilla: typeof ventanilla }).ventanilla;
      const client = createRelayClient({ baseUrl: "/bank", retry: false });
      await Promise.all([client.listProviders(), client.listProviders()]);
      const form = { provider: "test", username: first, password: "word" };
      const calls = {
        login: () => client.login(form),
        // It has no time to ask what came of it.
        briefLogin: () => client.login(form, { timeout: 3_000 }),
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
export async function callWithFault(
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

export const LOGIN = "POST /bank/login/";
/** Whether each broken connection had a response before. */
export const kept: boolean[] = [];
/** Does something to the connection in place of a response. */
export const breakBy = (act: (socket: Socket) => unknown): Reply => ({
  write: ({ socket }) => {
    if (!socket) return;
    kept.push(socket.bytesWritten > 0);
    act(socket);
  },
});

/** Responds to every try of a login with each of these codes. @returns those at which the browser tried again. */
export async function findRepeated(codes: Iterable<number>): Promise<number[]> {
  const repeated: number[] = [];
  for (const http of codes) {
    bank.requests.length = 0;
    const respondWith: Fault = async (forward) => {
      await forward();
      return { http, headers: { "content-length": "0" } };
    };
    const { tries } = await callWithFault(LOGIN, respondWith, Number.POSITIVE_INFINITY, ["briefLogin", "ana"]);
    if (tries > 1) repeated.push(http);
    expect(bank.requests, String(http)).toEqual(["POST /login/"]);
  }
  return repeated;
}
