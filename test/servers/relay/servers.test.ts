import type { RequestListener } from "node:http";
import { toNodeHandler } from "h3/node";
import { login } from "ventanilla";
import { createNodeHandler } from "ventanilla/node";
import type { Relay, RelayOptions } from "ventanilla/relay";
import { describe, expect, onTestFinished, test } from "vitest";
import { withExpress } from "../../../docs/examples/servers/express.ts";
import { withFastify } from "../../../docs/examples/servers/fastify.ts";
import { withH3 } from "../../../docs/examples/servers/h3.ts";
import { withHono } from "../../../docs/examples/servers/hono.ts";
import { readCaller, withNext } from "../../../docs/examples/servers/next.ts";
import { withNode } from "../../../docs/examples/servers/node.ts";
import { withSvelteKit } from "../../../docs/examples/servers/sveltekit.ts";
import { sessionKey } from "../../bank/service.ts";
import { collectWarnings, form, listen, OTP, PAGE, PLAIN, readResponse, refused, stage } from "./stage.ts";

// What @hono/node-server gives an application.
const connection = { incoming: { socket: { remoteAddress: "127.0.0.1" } } };

/** What a proxy writes. */
function withProxyHeader(request: Request): Request {
  request.headers.set("x-real-ip", "127.0.0.1");
  return request;
}

/** Serves a framework whose requests are the platform's own, without an address. */
const web = (handler: (request: Request) => Response | Promise<Response>) =>
  listen(createNodeHandler(async (request) => handler(Object.assign(request, { ip: undefined }))));

/** What the framework does with the exports of a route's file. */
function route(exports: Readonly<Record<string, Relay>>): (request: Request) => Response | Promise<Response> {
  return (request) => exports[request.method]?.(request) ?? new Response(null, { status: 405 });
}

/** SvelteKit's own call of a handler. */
const kit =
  (handlers: ReturnType<typeof withSvelteKit>) =>
  async (request: Request): Promise<Response> => {
    if (handlers.trailingSlash !== "ignore") throw new Error("SvelteKit would redirect.");
    const handle = handlers[request.method as "GET" | "POST" | "OPTIONS"];
    return handle?.({ request, getClientAddress: () => "127.0.0.1" }) ?? new Response(null, { status: 405 });
  };

async function fastify(relay: Relay): Promise<string> {
  const app = withFastify(relay);
  onTestFinished(() => app.close());
  return app.listen({ host: "127.0.0.1", port: 0 });
}

const servers: readonly (readonly [string, (relay: Relay) => Promise<string>, Partial<RelayOptions>])[] = [
  ["h3", (relay) => listen(toNodeHandler(withH3(relay)) as RequestListener), {}],
  ["Hono", (relay) => web((request) => withHono(relay).fetch(request, connection)), {}],
  ["Express", (relay) => listen(withExpress(relay)), {}],
  ["Next.js", (relay) => web((request) => route(withNext(relay))(withProxyHeader(request))), { readCaller }],
  ["SvelteKit", (relay) => web(kit(withSvelteKit(relay))), {}],
  ["Fastify", fastify, {}],
  ["node:http", (relay) => listen(withNode(relay)), {}],
];

async function serve(start: (relay: Relay) => Promise<string>, options: Partial<RelayOptions>) {
  const set = await stage({ path: "/bank", ...options });
  return { ...set, url: await start(set.relay) };
}

describe.each(servers)("A relay behind %s", (_, start, options) => {
  test("logs a browser in", async () => {
    const { bank, events, url, ...set } = await serve(start, options);
    const browser = set.browser({ baseUrl: `${url}/bank` });
    expect((await browser.listProviders()).status).toBe("success");
    expect((await browser.getProvider("test")).status).toBe("success");
    const outcome = await login(browser, OTP, { onInteraction: () => "8888" });
    expect((await browser.listTransferDestinations(sessionKey(outcome))).status).toBe("success");
    expect(bank.requests).toHaveLength(5);
    // The address of the connection.
    expect(new Set(events.map(({ caller }) => caller))).toEqual(new Set(["127.0.0.1"]));
  });

  test("serves a preflight, and refuses another site, another path and another method", async () => {
    collectWarnings();
    const { bank, url, send } = await serve(start, options);
    const preflight = await send(`${url}/bank/login/`, {
      method: "OPTIONS",
      headers: { "x-ventanilla": "", "access-control-request-method": "POST" },
    });
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, PAGE]);
    expect((await send(`${url}/bank/login/`, form(PLAIN, { origin: "https://evil.example" }))).status).toBe(403);
    expect((await send(`${url}/bank/accounts/`)).status).toBe(404);
    expect((await send(`${url}/provider/`)).status).toBe(404);
    expect((await send(`${url}/bank/provider/`, { method: "DELETE" })).status).toBe(405);
    expect(bank.requests).toEqual([]);
  });

  test("reads no more of a form than its limit", async () => {
    const { bank, url, send } = await serve(start, options);
    const response = await send(`${url}/bank/login/`, form({ ...PLAIN, otp: "x".repeat(100_000) }));
    expect(await readResponse(response)).toEqual(refused(413, "Body too large"));
    expect(bank.requests).toEqual([]);
  });
});
