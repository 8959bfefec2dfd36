import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { closePages, openChromium } from "./chromium.ts";
import type { Arrival } from "./front.ts";
import { openPage } from "./page.ts";
import { openRelayed } from "./repeats/relayed.ts";
import { buildPages } from "./vite.ts";

type Called = "login" | "answer" | "selectClient" | "logout";

declare global {
  interface Window {
    call(name: Called, ...given: string[]): Promise<{ status: string; key?: string }>;
  }
}

let browser: Browser;
let page: Page;
let relayed: Awaited<ReturnType<typeof openRelayed>>;
let front: typeof relayed.front;

/** What reached the bank, and what holds its response to a login back. */
const bank = { requests: [] as string[], held: Promise.resolve() };

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

beforeAll(async () => {
  browser = await openChromium();
  relayed = await openRelayed(await buildPages("element", "test/browser/repeats"), "key", respond);
  front = relayed.front;
  page = (await openPage(browser, front.url)).page;
  await page.waitForFunction(() => window.call !== undefined);
});
afterAll(async () => {
  await closePages(browser);
  await relayed.close();
});
beforeEach(() => {
  bank.requests.length = 0;
  bank.held = Promise.resolve();
});

const respondWith = (status: number) => async (arrival: Arrival) => {
  await arrival.forward();
  arrival.socket.write(`HTTP/1.1 ${status} Status\r\ncontent-length: 0\r\n\r\n`);
};

/** How a connection ends after the relay has responded, or before. */
const faults: Record<string, (arrival: Arrival) => Promise<void>> = {
  "closes before the headers": async ({ forward, socket }) => {
    await forward();
    socket.end();
  },
  "is reset before the headers": async ({ forward, socket }) => {
    await forward();
    socket.resetAndDestroy();
  },
  "closes while the bank works": async ({ forward, socket }) => {
    forward().catch(() => undefined);
    await expect.poll(() => bank.requests).not.toEqual([]);
    socket.destroy();
  },
  "is reset while the bank works": async ({ forward, socket }) => {
    forward().catch(() => undefined);
    await expect.poll(() => bank.requests).not.toEqual([]);
    socket.resetAndDestroy();
  },
  "closes within the status line": async ({ forward, socket }) => {
    await forward();
    socket.end("HTTP/1.1 2");
  },
  "closes within the headers": async ({ forward, socket }) => {
    socket.end((await forward()).slice(0, 40));
  },
  "closes before the body": async ({ forward, socket }) => {
    const response = await forward();
    socket.end(response.slice(0, response.indexOf("\r\n\r\n") + 4));
  },
  "closes within the body": async ({ forward, socket }) => {
    socket.end((await forward()).slice(0, -3));
  },
  "brings what is no HTTP": async ({ forward, socket }) => {
    await forward();
    socket.end("\u0000\u0001\u0002\r\n\r\n");
  },
  "responds with HTTP 408 and closes": async ({ forward, socket }) => {
    await forward();
    socket.end("HTTP/1.1 408 Status\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
  },
};

/** Makes one call in the page while the front does something to it. @returns how often it arrived, and how it ended. */
async function broken(
  isMeant: (arrival: Arrival) => boolean,
  fault: (arrival: Arrival) => Promise<void>,
  times: number,
  name: Called,
  ...given: string[]
) {
  const numbers: number[] = [];
  let release = () => {};
  bank.held = new Promise((resolve) => {
    release = resolve;
  });
  front.misbehave = async (arrival) => {
    if (!isMeant(arrival)) return false;
    numbers.push(arrival.number);
    // The first one's response is held back where the connection breaks before it, until it has been repeated.
    if (numbers.length > 1 || !fault.name.includes("while")) release();
    if (numbers.length > times) return false;
    await fault(arrival);
    return true;
  };
  const { status: outcome } = await page.evaluate(([called, args]) => window.call(called, ...args), [
    name,
    given,
  ] as const);
  release();
  return { numbers, outcome };
}

const isLogin = ({ method }: Arrival) => method === "POST";

describe.each([
  ["once", 1],
  ["each time", Number.POSITIVE_INFINITY],
])("a connection that breaks %s", (_, times) => {
  test.each(Object.entries(faults))("%s", async (_name, fault) => {
    const { numbers } = await broken(isLogin, fault, times, "login", "ana");
    expect(numbers[0]).toBeGreaterThan(1);
    expect(bank.requests).toEqual(["POST /login/"]);
  });
});

test.each([
  ["answer", "POST", "asked", "POST /login/"],
  ["selectClient", "GET", "chooser", "GET /client/7/"],
  ["logout", "GET", "ana", "GET /logout/"],
] as const)("%s is sent once as well", async (name, method, username, seen) => {
  front.misbehave = async () => false;
  const { key = "" } = await page.evaluate((user) => window.call("login", user), username);
  bank.requests.length = 0;
  const given = { answer: [username, key], selectClient: [key, "7"], logout: [key] }[name];
  const path = { answer: "/bank/login/", selectClient: "/bank/client/7/", logout: "/bank/logout/" }[name];
  const isMeant = (arrival: Arrival) => arrival.method === method && arrival.path.startsWith(path);
  const close = faults["closes before the headers"] as (arrival: Arrival) => Promise<void>;
  const { numbers, outcome } = await broken(isMeant, close, 1, name, ...given);
  expect(numbers).toHaveLength(2);
  expect(outcome).toBe({ answer: "logged_in", selectClient: "success", logout: "logged_out" }[name]);
  expect(bank.requests).toEqual([seen]);
});

test("every HTTP code: Chromium repeats at these, and the bank sees one login", async () => {
  const repeated: number[] = [];
  const atTheBank: number[] = [];
  for (let status = 400; status < 600; status++) {
    bank.requests.length = 0;
    const { numbers } = await broken(isLogin, respondWith(status), Number.POSITIVE_INFINITY, "login", "ana");
    if (numbers.length > 1) repeated.push(status);
    atTheBank.push(bank.requests.length);
  }
  expect(repeated).toEqual([408, 421]);
  expect(new Set(atTheBank)).toEqual(new Set([1]));
});
