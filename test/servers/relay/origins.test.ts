import { BankError, createRelayClient } from "ventanilla";
import { describe, expect, test } from "vitest";
import { readFailure } from "../../core/pause/paused.ts";
import { collectWarnings, form, PAGE, PLAIN, stage } from "./stage.ts";

const preflight = (headers: Record<string, string> = {}) => ({
  method: "OPTIONS",
  headers: { "x-ventanilla": "", "access-control-request-method": "POST", ...headers },
});

const readCors = (response: Response) =>
  Object.fromEntries([...response.headers].filter(([name]) => name.startsWith("access-control-")));

describe("a preflight", () => {
  test("of an allowed origin gets what its route takes, and nothing about credentials", async () => {
    const set = await stage();
    const response = await set.send("/login/", preflight({ "access-control-request-headers": "x-ventanilla" }));
    expect(response.status).toBe(204);
    expect(readCors(response)).toEqual({
      "access-control-allow-origin": PAGE,
      "access-control-allow-methods": "POST",
      "access-control-allow-headers":
        "content-type, cache-control, x-ventanilla, x-ventanilla-login, x-ventanilla-token, x-ventanilla-submit, x-session-key",
      "access-control-expose-headers": "retry-after, x-ventanilla, x-ventanilla-submit",
      "access-control-max-age": "600",
    });
    expect(set.events).toMatchObject([{ route: "POST /login/", method: "OPTIONS", httpStatus: 204 }]);
    expect(set.bank.requests).toEqual([]);
  });

  test("allows the headers of the options too, for a page of an allowed origin alone", async () => {
    collectWarnings();
    const set = await stage({ allowedHeaders: ["Authorization", "x-tenant"] });
    const asked = { "access-control-request-headers": "authorization" };
    const readAllowed = async (headers: Record<string, string>) =>
      (await set.send("/login/", preflight(headers))).headers.get("access-control-allow-headers");
    expect(await readAllowed(asked)).toBe(
      "content-type, cache-control, x-ventanilla, x-ventanilla-login, x-ventanilla-token, x-ventanilla-submit, x-session-key, authorization, x-tenant",
    );
    expect(await readAllowed({ ...asked, origin: "https://evil.example" })).toBeNull();
    expect(set.bank.requests).toEqual([]);
  });

  test.each(["https://evil.example", "null", ""])("of the origin %j gets no CORS header", async (origin) => {
    collectWarnings();
    const response = await (await stage()).send("/login/", preflight({ origin }));
    expect(response.status).toBe(403);
    expect(readCors(response)).toEqual({});
  });
});

test.each(["same-origin", ""])(
  "a read of the own origin, without Origin, is served if Sec-Fetch-Site is %j",
  async (site) => {
    const set = await stage();
    const response = await set.send("/provider/", { headers: { origin: "", "sec-fetch-site": site } });
    expect(response.status).toBe(200);
    expect(readCors(response)).toEqual({});
  },
);

test("each of several origins may read its own responses, the origin of an app's web view too", async () => {
  const allowedOrigins = [PAGE, "http://localhost:5173", "capacitor://localhost"];
  const set = await stage({ allowedOrigins });
  for (const origin of allowedOrigins) {
    const response = await set.send("/provider/", { headers: { origin } });
    expect([response.status, readCors(response)["access-control-allow-origin"]]).toEqual([200, origin]);
  }
});

test.each<[detail: string, headers: Record<string, string>]>([
  ["Origin https://other.example, no Sec-Fetch-Site", { origin: "https://other.example" }],
  ["an opaque Origin, Sec-Fetch-Site cross-site", { origin: "null", "sec-fetch-site": "cross-site" }],
  ["no Origin, Sec-Fetch-Site same-origin", { origin: "", "sec-fetch-site": "same-origin" }],
  ["Origin that is none, Sec-Fetch-Site unknown", { origin: "https://x/cnry", "sec-fetch-site": "cnry" }],
])("the log says of a refused POST which headers came: %s", async (detail, headers) => {
  collectWarnings();
  const set = await stage({ allowedOrigins: ["https://shop.example"] });
  await set.send("/login/", { method: "POST", headers });
  expect(set.events).toMatchObject([{ reason: "origin_refused", detail }]);
});

describe("a page whose origin is not listed", () => {
  test.each([
    ["http://127.0.0.1:3000", "http://localhost:3000"],
    ["ionic://localhost", "capacitor://localhost"],
  ])("%s gets origin_refused, and the relay warns once which origin to list where", async (origin, allowed) => {
    const warnings = collectWarnings();
    const set = await stage({ allowedOrigins: [allowed] });
    // The first thing that a browser sends.
    await set.send("/login/", preflight({ origin }));
    expect(warnings).toEqual([
      `ventanilla/relay: a request of a page of ${origin} was refused as origin_refused (Origin ${origin}, no Sec-Fetch-Site): list the origin of the page in the ` +
        "relay's allowedOrigins. See docs/relay.md, When a request is refused.",
    ]);
    const fetchAsPage: typeof fetch = (input, init) =>
      fetch(input, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), origin } });
    const browser = createRelayClient({ baseUrl: set.url, fetch: fetchAsPage });
    const fault = await readFailure(browser.login(PLAIN));
    expect(fault).toBeInstanceOf(BankError);
    const detail = "list the origin of the page in the relay's allowedOrigins";
    expect(fault).toMatchObject({ code: "invalid_setup", httpStatus: 403, detail });
    expect(warnings).toHaveLength(1);
    expect(set.events.map(({ reason }) => reason)).toEqual(["origin_refused", "origin_refused"]);
    expect(set.bank.requests).toEqual([]);
  });

  test.each(["null", "cnry", `${PAGE}/cnry`, `${PAGE}?key=cnry`, `https://cnry@${PAGE.slice(8)}`])(
    "is not named in a warning if it sends %j, which can't be listed",
    async (origin) => {
      const warnings = collectWarnings();
      const set = await stage();
      expect((await set.send("/login/", form(PLAIN, { origin }))).status).toBe(403);
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).not.toContain(origin);
    },
  );
});

test("every response keeps caches, frames and sniffers away", async () => {
  const set = await stage();
  for (const response of [
    await set.send("/provider/"),
    await set.send("/nowhere"),
    await set.send("/login/", preflight()),
  ]) {
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      vary: "Origin",
      "x-content-type-options": "nosniff",
    });
  }
});
