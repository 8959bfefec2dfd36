import type { IncomingHttpHeaders } from "node:http";
import { createNodeHandler } from "ventanilla/node";
import type { RelayApp } from "ventanilla/relay";
import { expect, onTestFinished, vi } from "vitest";
import { listen, PLAIN, stage } from "../../servers/relay/stage.ts";
import { test } from "./screen-page.ts";

/** The headers that say where a request comes from, and its response. The origin of a frame in a sandbox is `null`. */
function describeArrival(method: string, headers: IncomingHttpHeaders, httpStatus: number): string {
  const origin = headers.origin === undefined ? "no origin" : "an origin";
  return [method, origin, headers["sec-fetch-site"] ?? "no site", httpStatus].join(", ");
}

test("a page of another site can't pass for an app, even with a valid token: its headers show what it is", async ({
  open,
}) => {
  // The relay warns of the origin that is not listed.
  const warning = vi.spyOn(console, "warn").mockReturnValue();
  onTestFinished(() => warning.mockRestore());
  const checked: RelayApp[] = [];
  // Accepts every token: only the browser's headers protect the bank here.
  const checkAppToken = (app: RelayApp) => checked.push(app) > 0;
  const { relay, bank } = await stage({ allowedOrigins: [], checkAppToken });
  const handle = createNodeHandler(relay);
  const arrivals: string[] = [];
  const authorized: (string | undefined)[] = [];
  const relayUrl = await listen((request, response) => {
    const { method = "", headers } = request;
    authorized.push(headers.authorization);
    response.once("finish", () => arrivals.push(describeArrival(method, headers, response.statusCode)));
    handle(request, response);
  });
  const pageUrl = await listen((_, response) => response.setHeader("content-type", "text/html").end("<p>"));
  // Another host name is another site.
  const { page } = await open(pageUrl.replace("127.0.0.1", "localhost"));

  await page.evaluate(
    async ({ relayUrl, form }) => {
      const [login, providers] = [`${relayUrl}/login/`, `${relayUrl}/provider/`];
      const type = "application/x-www-form-urlencoded";
      const headers = {
        authorization: "Bearer token",
        "x-ventanilla": "1",
        "x-ventanilla-login": crypto.randomUUID(),
        "x-ventanilla-token": "a".repeat(64),
        "x-ventanilla-submit": "1",
        "content-type": type,
        origin: "",
        "sec-fetch-site": "",
      };
      const post = { method: "POST", body: form, headers };
      const send = (url: string, init: RequestInit) => fetch(url, init).catch(() => undefined);
      await send(login, { ...post, mode: "no-cors" });
      await send(login, { ...post, mode: "no-cors", referrerPolicy: "no-referrer" });
      await send(login, { ...post, mode: "no-cors", keepalive: true });
      await send(providers, { headers, mode: "no-cors" });
      await send(login, post);
      await send(providers, { headers });
      navigator.sendBeacon(login, new Blob([form], { type }));
      new Image().src = providers;
      const frame = document.createElement("iframe");
      frame.setAttribute("sandbox", "allow-scripts allow-forms");
      frame.srcdoc = `<form method="post" action="${login}"><input name="provider" value="test"></form><script>document.forms[0].submit()</script>`;
      document.body.append(frame);
    },
    { relayUrl, form: new URLSearchParams(PLAIN).toString() },
  );

  await expect.poll(() => arrivals.length).toBe(9);
  expect(arrivals.sort()).toEqual([
    ...Array(2).fill("GET, no origin, cross-site, 403"),
    ...Array(2).fill("OPTIONS, an origin, cross-site, 403"),
    ...Array(5).fill("POST, an origin, cross-site, 403"),
  ]);
  expect(authorized).toEqual(Array(9).fill(undefined));
  expect(checked).toEqual([]);
  expect(bank.requests).toEqual([]);
});
