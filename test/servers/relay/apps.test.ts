import { BankError, createRelayClient, login, reveal } from "ventanilla";
import { createRateLimit, type RelayApp, type RelayOptions } from "ventanilla/relay";
import { afterEach, describe, expect, test, vi } from "vitest";
import { formatRelayKey } from "../../../src/core/api/relay-login.ts";
import { promised, sessionKey as readKey } from "../../bank/service.ts";
import { readFailure } from "../../core/pause/paused.ts";
import {
  collectWarnings,
  createLogin,
  faulty,
  form,
  OTP,
  PAGE,
  PLAIN,
  readResponse,
  refused,
  type Stage,
  type StatusAndBody,
  sessionKey,
  stage,
} from "./stage.ts";
import { parseStatus, raw, request } from "./wire.ts";

const TOKEN = "app-token.canary-5f1c";
const BEARER = `Bearer ${TOKEN}`;

afterEach(() => void vi.useRealTimers());

/** A relay for apps, and for pages where origins are given. `checked` holds the tokens that its function got. */
async function stageApps(options: Partial<RelayOptions> = {}) {
  const checked: string[] = [];
  const checkAppToken = ({ token }: RelayApp) => {
    checked.push(reveal(token));
    return reveal(token) === TOKEN;
  };
  const set = await stage({ allowedOrigins: [], clientSelection: true, logout: true, checkAppToken, ...options });
  return { ...set, checked };
}

/** The headers of an app: none of a browser's. */
const asApp = { origin: "", authorization: BEARER };

const createApp = (set: Stage, token = TOKEN) =>
  createRelayClient({ baseUrl: set.url, retry: false, headers: { authorization: `Bearer ${token}` } });

const APP = faulty(401, "app_refused");
const ORIGIN = faulty(403, "origin_refused");

/** Each row: the attack, the headers beside those of an app, the response, and how many tokens were checked. */
type Row = readonly [attack: string, headers: Record<string, string>, response: StatusAndBody, checked: number];

const rows: readonly Row[] = [
  ["no token", { authorization: "" }, APP, 0],
  ["a wrong token", { authorization: "Bearer guess" }, APP, 1],
  ["a scheme without a token", { authorization: "Bearer" }, APP, 0],
  ["a token without a scheme", { authorization: TOKEN }, APP, 0],
  ["a token under another scheme, such as a browser remembers for a site", { authorization: `Basic ${TOKEN}` }, APP, 0],
  ["two tokens in one header", { authorization: `${BEARER}, ${BEARER}` }, APP, 0],
  ["a token with a character that none has", { authorization: `${BEARER}"` }, APP, 0],
  ["a token in a cookie", { authorization: "", cookie: `authorization=${TOKEN}` }, APP, 0],
  [
    "no token, as of a page of the relay's own origin",
    { authorization: "", "sec-fetch-site": "same-origin" },
    ORIGIN,
    0,
  ],
  ["a token with the origin of another site's page", { origin: "https://evil.example" }, ORIGIN, 0],
  ["a token with the origin of a page of the relay's owner, who lists none", { origin: PAGE }, ORIGIN, 0],
  ["a token from another site's page without an origin", { "sec-fetch-site": "cross-site" }, ORIGIN, 0],
  ["a token from a sister site's page without an origin", { "sec-fetch-site": "same-site" }, ORIGIN, 0],
  ["a token without the request header", { "x-ventanilla": "" }, refused(403, "Header X-Ventanilla missing"), 0],
  [
    "a page of another site that fakes an app by fetch in the mode no-cors",
    { origin: "https://evil.example", authorization: "", "x-ventanilla": "", "sec-fetch-site": "cross-site" },
    ORIGIN,
    0,
  ],
];

const broken = () => {
  throw new RangeError(TOKEN);
};

