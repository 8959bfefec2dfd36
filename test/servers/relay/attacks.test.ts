import { createRateLimit, readCallerAddress } from "ventanilla/relay";
import { afterEach, describe, expect, test, vi } from "vitest";
import { formatRelayKey, parseRelayKey } from "../../../src/core/api/relay-login.ts";
import type { RateLimitRequest } from "../../../src/servers/relay/own-rate-limit.ts";
import {
  ANSWER,
  CHOOSER,
  collectWarnings,
  faulty,
  form,
  interactionKey,
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

afterEach(() => void vi.useRealTimers());

const INVALID_KEY = refused(403, "Invalid key");
const ORIGIN = faulty(403, "origin_refused");
const APP = faulty(403, "app_refused");
const HEADER = refused(403, "Header X-Ventanilla missing");
const NOT_FOUND = refused(404, "Not found");
const MALFORMED = refused(400, "Malformed fields");
const QUERY = refused(400, "Malformed query");
const TYPE = refused(415, "Unsupported content type");
const TOO_LARGE = refused(413, "Body too large");
const METHOD = refused(405, "Method not allowed");
const NO_PROVIDER: StatusAndBody = [404, { status: "provider_doesnt_exist" }];

/** Each row: the attack, what is sent, the response, and for a key the reason in the log. The bank gets none of it. */
type Row = readonly [attack: string, send: (set: Stage) => Promise<Response>, response: StatusAndBody, reason?: string];

const answer = (set: Stage, key: string, fields: Record<string, string> = {}) =>
  set.send("/login/", form({ ...ANSWER, ...fields }), key);

const postBody = (body: string) => (set: Stage) => set.send("/login/", form(body));
const postWith = (headers: Record<string, string>) => (set: Stage) => set.send("/login/", form(PLAIN, headers));
const readWith = (headers: Record<string, string>) => (set: Stage) => set.send("/provider/", { headers });

const EVIL = "https://evil.example";
/** The headers of a page's script, for a request that is written by hand. */
const FROM_PAGE = [`Origin: ${PAGE}`, "X-Ventanilla: 1"];
const URLENCODED = "application/x-www-form-urlencoded";
const VALID = new URLSearchParams(PLAIN).toString();

const crossSite: readonly Row[] = [
  ["a login with a forged origin", postWith({ origin: EVIL }), ORIGIN],
  ["a login with an origin that begins like an allowed one", postWith({ origin: `${PAGE}.evil.example` }), ORIGIN],
  ["a login from a sandboxed frame, whose origin is null", postWith({ origin: "null" }), ORIGIN],
  ["a login with two origins in one header", postWith({ origin: `${PAGE}, https://evil.example` }), ORIGIN],
  ["a login without any origin, as of an app", postWith({ origin: "" }), APP],
  ["a login of a page without an origin", postWith({ origin: "", "sec-fetch-site": "cross-site" }), ORIGIN],
  ["a form that an allowed page posts without a script", postWith({ "x-ventanilla": "" }), HEADER],
  ["a login with another value of the request header", postWith({ "x-ventanilla": "true" }), HEADER],
  ["a read with a forged origin", readWith({ origin: EVIL }), ORIGIN],
  ["a read of another site without an origin", readWith({ origin: "", "sec-fetch-site": "cross-site" }), ORIGIN],
  ["a read of a sister site without an origin", readWith({ origin: "", "sec-fetch-site": "same-site" }), ORIGIN],
  ["an address that a person was led to open", readWith({ origin: "", "sec-fetch-site": "none" }), ORIGIN],
  ["an image, a script or a link of another site", readWith({ origin: "", "x-ventanilla": "" }), HEADER],
];

/** A key that names another step, or none. */
const withStep = (step: string) => async (set: Stage) =>
  formatRelayKey({ ...parseRelayKey(await interactionKey(set)), step });
const expiredKey = (milliseconds: number, createKey: (set: Stage) => Promise<string>) => async (set: Stage) => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const key = await createKey(set);
  vi.setSystemTime(Date.now() + milliseconds);
  return key;
};
const realKey = async (set: Stage) => {
  const key = await sessionKey(set);
  return formatRelayKey({ ...parseRelayKey(key), step: [...set.bank.keys][0] });
};
const answerWith = (fields: Record<string, string>) => async (set: Stage) =>
  answer(set, await interactionKey(set), fields);

