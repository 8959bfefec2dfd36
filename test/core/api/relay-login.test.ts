import { createRelayClient, type RelayClientOptions, reveal, secret } from "ventanilla";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { formatRelayKey, parseRelayKey } from "../../../src/core/api/relay-login.ts";
import { freezeTime } from "./clock.ts";
import { readFault } from "./faults.ts";
import { FORM } from "./local-bank.ts";

// What the client of a relay says of a login, and what it does when a response is lost. What the relay makes of it: test/servers/relay.

const ID = "0b9a4c1e-6f0d-4a53-8f5e-0123456789ab";
const TOKEN = "t".repeat(43);
const QUESTION = formatRelayKey({ id: ID, token: TOKEN, last: 1, step: "step-1" });

type Respond = (init: RequestInit) => Response | Promise<Response>;

/** A response of the relay, with the number of the last submit that it knows. */
const says =
  (
    body: object,
    { http = 200, last, headers }: { http?: number; last?: number; headers?: Record<string, string> } = {},
  ): Respond =>
  () =>
    Response.json(body, {
      status: http,
      headers: { "x-ventanilla": "1", ...(last !== undefined && { "x-ventanilla-submit": String(last) }), ...headers },
    });
const elsewhere =
  (http: number): Respond =>
  () =>
    new Response("<html>", { status: http });
const reset: Respond = () => {
  throw new TypeError("Failed to fetch");
};

/** A relay without a wire that responds so in turn, the last one again and again. */
function createPage(responses: readonly Respond[], options: Partial<RelayClientOptions> = {}) {
  const start = Date.now();
  const requests: { line: string; headers: Headers; body: string; at: number }[] = [];
  const client = createRelayClient({
    baseUrl: "https://relay.example",
    retry: false,
    fetch: async (input, init = {}) => {
      const headers = new Headers(init.headers);
      const line = `${init.method} ${new URL(String(input)).pathname}`;
      requests.push({
        line,
        headers,
        body: init.body ? await new Response(init.body).text() : "",
        at: Date.now() - start,
      });
      const respond = responses[requests.length - 1] ?? responses.at(-1) ?? reset;
      return respond(init);
    },
    ...options,
  });
  const named = () =>
    requests.map(({ line, headers }) => [
      line,
      ...["login", "token", "submit"].map((name) => headers.get(`x-ventanilla-${name}`)),
      headers.get("x-session-key"),
    ]);
  return { client, requests, named };
}

beforeEach(() => freezeTime());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** What a call ends with, however long it waits. */
async function end<Reply>(call: Promise<Reply>): Promise<Reply> {
  call.catch(() => {});
  await vi.advanceTimersByTimeAsync(400_000);
  return call;
}

type Page = ReturnType<typeof createPage>["client"];
type Submit = (
  client: Page,
  options?: { key?: string; timeout?: number; signal?: AbortSignal },
) => Promise<{ readonly status: string }>;

/** Each request that is sent once, from a key with the number 1. */
const submits = {
  "POST /login/": (client, options = {}) => client.login({ ...FORM, otp: "8888" }, { key: QUESTION, ...options }),
  "GET /client/7/": (client, options = {}) => client.selectClient(QUESTION, "7", options),
  "GET /logout/": (client, options = {}) => client.logout(QUESTION, options),
} satisfies Readonly<Record<string, Submit>>;
const rows: readonly (readonly [string, Submit])[] = Object.entries(submits);
const success: Readonly<Record<string, { readonly status: string; readonly key?: string }>> = {
  "POST /login/": { status: "logged_in", key: "step-2" },
  "GET /client/7/": { status: "success", key: "step-2" },
  "GET /logout/": { status: "logged_out" },
};