describe("A login as an app without the right to it is refused, and the bank sees nothing of it:", () => {
  const send = (set: Stage, headers: Record<string, string>) =>
    set.send("/login/", form(PLAIN, { ...asApp, ...headers }));
  test.each(rows)("%s", async (_attack, headers, expected, checked) => {
    const warnings = collectWarnings();
    const set = await stageApps();
    const response = await send(set, headers);
    expect(await readResponse(response)).toEqual(expected);
    expect(response.headers.get("www-authenticate")).toBe(expected === APP ? "Bearer" : null);
    expect([...response.headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
    expect(set.checked).toHaveLength(checked);
    expect(set.bank.requests).toEqual([]);
    // An origin that is not listed is a mistake of the set-up, a wrong token is none.
    expect(warnings.filter((text) => !text.includes("allowedOrigins"))).toEqual([]);
  });

  test.each<[string, () => unknown, string]>([
    ["throws", broken, "threw RangeError"],
    ["rejects", async () => Promise.reject(TOKEN), "threw string"],
    ["returns what a library made of the token", () => ({ payload: {} }), "returned neither true nor false"],
  ])("a check that %s", async (_attack, check, detail) => {
    const set = await stageApps({ checkAppToken: check as () => boolean });
    expect(await readResponse(await send(set, {}))).toEqual(faulty(500, "http_failed"));
    expect(set.errors).toEqual([new BankError("handler_failed", { field: "checkAppToken", detail })]);
    expect(set.bank.requests).toEqual([]);
  });
});

test.each([
  ["checkAppToken", 0],
  ["rateLimit", 0],
  ["onLogin", 1],
])("A function %s that never ends ends in HTTP 500 after 10 seconds; the bank gets %d logins", async (field, sent) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { promise: begun, keep: hasBegun } = promised();
  const hang = () => {
    hasBegun();
    return new Promise<never>(() => {});
  };
  const set = await stageApps({ [field]: hang });
  const response = set.send("/login/", form(PLAIN, asApp));
  await begun;
  await vi.advanceTimersByTimeAsync(10_000);
  expect((await response).status).toBe(500);
  expect(set.errors).toMatchObject([{ field, detail: "no response within 10000 ms" }]);
  expect(set.bank.requests).toHaveLength(sent);
});

describe("An app's token is taken from its header alone:", () => {
  test.each<[string, path: string, init: RequestInit, StatusAndBody]>([
    ["not from the query", `/provider/?access_token=${TOKEN}`, { headers: { origin: "" } }, APP],
    ["not from the form", "/login/", form({ ...PLAIN, access_token: TOKEN }, { origin: "" }), APP],
    ["a second one in the query", `/provider/?token=${TOKEN}`, { headers: asApp }, refused(400, "Malformed query")],
  ])("%s", async (_, path, init, expected) => {
    const set = await stageApps();
    expect(await readResponse(await set.send(path, init))).toEqual(expected);
    expect(set.bank.requests).toEqual([]);
  });

  test.each([
    ["two headers", [`Authorization: ${BEARER}`, `Authorization: ${BEARER}`], 401],
    ["an empty origin beside it, which some debuggers send", [`Authorization: ${BEARER}`, "Origin:"], 403],
  ])("%s", async (_, headers, http) => {
    const set = await stageApps();
    expect(parseStatus(await raw(set.url, request("GET /provider/", ["X-Ventanilla: 1", ...headers])))).toBe(http);
    expect(set.checked).toEqual([]);
    expect(set.bank.requests).toEqual([]);
  });
});

test("Guesses at a token are limited by caller before they are checked, also as repeats of a good request", async () => {
  const set = await stageApps({ rateLimit: createRateLimit({ login: 3, read: 1 }) });
  const headers = { ...asApp };
  const name = formatRelayKey(createLogin());
  const statuses = [(await set.send("/login/", form(PLAIN, headers), name)).status];
  headers.authorization = "Bearer guess";
  for (const _ of [1, 2, 3]) statuses.push((await set.send("/login/", form(PLAIN, headers), name)).status);
  for (const _ of [1, 2]) statuses.push((await set.send("/provider/", { headers })).status);
  expect(statuses).toEqual([200, 401, 401, 429, 401, 429]);
  expect(set.checked).toHaveLength(4);
  expect(set.bank.requests).toHaveLength(1);
});

test("A repeat of an app's login without its token does not get the response", async () => {
  const set = await stageApps();
  const name = formatRelayKey(createLogin());
  const response = await readResponse(await set.send("/login/", form(PLAIN, asApp), name));
  const guess = form(PLAIN, { ...asApp, authorization: "Bearer guess" });
  expect(await readResponse(await set.send("/login/", guess, name))).toEqual(APP);
  expect(await readResponse(await set.send("/login/", form(PLAIN, asApp), name))).toEqual(response);
  expect(set.bank.requests).toHaveLength(1);
});

test("A key without a token opens nothing, where pages are served too", async () => {
  const set = await stageApps({ allowedOrigins: [PAGE] });
  const key = await sessionKey(set);
  expect(await readResponse(await set.send("/transfer/destinations", { headers: { origin: "" } }, key))).toEqual(APP);
  expect(set.bank.requests).toEqual([]);
});

describe("An app with its token", () => {
  test("logs in, answers, reads and logs out: the fields, two POSTs, no cookie, and no token at the bank", async () => {
    const set = await stageApps();
    const app = createApp(set);
    const outcome = await login(app, OTP, { onInteraction: () => "8888" });
    const key = readKey(outcome);
    expect((await app.listTransferDestinations(key)).status).toBe("success");
    expect((await app.logout(key)).status).toBe("logged_out");
    expect(set.bank.requests.map(({ method }) => method)).toEqual(["GET", "POST", "POST", "GET", "GET"]);
    for (const { headers, url } of set.bank.requests) {
      expect(JSON.stringify([headers, url])).not.toContain(TOKEN);
      expect(headers).not.toHaveProperty("cookie");
    }
    expect(set.checked).toEqual(Array(5).fill(TOKEN));
    expect(set.logins).toMatchObject([{ provider: "test" }]);
    expect(set.events.map(({ httpStatus }) => httpStatus)).toEqual([200, 200, 200, 200, 200]);
  });

  test("gets app_refused where the token is refused, which says what to change", async () => {
    const set = await stageApps();
    const fault = await readFailure(createApp(set, "expired").login(PLAIN));
    const detail = "give the relay the function checkAppToken, and the app's client a token in its headers";
    expect(fault).toEqual(
      new BankError("app_refused", { request: "POST /login/", baseUrl: set.url, httpStatus: 401, detail }),
    );
    expect(set.events).toMatchObject([{ route: "POST /login/", httpStatus: 401, reason: "app_refused" }]);
    expect(set.errors).toEqual([]);
  });

  test("is served beside pages of listed origins, whose requests need no token", async () => {
    const set = await stageApps({ allowedOrigins: [PAGE] });
    expect((await set.send("/login/", form(PLAIN))).status).toBe(200);
    const ownOrigin = { origin: "", "sec-fetch-site": "same-origin" };
    expect((await set.send("/provider/", { headers: ownOrigin })).status).toBe(200);
    expect(set.checked).toEqual([]);
    expect((await createApp(set).login(PLAIN)).status).toBe("logged_in");
    expect(set.checked).toEqual([TOKEN]);
  });

  test("may write the scheme in any case; checkAppToken and onLogin get its request", async () => {
    const seen: Request[] = [];
    const set = await stageApps({
      checkAppToken: ({ request }) => seen.push(request) > 0,
      onLogin: ({ request }) => seen.push(request),
    });
    const headers = { ...asApp, authorization: `bearer ${TOKEN}`, "x-device": "phone" };
    await set.send("/login/", form(PLAIN, headers));
    expect(seen.map(({ headers }) => headers.get("x-device"))).toEqual(["phone", "phone"]);
  });
});

test("A relay that serves no apps refuses one with app_refused, and warns once which option to set", async () => {
  const warnings = collectWarnings();
  const set = await stage();
  for (const token of [TOKEN, "other"]) {
    await expect(createApp(set, token).login(PLAIN)).rejects.toMatchObject({ code: "app_refused", httpStatus: 403 });
  }
  expect(warnings).toEqual([
    "ventanilla/relay: a request was refused as app_refused: give the relay the function checkAppToken, and the app's client " +
      "a token in its headers. See docs/relay.md, When a request is refused.",
  ]);
  expect(set.bank.requests).toEqual([]);
});