/** How the key is made, and where it is sent. */
type WrongKey = readonly [attack: string, create: (set: Stage) => string | Promise<string>, path: string];
const wrongKeys: readonly WrongKey[] = [
  ["another relay's key", async () => interactionKey(await stage()), "/login/"],
  [
    "another service's key of the same store",
    async (set) => interactionKey(await stage({ store: set.store })),
    "/login/",
  ],
  ["a key of a step that was not", withStep("step-7"), "/login/"],
  ["a key of no step", withStep("x"), "/login/"],
  ["an interaction's key as a session's", interactionKey, "/transfer/destinations"],
  ["the key of a choice of clients as a session's", (set) => sessionKey(set, CHOOSER), "/transfer/destinations"],
  ["an interaction's key that has expired", expiredKey(601_000, interactionKey), "/login/"],
  ["a session's key that has expired", expiredKey(1_801_000, sessionKey), "/transfer/destinations"],
  ["a real key of the service's", realKey, "/transfer/destinations"],
];

const keys: readonly Row[] = [
  ...wrongKeys.map(
    ([attack, create, path]): Row => [
      attack,
      async (set) => {
        const key = await create(set);
        set.bank.requests.length = 0;
        return set.send(`${path}`, path === "/login/" ? form(ANSWER) : {}, key);
      },
      INVALID_KEY,
      "invalid_key",
    ],
  ),
  ["a key of another bank's login", answerWith({ provider: "faro_uy" }), INVALID_KEY],
  // In an address the key would be in logs. Without it an answer would be a new login.
  ...["/login/", "/transfer/destinations", "/client/", "/client/0/", "/logout/"].map(
    (path): Row => [
      `a key in the address of ${path}`,
      async (set) => set.send(`${path}?key=x`, path === "/login/" ? form(ANSWER) : {}),
      QUERY,
    ],
  ),
];

const postEndlessly = (set: Stage) => {
  const body = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(16_384).fill(120)) });
  return set.send("/login/", { ...form(""), body, duplex: "half" } as RequestInit);
};

const bodies: readonly Row[] = [
  ["a form larger than the limit", postBody(`${VALID}&otp=${"x".repeat(70_000)}`), TOO_LARGE],
  ["a form without end and without a length", postEndlessly, TOO_LARGE],
  ["a field given twice", postBody(`${VALID}&password=other`), MALFORMED],
  ["a field given twice, once encoded", postBody(`${VALID}&pass%77ord=other`), MALFORMED],
  ["a half escape", postBody("provider=test&username=12345&password=%f"), MALFORMED],
  ["bytes that are no UTF-8", postBody("provider=test&username=12345&password=%ff%fe"), MALFORMED],
  ["bytes that are no ASCII", postBody("provider=test&username=12345&password=ñ"), MALFORMED],
  ["a field without a value", postBody(`${VALID}&otp`), MALFORMED],
  ["a field without a name", postBody(`${VALID}&=8888`), MALFORMED],
  ["an empty field", postBody("provider=test&username=12345&password="), [400, { status: "missing_credentials" }]],
  ["a name that is not a field's", postBody(`${VALID}&a[b]=c`), MALFORMED],
  ["a name with half a character", postBody(`${VALID}&a%ED%A0%BD=c`), MALFORMED],
  ["a name that begins with a space", postBody(`${VALID}&+otp=c`), MALFORMED],
  ["a name of 65 characters", postBody(`${VALID}&${"n".repeat(65)}=1`), MALFORMED],
  ["33 fields", postBody(`${VALID}&${Array.from({ length: 30 }, (_, n) => `f${n}=1`).join("&")}`), MALFORMED],
  ["a field with the name of the session key", postBody(`${VALID}&key=stolen`), MALFORMED],
  ["the same in capital letters", postBody(`${VALID}&Key=stolen`), MALFORMED],
  ["a provider in capital letters, for a budget of its own", postBody(VALID.replace("test", "Test")), NO_PROVIDER],
  ["the fields of a provider in capital letters", (set) => set.send("/provider/TEST/"), NO_PROVIDER],
  ["a provider that is a path", postBody("provider=..%2Flogout&username=1&password=2"), NO_PROVIDER],
  ["a form that calls itself JSON", postWith({ "content-type": "application/json" }), TYPE],
  ["a form of several parts", postWith({ "content-type": "multipart/form-data; boundary=x" }), TYPE],
  ["a form in another charset", postWith({ "content-type": `${URLENCODED}; charset=utf-16` }), TYPE],
  ["a compressed form", postWith({ "content-encoding": "gzip" }), TYPE],
  ["a form without a content type", postWith({ "content-type": "" }), TYPE],
  ["an undocumented member of the query", (set) => set.send("/login/?debug=1", form(PLAIN)), QUERY],
];

