import { expect, test } from "vitest";
import { startService } from "../../bank/service.ts";
import { readFault } from "./faults.ts";
import { clientThatReads, createClient, FORM, SESSION_KEY } from "./local-bank.ts";

// That the target of a redirect gets no request: test/faults.

test("a redirect to the same server is refused, even if its body is a valid response", async () => {
  const { url, requests } = await startService([
    { http: 307, json: { status: "logged_in", key: SESSION_KEY }, headers: { location: "/login/" } },
    { json: { status: "logged_in", key: SESSION_KEY } },
  ]);
  expect((await readFault(createClient(url).login(FORM))).code).toBe("redirect_refused");
  expect(requests).toHaveLength(1);
});

test.each([300, 301, 303, 304, 399])("HTTP %d without a location is refused", async (http) => {
  expect(await readFault(clientThatReads({ http, text: "" }).listProviders())).toMatchObject({
    code: "redirect_refused",
    httpStatus: http,
  });
});

test.each([299, 400])("HTTP %d is no redirect", async (http) => {
  const client = clientThatReads({ http, json: { status: "success", providers: [] } });
  expect(await client.listProviders()).toEqual({ status: "success", providers: [], skipped: 0 });
});

test("the opaque response of a browser to a redirect is refused", async () => {
  const opaque = Object.defineProperties(new Response(null), {
    type: { value: "opaqueredirect" },
    status: { value: 0 },
  });
  const error = await readFault(createClient("https://bank.example", { fetch: async () => opaque }).login(FORM));
  expect(error).toMatchObject({ code: "redirect_refused", request: "POST /login/" });
});
