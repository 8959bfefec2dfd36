import { type BankClient, RedirectError } from "ventanilla";
import { describe, expect, test } from "vitest";
import { expectNoneOf, faultOf } from "./faults.ts";
import { clientOf, FORM, SECRETS, SESSION_KEY, serveAnswers } from "./server.ts";

const calls: [string, (client: BankClient) => Promise<unknown>][] = [
  ["GET /provider/", (client) => client.listProviders()],
  ["POST /login/", (client) => client.login(FORM)],
  ["GET /transfer/destinations", (client) => client.listTransferDestinations(SESSION_KEY)],
];

describe.each([301, 302, 303, 307, 308])("HTTP %d", (http) => {
  test.each(calls)("in answer to %s is refused, and its target never contacted", async (request, call) => {
    const target = await serveAnswers({ json: { status: "success", providers: [] } });
    const location = `${target.url}/elsewhere?key=${SESSION_KEY}`;
    const { url, requests } = await serveAnswers({ http, text: "", headers: { location } });
    const error = await faultOf(call(clientOf(url, { retry: { delay: 1 } })));
    expect(error).toBeInstanceOf(RedirectError);
    expect(error).toMatchObject({ code: "redirect_refused", request, httpStatus: http });
    expectNoneOf([...SECRETS, target.url], error);
    expect(requests).toHaveLength(1);
    expect(target.requests).toEqual([]);
  });
});

test("a redirect to the very same server is refused too, whatever its body says", async () => {
  const { url, requests } = await serveAnswers(
    { http: 307, json: { status: "logged_in", key: SESSION_KEY }, headers: { location: "/login/" } },
    { json: { status: "logged_in", key: SESSION_KEY } },
  );
  expect((await faultOf(clientOf(url).login(FORM))).code).toBe("redirect_refused");
  expect(requests).toHaveLength(1);
});

test.each([300, 304, 399])("HTTP %d without a place to go is refused as well", async (http) => {
  const { url } = await serveAnswers({ http, text: "" });
  expect(await faultOf(clientOf(url).listProviders())).toMatchObject({ code: "redirect_refused", httpStatus: http });
});

test.each([299, 400])("HTTP %d is no redirect", async (http) => {
  const { url } = await serveAnswers({ http, json: { status: "success", providers: [] } });
  expect(await clientOf(url).listProviders()).toEqual({ status: "success", providers: [] });
});

test("the opaque answer that a browser makes of a redirect is refused", async () => {
  const opaque = Object.defineProperties(new Response(null), {
    type: { value: "opaqueredirect" },
    status: { value: 0 },
  });
  const error = await faultOf(clientOf("https://bank.example", { fetch: async () => opaque }).login(FORM));
  expect(error).toMatchObject({ code: "redirect_refused", request: "POST /login/" });
});