const overrideMethod = ({ send }: Stage) =>
  send(`/login/?${VALID}`, { headers: { "x-http-method-override": "POST", "x-method-override": "POST" } });

const methods: readonly Row[] = [
  ...(["PUT", "DELETE", "PATCH", "HEAD", "POST"] as const).map(
    (method): Row => [
      `${method} where only a GET is served`,
      (set) => set.send("/provider/", { method }),
      method === "HEAD" ? [405, undefined] : METHOD,
    ],
  ),
  ["a login by GET", (set) => set.send(`/login/?${VALID}`), METHOD],
  ["a login by GET with headers that override the method", overrideMethod, METHOD],
];

describe.each([
  ["From another site", crossSite],
  ["With a wrong key", keys],
  ["With a wrong form", bodies],
  ["With another method", methods],
])("%s", (_, rows) => {
  test.for(rows)("%s is refused, and the bank gets no request", async ([, send, [http, body], reason]) => {
    collectWarnings();
    const set = await stage({ clientSelection: true, logout: true });
    const response = await send(set);
    expect(response.status).toBe(http);
    const text = await response.text();
    expect(text === "" ? undefined : JSON.parse(text)).toEqual(body);
    if (reason) expect(set.events.at(-1)).toMatchObject({ reason });
    expect(set.errors).toEqual([]);
    expect(set.bank.requests).toEqual([]);
  });
});

test("The choice of a client of a login that has its session gets that session, and the bank no request", async () => {
  const set = await stage({ clientSelection: true });
  const key = await sessionKey(set);
  const response = await set.send("/client/0/", {}, key);
  expect(await readResponse(response)).toEqual([200, { status: "success", key: "step-1" }]);
  expect(set.bank.requests).toEqual([]);
});

describe("The choice of a client that the bank has not listed is not sent to the bank:", () => {
  const ids = "7 00 0%20 0;x ~ constructor __proto__ a..b ... ..;x %E2%80%AE0 caf%C3%A9".split(" ");

  test.each([...ids, "x".repeat(200)])("$0", async (id) => {
    const set = await stage({ clientSelection: true });
    const key = await sessionKey(set, CHOOSER);
    const response = await set.send(`/client/${id}/`, {}, key);
    expect(await readResponse(response)).toEqual([404, { status: "error", message: "wrong_client" }]);
    expect(set.bank.paths()).toEqual(["GET /client/"]);
    // Nothing was spent.
    expect((await set.send("/client/0/", {}, key)).status).toBe(200);
  });

  test.each(["%2e%2e", "..%2flogout", "a%2fb", "a%5cb", "a%00b", "a%0ab", "50%25", "%252e%252e", "%252f"])(
    "%s, which servers rewrite in a path",
    async (id) => {
      const set = await stage({ clientSelection: true });
      const text = request(`GET /client/${id}/`, [...FROM_PAGE, "X-Session-Key: x"]);
      expect(parseStatus(await raw(set.url, text))).toBe(404);
      expect(set.bank.requests).toEqual([]);
    },
  );
});

