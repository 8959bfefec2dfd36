import express from "express";
import { Hono } from "hono";
import { createRelayClient } from "ventanilla";
import { createNodeHandler } from "ventanilla/node";
import type { Relay } from "ventanilla/relay";
import { describe, expect, test } from "vitest";
import { formatRelayKey } from "../../../src/core/api/relay-login.ts";
import { collectWarnings, createLogin, faulty, listen, PLAIN, readResponse, refused, stage } from "./stage.ts";

describe("a path whose last slash a server has removed or added", () => {
  test.each(["/login", "/provider", "/provider/test", "/transfer/destinations/"])(
    "%s is refused as slash_changed, and the relay warns once what to turn off",
    async (path) => {
      const warnings = collectWarnings();
      const set = await stage();
      expect(await readResponse(await set.send(path))).toEqual(faulty(404, "slash_changed"));
      await set.send(path);
      expect(warnings).toEqual([expect.stringContaining("was refused as slash_changed: let the paths")]);
      expect(set.events).toMatchObject([{ reason: "slash_changed" }, { reason: "slash_changed" }]);
      expect(set.bank.requests).toEqual([]);
    },
  );

  test.each(["/nowhere", "/client", "/logout", "/"])("%s, no path of this relay, is not found", async (path) => {
    const warnings = collectWarnings();
    const set = await stage();
    expect(await readResponse(await set.send(path))).toEqual(refused(404, "Not found"));
    expect(warnings).toEqual([]);
  });

  test("is explained by the browser's client where the server redirects to it", async () => {
    const url = await listen((request, response) => {
      response.writeHead(308, { location: request.url?.replace(/\/$/, "") }).end();
    });
    await expect(createRelayClient({ baseUrl: url }).login(PLAIN)).rejects.toMatchObject({
      code: "redirect_refused",
      detail: "let the paths of the relay keep their slash at the end, or none, without a redirect",
    });
  });
});

describe("a relay that is mounted under another path than its option says", () => {
  test.each<[string, path: string | undefined, mounted: string]>([
    ["under /bank without the option", undefined, "/bank"],
    ["under a longer path than it is told", "/bank", "/api/bank"],
    ["under /bank, by a server that takes the path away", "/bank", ""],
  ])("%s says so once on its console, and to each client", async (_, path, mounted) => {
    const warnings = collectWarnings();
    const set = await stage({ ...(path && { path }), clientSelection: true, logout: true });
    const browser = set.browser({ baseUrl: `${set.url}${mounted}` });
    const key = formatRelayKey({ ...createLogin(), last: 1, step: "step-1" });
    const fault = {
      code: "invalid_setup",
      httpStatus: 404,
      detail: "give the relay the path that it is mounted under, such as /bank",
    };
    await expect(browser.login(PLAIN)).rejects.toMatchObject(fault);
    await expect(browser.listProviders()).rejects.toMatchObject(fault);
    await expect(browser.getProvider("test")).rejects.toMatchObject(fault);
    await expect(browser.listTransferDestinations(key)).rejects.toMatchObject(fault);
    await expect(browser.selectClient(key, "0")).rejects.toMatchObject(fault);
    await expect(browser.logout(key)).rejects.toMatchObject(fault);
    expect(warnings).toEqual([expect.stringContaining("was refused as path_differs: give the relay the path")]);
    expect(set.events.map(({ reason }) => reason)).toEqual(Array(6).fill("path_differs"));
    expect(set.bank.requests).toEqual([]);
  });
});

describe("a form that was read before it reached the relay", () => {
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
      "by code that still holds its reader",
      (relay) => {
        const handler = (request: Request) => {
          request.body?.getReader();
          return relay(request);
        };
        return listen(createNodeHandler(handler));
      },
    ],
  ];

  test.each(parsers)("%s is body_already_read, and the relay warns once what to do", async (_, start) => {
    const warnings = collectWarnings();
    const { relay, bank, events, browser: open } = await stage({ path: "/bank" });
    const browser = open({ baseUrl: `${await start(relay)}/bank` });
    const fault = { code: "invalid_setup", httpStatus: 500, detail: "mount the relay before every body parser" };
    await expect(browser.login(PLAIN)).rejects.toMatchObject(fault);
    await expect(browser.login(PLAIN)).rejects.toMatchObject(fault);
    expect(warnings.filter((text) => text.includes("mount the relay before"))).toHaveLength(1);
    expect(events).toMatchObject([{ reason: "body_already_read" }, { reason: "body_already_read" }]);
    expect(bank.requests).toEqual([]);
  });
});
