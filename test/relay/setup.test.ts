import express from "express";
import { Hono } from "hono";
import { createBankClient, RelayError } from "ventanilla";
import { createNodeHandler, type Relay } from "ventanilla/relay";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { readFailure } from "../pause/paused.ts";
import { API_KEY, faulty, form, listen, PAGE, PLAIN, readAnswer, stage } from "./stage.ts";

const warned: string[] = [];
beforeEach(() => {
  warned.length = 0;
  vi.spyOn(console, "warn").mockImplementation((text) => void warned.push(text));
});
afterEach(() => void vi.restoreAllMocks());

/** As a browser sends for a page of this origin. */
const createFetch =
  (origin: string): typeof fetch =>
  (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("origin", origin);
    return fetch(input, { ...init, headers });
  };

const preflight = (origin: string) => ({
  method: "OPTIONS",
  headers: { origin, "x-ventanilla": "", "access-control-request-method": "POST" },
});

describe("a page whose origin is not listed", () => {
  const LOOPBACK = "http://127.0.0.1:3000";

  test("is refused with a code of its own, and the relay says once which origin to list where", async () => {
    const set = await stage({ allowedOrigins: ["http://localhost:3000"] });
    // The first thing that a browser sends.
    await set.send("/login/", preflight(LOOPBACK));
    expect(warned).toEqual([
      'ventanilla/relay: a page of http://127.0.0.1:3000 was refused. If it is yours, list "http://127.0.0.1:3000" in ' +
        "createRelay's allowedOrigins, to the letter: http://localhost and http://127.0.0.1 are two origins, and so are two ports.",
    ]);
    const browser = set.browser({ fetch: createFetch(LOOPBACK) });
    const fault = await readFailure(browser.login(PLAIN));
    expect(fault).toBeInstanceOf(RelayError);
    expect(fault).toMatchObject({
      code: "origin_refused",
      httpStatus: 403,
      detail: "list the origin of the page in the relay's allowedOrigins",
    });
    expect(warned).toHaveLength(1);
    expect(set.events.map(({ reason }) => reason)).toEqual(["origin_refused", "origin_refused"]);
    expect(set.bank.requests).toEqual([]);
  });

  test.each(["null", "cnry", `${PAGE}/cnry`, `${PAGE}?key=cnry`, `https://cnry@${PAGE.slice(8)}`, ""])(
    "%j, which is no origin to list, is not repeated in a warning",
    async (origin) => {
      const set = await stage();
      expect((await set.send("/login/", { ...form(PLAIN), ...preflight(origin) })).status).toBe(403);
      expect(warned).toEqual([]);
    },
  );
});

describe("a path whose slash was changed on the way", () => {
  test.each(["/login", "/provider", "/provider/test", "/transfer/destinations/"])(
    "%s is refused with a code of its own, and the relay says once what to turn off",
    async (path) => {
      const set = await stage();
      expect(await readAnswer(await set.send(path))).toEqual(faulty(404, "slash_changed"));
      await set.send(path);
      expect(warned).toEqual([expect.stringContaining("skipTrailingSlashRedirect: true in next.config")]);
      expect(set.events).toMatchObject([{ reason: "slash_changed" }, { reason: "slash_changed" }]);
      expect(set.bank.requests).toEqual([]);
    },
  );

  test.each(["/nowhere", "/client", "/logout", "/"])("%s is just not found", async (path) => {
    const set = await stage();
    expect(await (await set.send(path)).json()).toMatchObject({ message: "Not found" });
    expect(warned).toEqual([]);
  });

  test("has the browser's client say so where the server redirects it", async () => {
    const url = await listen((request, response) => {
      response.writeHead(308, { location: request.url?.replace(/\/$/, "") }).end();
    });
    await expect(createBankClient({ baseUrl: url }).login(PLAIN)).rejects.toMatchObject({
      code: "redirect_refused",
      detail: "let the paths of the relay keep their slash at the end, or none, without a redirect",
    });
  });
});

describe("a form that was read before the relay", () => {
  const parsers: readonly (readonly [string, (relay: Relay) => Promise<string>])[] = [
    [
      "by express.urlencoded()",
      (relay) => listen(express().use(express.urlencoded()).use("/bank", createNodeHandler(relay))),
    ],
    [
      "by a middleware of Hono",
      async (relay) => {
        const app = new Hono().all("/bank/*", async (context) => {
          await context.req.raw.text();
          return relay(context.req.raw);
        });
        return listen(createNodeHandler(async (request) => app.fetch(request)));
      },
    ],
    [
      "in part, by whoever holds its reader",
      async (relay) => {
        const locked = (request: Request) => {
          request.body?.getReader();
          return relay(request);
        };
        return listen(createNodeHandler(locked));
      },
    ],
  ];

  test.each(parsers)("%s, is refused with a code of its own, and the relay says once what to do", async (_, start) => {
    const { relay, bank, events } = await stage({ path: "/bank" });
    const browser = createBankClient({ baseUrl: `${await start(relay)}/bank`, fetch: createFetch(PAGE) });
    const fault = { code: "body_already_read", httpStatus: 500, detail: "mount the relay before every body parser" };
    await expect(browser.login(PLAIN)).rejects.toMatchObject(fault);
    await expect(browser.login(PLAIN)).rejects.toMatchObject(fault);
    expect(warned.filter((text) => text.includes("express.urlencoded()"))).toHaveLength(1);
    expect(events).toMatchObject([{ reason: "body_already_read" }, { reason: "body_already_read" }]);
    expect(bank.requests).toEqual([]);
  });
});

test("a service can't pass for a relay: with an API key its errors are those of HTTP", async () => {
  const url = await listen((_, response) => {
    response.writeHead(403, { "content-type": "application/json" }).end('{"error":"origin_refused"}');
  });
  await expect(createBankClient({ baseUrl: url, apiKey: API_KEY }).login(PLAIN)).rejects.toMatchObject({
    code: "access_refused",
  });
});

test.each(['{"error":"toString"}', '{"error":"invalid_input"}', '{"error":1}', "[]", "null", "<html>"])(
  "%s is no fault that a relay names",
  async (body) => {
    const url = await listen((_, response) => void response.writeHead(404).end(body));
    await expect(createBankClient({ baseUrl: url }).login(PLAIN)).rejects.toMatchObject({ code: "http_failed" });
  },
);