describe("A path that servers read in different ways is refused, and the bank gets no request:", () => {
  const paths = String.raw`
    /provider //provider/ /provider// /provider/%2e%2e/ /provider/%2E%2E/client/ /provider/../client/ /x/../y/ /provider/..%2fclient%2f/
    /provider/test%2f..%2f/ /provider/test%2F/ /provider/test%5c/ /provider/test\/ /provider/test%00/ /provider/%252e%252e/ /provider/%zz/
    /provider/test/;x/ /PROVIDER/ /login/#/ /provider/%E2%80%8B/x/ /transfer/destinations/ /transfer%2Fdestinations /account/ /.env`;

  test.each([...paths.trim().split(/\s+/), `/provider/${"a".repeat(9000)}/`])("$0", async (path) => {
    collectWarnings();
    const set = await stage({ clientSelection: true, logout: true });
    const response = await raw(set.url, request(`GET ${path}`, FROM_PAGE));
    expect([400, 404, 414]).toContain(parseStatus(response));
    expect(set.bank.requests).toEqual([]);
  });

  // Node's server passes a path on as it came. Servers that resolve dot segments leave nothing to refuse.
  test.each([
    "http://relay.example/provider/./",
    "http://relay.example/x/../provider/",
    "http://relay.example/provider/%2e/",
    "http://relay.example/%2e%2e/provider/",
    "http://relay.example\\provider/",
    "http://relay.example/provider\\",
    "http:/provider/",
    "/provider/",
    "ftp://relay.example/provider/",
    "http://relay.example/provider/\t",
    " http://relay.example/provider/",
  ])("%j, where the server passes it on", async (url) => {
    const set = await stage();
    const request = new Request("http://relay.example/provider/", { headers: { origin: PAGE, "x-ventanilla": "1" } });
    const response = await set.relay(Object.defineProperty(request, "url", { value: url }));
    expect(await readResponse(response)).toEqual(NOT_FOUND);
    expect(set.bank.requests).toEqual([]);
  });

  test("an absolute address names a path of the relay, and never another host", async () => {
    const [set, other] = [await stage(), await stage()];
    await raw(set.url, request(`GET ${other.bank.url}/provider/`, FROM_PAGE));
    expect(other.bank.requests).toEqual([]);
    expect(set.bank.lines()).toEqual(["GET /provider/"]);
  });

  test.each(["/provider/with%20a%20space/", "/provider/caf%C3%A9/"])("%s names no bank", async (path) => {
    const set = await stage();
    expect(await (await set.send(path)).json()).toEqual({ status: "provider_doesnt_exist" });
    expect(set.bank.requests).toEqual([]);
  });
});

describe("No header of the browser reaches the bank:", () => {
  test("keys, cookies and forwarding headers", async () => {
    const set = await stage({ readCaller: readCallerAddress });
    const keys = ["X-API-Key: stolen", "X-Session-Key: stolen", "Authorization: Basic x"];
    const headers = [...FROM_PAGE, ...keys, "X-Forwarded-For: 1.2.3.4", "Cookie: a=b"];
    expect(parseStatus(await raw(set.url, request("GET /provider/", headers)))).toBe(200);
    expect(set.bank.requests).toHaveLength(1);
    const sent = set.bank.requests[0]?.headers;
    expect(JSON.stringify(sent)).not.toMatch(/stolen|1\.2\.3\.4|a=b|Basic|shop\.example|relay\.example|ventanilla: 1/);
    expect(sent).not.toHaveProperty("x-session-key");
    expect(sent).not.toHaveProperty("cookie");
    expect(sent?.host).toBe(new URL(set.bank.url).host);
  });

  test("a Transfer-Encoding beside a Content-Length", async () => {
    const set = await stage();
    const headers = [
      ...FROM_PAGE,
      `Content-Type: ${URLENCODED}`,
      `Content-Length: ${VALID.length}`,
      "Transfer-Encoding: chunked",
    ];
    const body = "0\r\n\r\nGET /provider/ HTTP/1.1\r\nHost: x\r\n\r\n";
    expect(parseStatus(await raw(set.url, request("POST /login/", headers, body)))).toBe(400);
    expect(set.bank.requests).toEqual([]);
  });
});

test.each(["TRACE", "PROPFIND"])("%s is refused, and repeats nothing of what was sent", async (method) => {
  const set = await stage();
  const response = await raw(set.url, request(`${method} /login/`, [...FROM_PAGE, "X-Canary: cnry"]));
  expect(parseStatus(response)).toBe(405);
  expect(response).not.toContain("cnry");
  expect(set.bank.requests).toEqual([]);
});

test("A form that never ends is refused after its time-out, and its connection is closed", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const set = await stage({ rateLimit: false });
  const headers = [
    ...FROM_PAGE,
    `Content-Type: ${URLENCODED}`,
    "Content-Length: 500",
    `X-Ventanilla-Login: ${crypto.randomUUID()}`,
    `X-Ventanilla-Token: ${"t".repeat(43)}`,
    "X-Ventanilla-Submit: 1",
  ];
  const text = request("POST /login/", headers, "provider=test&").replace("Connection: close\r\n", "");
  let response = "";
  raw(set.url, text).then((read) => {
    response = read;
  });
  await expect
    .poll(() => {
      vi.advanceTimersByTime(10_000);
      return response;
    })
    .toMatch(/connection: close/i);
  expect(parseStatus(response)).toBe(408);
  expect(set.bank.requests).toEqual([]);
});