describe("the key that a relay's client gives out", () => {
  test.each([
    ["with a step", { id: ID, token: TOKEN, last: 1, step: "step-1" }],
    ["without a step", { id: ID, token: TOKEN, last: 9_999 }],
    // In the page of a session its cookie takes the place of the token.
    ["without a token", { id: "a".repeat(32), token: "", last: 3, step: "step-3" }],
  ])("is all that the next request says: %s", (_, login) => {
    expect(parseRelayKey(formatRelayKey(login))).toEqual(login);
  });

  test.each([
    ["a text", "a-key-canary"],
    ["nothing", ""],
    ["the name of a step", "step-1"],
    ["a token", `${ID}.${TOKEN}`],
    ["one with more", `${QUESTION}.more`],
    ["one without a number", `${ID}.${TOKEN}.one.step-1`],
  ])("is not %s: nothing is sent, and the text is not repeated", async (_, key) => {
    const { client, requests } = createPage([]);
    const calls = [
      client.login(FORM, { key }),
      client.listTransferDestinations(key),
      client.listClients(key),
      client.selectClient(key, "7"),
      client.logout(key),
    ];
    for (const call of calls) {
      const fault = await readFault(call);
      expect(fault).toMatchObject({ code: "invalid_input", field: "key" });
      if (key !== "") expect(fault.message).not.toContain(key);
    }
    expect(requests).toEqual([]);
  });

  test("goes on at any client of the same relay", async () => {
    const asks = { status: "interaction_required", key: "step-1", field: "otp", context: "Code?" };
    const first = createPage([says(asks, { last: 1 })]);
    const asked = await first.client.login(FORM, { login: { id: ID, token: secret(TOKEN) } });
    if (asked.status !== "interaction_required" || !asked.key) throw new Error(asked.status);
    expect(reveal(asked.key)).toBe(QUESTION);
    const second = createPage([says({ status: "logged_in", key: "step-2" }, { last: 2 })]);
    const session = await second.client.login({ ...FORM, otp: "8888" }, { key: asked.key });
    if (session.status !== "logged_in" || !session.key) throw new Error(session.status);
    const third = createPage([says({ status: "success", destinations: [] })]);
    await third.client.listTransferDestinations(session.key);
    expect([first, second, third].flatMap(({ named }) => named())).toEqual([
      ["POST /login/", ID, TOKEN, "1", null],
      ["POST /login/", ID, TOKEN, "2", "step-1"],
      ["GET /transfer/destinations", ID, TOKEN, null, "step-2"],
    ]);
    // The record has the user name and the password.
    expect(second.requests[0]?.body).toBe(`provider=${FORM.provider}&otp=8888`);
  });

  test("has the number that the relay has told: another tab has sent some", async () => {
    const { client, named } = createPage([
      says({ status: "error", message: "wrong_client", key: "step-5" }, { last: 5 }),
      says({ status: "success", key: "step-6" }, { last: 6 }),
    ]);
    const refused = await client.selectClient(QUESTION, "7");
    if (refused.status !== "wrong_client" || !refused.key) throw new Error(refused.status);
    await client.selectClient(refused.key, "8");
    expect(named()).toEqual([
      ["GET /client/7/", ID, TOKEN, "2", "step-1"],
      ["GET /client/8/", ID, TOKEN, "6", "step-5"],
    ]);
  });
});

test.each([
  ["with crypto", () => {}],
  ["without crypto, as in React Native,", () => vi.stubGlobal("crypto", undefined)],
])("%s each login has an id and a token of its own", async (_, stub) => {
  stub();
  const { client, named } = createPage([says({ status: "wrong_credentials" }, { http: 403, last: 1 })]);
  for (const _ of [1, 2, 3]) await client.login(FORM);
  const names = named();
  for (const [line, id, token, ...others] of names) {
    expect(line).toBe("POST /login/");
    expect(id).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(others).toEqual(["1", null]);
  }
  expect(new Set(names.flatMap((one) => one.slice(1, 3))).size).toBe(6);
});

