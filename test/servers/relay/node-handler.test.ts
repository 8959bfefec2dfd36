import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { createNodeHandler, type NodeRequest } from "ventanilla/node";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { form, listen, PLAIN } from "./stage.ts";
import { parseStatus, raw, request } from "./wire.ts";

/** Serves a handler in place of a relay, and keeps its requests. */
async function serve(respond: (request: Request) => Promise<Response> = async () => Response.json({ status: "ok" })) {
  const requests: Request[] = [];
  const incoming: IncomingMessage[] = [];
  const ended: unknown[] = [];
  const handle = createNodeHandler((request) => {
    requests.push(request);
    return respond(request);
  });
  const url = await listen((message, response) => {
    incoming.push(message);
    handle(message, response).then(
      () => ended.push("resolved"),
      (error) => ended.push(error),
    );
  });
  return { url, requests, incoming, ended };
}

describe("a request of node:http reaches the relay", () => {
  test("with its form, its raw headers and the connection's address", async () => {
    const texts: string[] = [];
    const { url, requests } = await serve(async (request) => {
      texts.push(await request.text());
      return new Response(null, { status: 204, headers: { vary: "Origin" } });
    });
    const lines = ["Origin: https://a.example", "Origin: https://b.example", "Content-Length: 7"];
    const response = await raw(url, request("POST /login/?key=k", lines, "a=1&b=2"));
    expect(parseStatus(response)).toBe(204);
    expect(response.toLowerCase()).toContain("vary: origin");
    expect(texts).toEqual(["a=1&b=2"]);
    expect(requests[0]?.method).toBe("POST");
    expect(requests[0]?.headers.get("origin")).toBe("https://a.example, https://b.example");
    expect(requests[0]).toHaveProperty("ip", "127.0.0.1");
  });

  // Sentry records what listeners of "data" get (docs/security.md).
  test("with a form that no listener was given", async () => {
    const on = vi.spyOn(Readable.prototype, "on");
    onTestFinished(() => on.mockRestore());
    const { url, requests, incoming } = await serve(async (message) => new Response(await message.text()));
    expect(await raw(url, request("POST /login/", ["Content-Length: 7"], "a=1&b=2"))).toContain("a=1&b=2");
    const names = on.mock.calls.filter((_, call) => on.mock.contexts[call] === incoming[0]).map(([name]) => name);
    expect(requests).toHaveLength(1);
    expect(names).toContain("readable");
    expect(names).not.toContain("data");
  });

  test.each([
    ["/bank/login/", "http://relay.example/bank/login/"],
    ["/bank/x/../login/", "http://relay.example/bank/x/../login/"],
    ["/bank/%2e/login/", "http://relay.example/bank/%2e/login/"],
    ["//evil.example/bank/login/", "http://relay.example//evil.example/bank/login/"],
    ["http://evil.example/bank/login/", "http://relay.example/bank/login/"],
    ["http://evil.example", "http://relay.example/"],
    ["*", "http://relay.example/"],
  ])("with the exact path: %s is %s", async (path, url) => {
    const served = await serve();
    await raw(served.url, request(`OPTIONS ${path}`, []));
    expect(served.requests.map((request) => request.url)).toEqual([url]);
  });

  test.each(["evil.example/bank/login/?", "user@evil.example", "evil.example#"])(
    "without the host %s, which would shift the path",
    async (host) => {
      const { url, requests } = await serve();
      await raw(url, `GET /bank/provider/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      expect(requests.map((request) => request.url)).toEqual(["http://localhost/bank/provider/"]);
    },
  );

  test("before its body is read", async () => {
    const read: unknown[] = [];
    const { url, incoming } = await serve(async (request) => {
      await new Promise(setImmediate);
      read.push(incoming[0]?.readableDidRead);
      await request.text();
      read.push(incoming[0]?.readableDidRead);
      return new Response();
    });
    expect((await fetch(url, form(PLAIN))).status).toBe(200);
    expect(read).toEqual([false, true]);
  });
});

describe("a connection that closes", () => {
  test("within the form breaks the reading of it", async () => {
    const broken: string[] = [];
    const { url, requests, ended } = await serve(async (request) => {
      await request.text().catch(() => broken.push("broken"));
      return new Response();
    });
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.write(request("POST /login/", ["Content-Length: 100"], "a=1"));
    await expect.poll(() => requests.length).toBe(1);
    socket.destroy();
    await once(socket, "close");
    await expect.poll(() => ended).toEqual(["resolved"]);
    expect(broken).toEqual(["broken"]);
  });
});

describe("a handler that fails", () => {
  const failures: readonly (readonly [string, () => Promise<Response>])[] = [
    ["rejects", () => Promise.reject(new Error("broken"))],
    [
      "throws",
      () => {
        throw new Error("broken");
      },
    ],
    [
      "gives a body that breaks",
      async () => new Response(new ReadableStream({ pull: (body) => body.error(new Error("broken")) })),
    ],
  ];

  test.each(failures)("%s: the client gets HTTP 500, and onError the error", async (_, respond) => {
    const errors: unknown[] = [];
    const handle = createNodeHandler(respond, { onError: (error) => void errors.push(error) });
    const url = await listen((message, response) => void handle(message, response));
    const response = await fetch(url);
    expect([response.status, await response.json()]).toEqual([500, { status: "error", message: "Internal error" }]);
    expect(errors).toEqual([new Error("broken")]);
  });

  test("is reported on the console by default, and a log that fails too ends nothing", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {
      throw new Error("no console");
    });
    onTestFinished(() => log.mockRestore());
    const { url, ended } = await serve(() => Promise.reject(new Error("broken")));
    expect((await fetch(url)).status).toBe(500);
    await expect.poll(() => ended).toEqual(["resolved"]);
    expect(log.mock.calls).toEqual([[new Error("broken")]]);
  });
});

test("each of several cookies arrives", async () => {
  const { url } = await serve(async () => {
    const headers = new Headers([
      ["set-cookie", "a=1; Path=/"],
      ["set-cookie", "b=2"],
    ]);
    return new Response(null, { headers });
  });
  expect((await fetch(url)).headers.getSetCookie()).toEqual(["a=1; Path=/", "b=2"]);
});

test("a header that no Request takes ends in HTTP 400, and the relay is not called", async () => {
  const handler = vi.fn(async () => new Response());
  const incoming: NodeRequest = {
    rawHeaders: ["a header", "cnry"],
    socket: {},
    [Symbol.asyncIterator]: () => [][Symbol.iterator]() as unknown as AsyncIterator<Uint8Array>,
  };
  const end = vi.fn();
  const outgoing = { statusCode: 0, setHeader: () => undefined, end, once: () => undefined };
  await createNodeHandler(handler)(incoming, outgoing);
  expect(new TextDecoder().decode(end.mock.calls[0]?.[0])).toBe('{"status":"error","message":"Malformed request"}');
  expect(outgoing.statusCode).toBe(400);
  expect(handler).not.toHaveBeenCalled();
});