describe("Too many requests of one caller are refused, and do not reach the bank:", () => {
  test("logins have a budget of their own, and Retry-After says when the next one is served", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const set = await stage({ rateLimit: createRateLimit({ login: 2, read: 3 }) });
    for (const _ of [1, 2]) expect((await set.send("/login/", form(PLAIN))).status).toBe(200);
    const refused = await set.send("/login/", form(PLAIN));
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("30");
    expect(set.bank.requests).toHaveLength(2);
    for (const _ of [1, 2, 3]) expect((await set.send("/provider/")).status).toBe(200);
    expect((await set.send("/provider/")).status).toBe(429);
    // The list comes from the directory of the relay's client: the bank is asked once.
    expect(set.bank.requests).toHaveLength(3);
    vi.setSystemTime(Date.now() + 30_000);
    expect((await set.send("/login/", form(PLAIN))).status).toBe(200);
    await expect(set.browser().login(PLAIN)).rejects.toMatchObject({ code: "rate_limited", retryAfter: 30_000 });
  });

  test("an answer counts as a read, for people who share an address", async () => {
    const set = await stage({ rateLimit: createRateLimit({ login: 1, read: 1 }) });
    const key = await interactionKey(set);
    expect((await set.send("/login/", form(PLAIN))).status).toBe(429);
    expect((await answer(set, key)).status).toBe(200);
    expect((await answer(set, key)).status).toBe(429);
    expect(set.bank.requests).toHaveLength(1);
  });

  test("behind a proxy one client does not use up the budget of the others, and a warning says why", async () => {
    const warnings = collectWarnings();
    const set = await stage();
    // All connections come from the proxy's address.
    const send = (address: string, username: string) =>
      set.send("/login/", form({ ...PLAIN, username }, { "x-forwarded-for": address }));
    for (let guess = 0; guess < 30; guess++) expect((await send("1.1.1.1", `guess${guess}`)).status).toBe(403);
    expect((await send("2.2.2.2", PLAIN.username)).status).toBe(200);
    expect(set.events.map(({ caller }) => caller)).toEqual(Array(31).fill("unknown"));
    expect(warnings).toEqual([expect.stringMatching(/readCaller.*docs\/production\.md/)]);
  });

  test("logins to one account are limited for all addresses and spellings of its name; answers don't count", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    let caller = 0;
    const set = await stage({ readCaller: () => `198.51.100.${caller++}` });
    const guess = (username: string) => set.send("/login/", form({ ...OTP, username, password: "guess" }));
    const key = await interactionKey(set);
    for (const username of ["12345otp", "12345OTP", "12345-otp", " 12345.otp"]) {
      expect((await guess(username)).status).toBe(403);
    }
    const refused = await guess("12345otp");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "120"]);
    expect(await refused.json()).toMatchObject({ error: "rate_limited" });
    expect(set.events.at(-1)).toMatchObject({ httpStatus: 429, reason: "user_limited" });
    expect(set.bank.requests).toHaveLength(4);
    // A question can still be answered, and other users can log in.
    expect((await answer(set, key)).status).toBe(200);
    expect((await set.send("/login/", form(PLAIN))).status).toBe(200);
    vi.setSystemTime(Date.now() + 120_000);
    expect((await guess("12345otp")).status).toBe(403);
  });

  test("a rate limit of the owner is called twice for a login: before its form is read, and with its user", async () => {
    const attempts: RateLimitRequest[] = [];
    const rateLimit = (attempt: RateLimitRequest) => void attempts.push(attempt);
    const set = await stage({ readCaller: () => "a", rateLimit });
    await answer(set, await interactionKey(set));
    expect(attempts).toEqual([
      { caller: "a", kind: "login" },
      { caller: "a", kind: "user", user: expect.stringMatching(/^[0-9a-f]{64}$/) },
      { caller: "a", kind: "read" },
    ]);
    expect(JSON.stringify(attempts)).not.toContain(OTP.username);
  });

  test("a caller for whom readCaller returns null, as for a header that is missing, is unknown", async () => {
    const set = await stage({ readCaller: ({ headers }) => headers.get("x-real-ip") as string });
    expect((await set.send("/provider/")).status).toBe(200);
    expect(set.events).toMatchObject([{ caller: "unknown" }]);
  });

  test("a request that is refused for its origin takes nothing from the budget", async () => {
    const set = await stage({ rateLimit: createRateLimit({ read: 1 }) });
    collectWarnings();
    const refused = readWith({ origin: EVIL });
    for (const _ of [1, 2]) expect((await refused(set)).status).toBe(403);
    expect((await set.send("/provider/")).status).toBe(200);
  });
});