describe("a response that is lost", () => {
  const losses: readonly (readonly [string, Respond])[] = [
    ["a reset", reset],
    ...[403, 500, 502, 503, 504].map((http) => [`HTTP ${http} of a proxy`, elsewhere(http)] as const),
    ["a page", elsewhere(200)],
    ["half a body", () => new Response('{"status":', { headers: { "x-ventanilla": "1" } })],
    ["a response that is not the relay's", () => Response.json({ status: "unknown_submit" }, { status: 404 })],
    // Eighty seconds are over, and the bank still works.
    ["HTTP 503 of the relay, without a number", says({ error: "service_unavailable" }, { http: 503 })],
  ];
  const cases = rows.flatMap(([line, submit]) => losses.map(([name, lose]) => [line, name, submit, lose] as const));
  test.each(cases)("of %s by %s: it asks, and sends nothing again", async (line, _, submit, lose) => {
    const { client, named } = createPage([lose, says(success[line] ?? {}, { last: 2 })]);
    expect(await end(submit(client))).toMatchObject({ status: success[line]?.status });
    expect(named()).toEqual([
      [line, ID, TOKEN, "2", "step-1"],
      ["GET /submit/", ID, TOKEN, "2", null],
    ]);
  });

  const passing = losses.filter(
    ([name]) => !["HTTP 403 of a proxy", "a page", "a response that is not the relay's"].includes(name),
  );
  test.each(passing)("is asked for again after %s", async (_, lose) => {
    const { client, requests } = createPage([reset, lose, lose, says(success["POST /login/"] ?? {}, { last: 2 })]);
    expect(await end(submits["POST /login/"](client))).toMatchObject({ status: "logged_in" });
    expect(requests).toHaveLength(4);
  });

  test.each([
    [403, 2],
    [502, 30],
  ])("is the fault if only a proxy responds, with HTTP %i: the bank may have got the login", async (http, count) => {
    const { client, requests } = createPage([elsewhere(http)]);
    const fault = await readFault(end(submits["POST /login/"](client)));
    expect(fault).toMatchObject({ code: "outcome_unknown", httpStatus: http, request: "POST /login/" });
    expect(requests).toHaveLength(count);
  });

  test.each([
    ["that nobody is signed in", { error: "not_signed_in" }, 401],
    ["nothing of a login that it does not know", { error: "outcome_unknown" }, 409],
  ])("is not asked for again if the relay says %s", async (_, body, http) => {
    const { client, requests } = createPage([reset, says(body, { http })]);
    expect(await readFault(end(submits["POST /login/"](client)))).toMatchObject({ httpStatus: http });
    expect(requests).toHaveLength(2);
  });

  test("is asked for again after a limit of the relay's", async () => {
    const limited = says({ error: "rate_limited" }, { http: 429, headers: { "retry-after": "20" } });
    const { client, requests } = createPage([reset, limited, says(success["POST /login/"] ?? {}, { last: 2 })]);
    expect(await end(submits["POST /login/"](client))).toMatchObject({ status: "logged_in" });
    expect(requests.map(({ at }) => at)).toEqual([0, 3_000, 23_000]);
  });

  test.each(rows)("of %s is asked for until the time-out of the call", async (line, submit) => {
    const { client, requests } = createPage([reset]);
    const timeout = 60_000;
    expect(await readFault(end(submit(client, { timeout })))).toMatchObject({ code: "network_failed" });
    expect(requests.map((request) => request.line)).toEqual([line, ...Array(19).fill("GET /submit/")]);
    expect(requests.at(-1)?.at).toBe(57_000);
  });

  test("is not asked for after an abort", async () => {
    const caller = new AbortController();
    const { client, requests } = createPage([reset]);
    const call = readFault(submits["POST /login/"](client, { signal: caller.signal }));
    await vi.advanceTimersByTimeAsync(1_000);
    caller.abort();
    expect(await call).toMatchObject({ code: "request_aborted" });
    expect(requests).toHaveLength(1);
  });

  test.each(rows)("of %s that has not come: nothing was sent, and the key sends it again", async (line, submit) => {
    const { client, named } = createPage([
      reset,
      says({ status: "unknown_submit" }, { http: 404, last: 2 }),
      says(success[line] ?? {}, { last: 3 }),
    ]);
    const fault = await readFault(end(submit(client)));
    expect(fault).toMatchObject({ code: "network_failed", detail: "NOT_RECEIVED" });
    expect(fault.request).not.toBe("GET /submit/");
    const key = reveal(fault.key ?? secret("none"));
    expect(parseRelayKey(key)).toEqual({ id: ID, token: TOKEN, last: 2, step: "step-1" });
    await submit(client, line === "POST /login/" ? { key } : {}).catch(() => {});
    expect(named().slice(0, 2)).toEqual([
      [line, ID, TOKEN, "2", "step-1"],
      ["GET /submit/", ID, TOKEN, "2", null],
    ]);
    if (line === "POST /login/") expect(named()[2]).toEqual([line, ID, TOKEN, "3", "step-1"]);
  });
});

describe("what a relay itself says of a submit", () => {
  test.each([
    [409, "outcome_unknown"],
    [429, "rate_limited"],
    [503, "service_unavailable"],
    [502, "service_unavailable"],
  ] as const)("with HTTP %i is %s at once: it knows the submit, and asking would say the same", async (http, code) => {
    const { client, requests } = createPage([says({ error: code }, { http, last: 2 })]);
    expect(await readFault(submits["POST /login/"](client))).toMatchObject({ httpStatus: http });
    expect(requests).toHaveLength(1);
  });

  test("after a lost response is told as the response to it", async () => {
    const { client, requests } = createPage([reset, says({ error: "service_unavailable" }, { http: 503, last: 2 })]);
    const fault = await readFault(end(submits["POST /login/"](client)));
    expect(fault).toMatchObject({ code: "service_unavailable", httpStatus: 503 });
    expect(requests).toHaveLength(2);
  });
});

describe("readLogin", () => {
  const login = { id: ID, token: secret(`${TOKEN}.1`) };

  test("asks for the submit after the last one, again as long as no relay says anything", async () => {
    const asks = { status: "interaction_required", key: "step-2", field: "otp", context: "Code?" };
    const { client, named } = createPage([reset, elsewhere(502), says(asks, { last: 2 })]);
    const read = await end(client.readLogin(login));
    if (read.status !== "interaction_required" || !read.key) throw new Error(read.status);
    expect(parseRelayKey(reveal(read.key))).toEqual({ id: ID, token: TOKEN, last: 2, step: "step-2" });
    expect(named()).toEqual(Array(3).fill(["GET /submit/", ID, TOKEN, "2", null]));
  });

  test("says that the submit has not come", async () => {
    const { client } = createPage([says({ status: "unknown_submit" }, { http: 404, last: 2 })]);
    expect(await client.readLogin(login)).toEqual({ status: "unknown_submit" });
  });

  test.each([
    ["of a choice that has reached its session", { status: "success", key: "step-2" }, "logged_in"],
    ["of a choice that was refused", { status: "error", message: "wrong_client", key: "step-2" }, "select_client"],
  ])("has the state of the login: %s", async (_, body, status) => {
    const { client } = createPage([says(body, { last: 2 })]);
    expect(await client.readLogin(login)).toMatchObject({ status, key: expect.anything() });
  });
});

test("cancelLogin says the name alone, without a number or a step", async () => {
  const { client, named } = createPage([says({ status: "cancelled", may_have_arrived: false })]);
  await client.cancelLogin({ id: ID, token: secret(`${TOKEN}.4`) });
  expect(named()).toEqual([["POST /cancel/", ID, TOKEN, null, null]]);
});

test("in the page of a session each request has the session's id and number, and no token", async () => {
  const session = { id: "a".repeat(32), lastSubmit: 4 };
  const asks = { status: "interaction_required", key: "step-5", field: "otp", context: "Code?" };
  const { client, named } = createPage([says(asks, { last: 5 }), says(success["POST /login/"] ?? {}, { last: 6 })], {
    session,
  });
  const asked = await client.login(FORM);
  if (asked.status !== "interaction_required" || !asked.key) throw new Error(asked.status);
  await client.login({ ...FORM, otp: "8888" }, { key: asked.key });
  expect(named()).toEqual([
    ["POST /login/", session.id, null, "5", null],
    ["POST /login/", session.id, null, "6", "step-5"],
  ]);
});
