import { createServer } from "node:http";
import { connect } from "node:net";
import { Validator } from "@seriousme/openapi-schema-validator";
import { BankError } from "ventanilla";
import { createNodeHandler } from "ventanilla/node";
import { describe, expect, test } from "vitest";
import { describeApi } from "../../../../src/programs/cli/serve/api-description.ts";
import type { Readiness } from "../../../../src/programs/cli/serve/readiness.ts";
import type { ServeKey } from "../../../../src/programs/cli/serve/serve-settings.ts";
import { type ApiEvent, createSessionsApi } from "../../../../src/programs/cli/serve/sessions-api.ts";
import type { RateLimit } from "../../../../src/servers/relay/own-rate-limit.ts";
import { expectedId } from "../../../bank/service.ts";
import { createBrowser, SHOP, stage as stageHosted } from "../../../servers/hosted/stage.ts";
import { listen } from "../../../servers/relay/stage.ts";

const KEY = "an-api-key-of-a-test-0001";

/** The API and the pages on one port, and a back end that calls it. */
async function stage(
  {
    rateLimit = () => 0,
    keys = [{ name: "", text: KEY }],
    readReadiness = async () => ({ status: "ready" }),
  }: { rateLimit?: RateLimit; keys?: ServeKey[]; readReadiness?: () => Promise<Readiness> } = {},
  options: object = {},
) {
  const events: ApiEvent[] = [];
  let handle = async (_request: Request) => new Response();
  const origin = await listen(createServer(createNodeHandler((request) => handle(request))));
  const set = await stageHosted({ url: `${origin}/login`, ...options });
  handle = createSessionsApi({
    hosted: set.hosted,
    keys,
    readReadiness,
    rateLimit,
    describe: async () => describeApi(origin),
    onResponse: (event) => void events.push(event),
  });
  const call = async (line: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const [method = "", path = ""] = line.split(" ");
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${KEY}`,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    return { http: response.status, body: await response.json(), headers: response.headers };
  };
  const create = async (body: object = { user: "42" }) => (await call("POST /sessions", body)).body;
  return { ...set, origin, call, create, events };
}

describe("a session", () => {
  test("is made, opened, logged in, and gives its key once", async () => {
    const { call, hosted, ends } = await stage();
    const created = await call("POST /sessions", {
      user: "42",
      provider: "test",
      username: "12345",
      locale: "es",
      return_to: `${SHOP}/done`,
      expires_in: 60,
    });
    const { id, url, expires_at } = created.body;
    expect(created).toMatchObject({ http: 201, body: { status: "created" } });
    expect(Object.keys(created.body).sort()).toEqual(["expires_at", "id", "status", "url"]);
    expect(Date.parse(expires_at) - Date.now()).toBeLessThanOrEqual(60_000);
    const read = () => call(`GET /sessions/${id}`);
    const all = { id, user: "42", provider: "test", expires_at };
    expect(await read()).toMatchObject({ http: 200, body: { ...all, status: "created", over: false } });

    const browser = createBrowser();
    expect((await browser.open(url)).text).toContain('lang="es"');
    expect((await browser.logIn()).status).toBe("logged_in");
    const logged_in_at = expect.any(String);
    expect((await read()).body).toEqual({ ...all, status: "logged_in", over: true, login: expectedId, logged_in_at });
    expect(ends).toMatchObject([{ id, status: "logged_in" }]);

    const take = (recipient: string) => call(`POST /sessions/${id}/key`, undefined, { "idempotency-key": recipient });
    const key = await take("job 1");
    expect(key).toMatchObject({ http: 200, body: { key: expect.any(String) } });
    expect(key.headers.get("cache-control")).toBe("no-store");
    // The response to the first call was lost.
    expect((await take("job 1")).body).toEqual(key.body);
    expect(await take("job 2")).toMatchObject({ http: 409, body: { error: "key_unavailable" } });
    const field = "Idempotency-Key";
    expect(await call(`POST /sessions/${id}/key`)).toMatchObject({
      http: 400,
      body: { error: "missing_field", field },
    });
    await expect(hosted.takeKey(id, { idempotencyKey: "job 2" })).rejects.toMatchObject({ code: "key_unavailable" });
  });

  test("has no key before it is logged in, and is cancelled", async () => {
    const { call, create } = await stage();
    const { id } = await create();
    const early = await call(`POST /sessions/${id}/key`, undefined, { "idempotency-key": "job 1" });
    expect(early).toMatchObject({ http: 409, body: { error: "key_unavailable", message: "status created" } });
    const cancelled = await call(`DELETE /sessions/${id}`);
    expect(cancelled).toMatchObject({
      http: 200,
      body: { id, user: "42", status: "cancelled", last_step: "created" },
    });
    expect((await call(`DELETE /sessions/${id}`)).body.status).toBe("cancelled");
  });

  test("says why it failed", async () => {
    const { call, create } = await stage();
    const { id, url } = await create({ user: "42", provider: "faro_uy" });
    const browser = createBrowser();
    await browser.open(url);
    await browser.logIn("blocked", "s3creto", "faro_uy");
    expect((await call(`GET /sessions/${id}`)).body).toMatchObject({ status: "failed", failure: "user_blocked" });
  });
});

test("HEAD has the status and the headers of GET, and no body", async () => {
  const { origin, create, events } = await stage();
  const { id, url } = await create();
  const headers = { authorization: `Bearer ${KEY}` };
  for (const path of ["/health", "/ready", "/openapi.json", "/sessions?user=42", `/sessions/${id}`, "/sessions/x"]) {
    const [got, head] = [
      await fetch(`${origin}${path}`, { headers }),
      await fetch(`${origin}${path}`, { method: "HEAD", headers }),
    ];
    expect([head.status, head.headers.get("content-type")]).toEqual([got.status, got.headers.get("content-type")]);
    expect(await head.text()).toBe("");
  }
  expect(events.map(({ route }) => route)).toContain("HEAD /sessions/{id}");
  expect((await fetch(url, { method: "HEAD" })).status).toBe(200);
});

test("a server that is not ready says why to its log alone", async () => {
  const fault = new BankError("handler_failed", { field: "store" }, new Error("OOM canary"));
  const { origin, events } = await stage({ readReadiness: async () => ({ status: "store_failed", fault }) });
  const response = await fetch(`${origin}/ready`);
  expect([response.status, await response.json()]).toEqual([503, { status: "store_failed" }]);
  expect(events).toMatchObject([{ route: "GET /ready", httpStatus: 503, fault }]);
});

describe("a call that is refused", () => {
  test.each([
    ["without a key", { authorization: "" }],
    ["with another key", { authorization: `Bearer ${KEY}x` }],
    ["with the key alone", { authorization: KEY }],
    ["with the start of the key", { authorization: `Bearer ${KEY.slice(0, -1)}` }],
  ])("%s: 401, at each path and whatever the body", async (_, headers) => {
    const { call, create } = await stage();
    const { id } = await create();
    for (const line of [
      "POST /sessions",
      `GET /sessions/${id}`,
      `POST /sessions/${id}/key`,
      `DELETE /sessions/${id}`,
      "GET /sessions/x/y",
    ]) {
      const refused = await call(line, undefined, headers);
      expect(refused).toMatchObject({ http: 401, body: { error: "app_refused", message: expect.any(String) } });
      expect(refused.headers.get("www-authenticate")).toBe("Bearer");
    }
    expect((await call(`GET /sessions/${id}`)).body.status).toBe("created");
  });

  test.each([
    [{}, "missing_field", "user"],
    [{ user: "42", provider: "no bank/../" }, "invalid_input", "provider"],
    [{ user: "42", username: "[secret]" }, "secret_unavailable", "username"],
    [{ user: "42", username: "\ud800" }, "invalid_input", "username"],
    [{ user: "42", return_to: "https://evil.example/" }, "invalid_input", "return_to"],
    [{ user: "42", provider: "nowhere" }, "invalid_input", "provider"],
    [{ user: "42", when_open: "reuse" }, "invalid_input", "when_open"],
    [{ user: "42", bind_username: true }, "invalid_input", "bind_username"],
  ])("because of %j: 400, %s, names %s", async (body, error, field) => {
    const { call } = await stage();
    expect(await call("POST /sessions", body)).toMatchObject({ http: 400, body: { error, field } });
  });

  test.each([
    ["user", "must not be empty", { user: "" }],
    ["user", "must be a string", { user: 42 }],
    ["user", "must have 255 characters at most", { user: "u".repeat(10_000) }],
    ["locale", "must be a language tag, such as es-MX", { user: "42", locale: "es_MX" }],
    ["locale", "must be a language tag, such as es-MX", { user: "42", locale: "" }],
    ["return_to", "must be an address", { user: "42", return_to: "shop" }],
    ["bind_username", "must be true or false", { user: "42", bind_username: "yes" }],
    ["ignore_known_refusal", "must be true or false", { user: "42", ignore_known_refusal: 1 }],
    ["when_open", 'must be "reuse" or "cancel"', { user: "42", when_open: "twice" }],
    ["expires_in", "must be from 1 to 2147483", { user: "42", expires_in: 0 }],
    ["expires_in", "must be from 1 to 2147483", { user: "42", expires_in: 1e9 }],
    ["expires_in", "must be a number", { user: "42", expires_in: "900" }],
    ["returnTo", "is not known here", { user: "42", returnTo: "x" }],
    ["body", "must be an object", '"text"'],
    ["body", "must be an object", "null"],
    ["body", "must be an object", "[]"],
    ["body", "must be JSON", "{"],
  ])("because of its body: %s %s", async (field, message, body) => {
    const { call, events } = await stage();
    const refused = await call("POST /sessions", body);
    expect(refused).toMatchObject({ http: 400, body: { error: "invalid_input", field, message } });
    expect(events).toHaveLength(1);
  });

  test.each([
    ["user", "must be there once", "user=42&user=43"],
    ["user", "must be there once", "user=&user=43"],
    ["users", "is not known here", "user=42&users=43"],
    ["user", "must have 255 characters at most", `user=${"u".repeat(10_000)}`],
  ])("because of its query: %s %s", async (field, message, query) => {
    const { call, create } = await stage();
    await create();
    for (const method of ["GET", "DELETE"]) {
      const refused = await call(`${method} /sessions?${query}`);
      expect(refused).toMatchObject({ http: 400, body: { error: "invalid_input", field, message } });
    }
    expect((await call("GET /sessions?user=42")).body.sessions).toHaveLength(1);
  });

  test("reads no more of its body", async () => {
    const { origin } = await stage();
    const socket = connect(Number(new URL(origin).port), "127.0.0.1");
    socket.on("error", () => {});
    socket.write(
      "POST /sessions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000000000\r\n\r\n{",
    );
    let response = "";
    socket.on("data", (part) => {
      response += part;
    });
    // The server closes the connection while the caller still sends.
    const part = Buffer.alloc(64 * 1024, " ");
    while (!socket.closed && socket.writable) {
      await new Promise((resolve) => socket.write(part, resolve));
      expect(socket.bytesWritten).toBeLessThan(64 * 1024 * 1024);
    }
    expect(response).toMatch(/^HTTP\/1\.1 401 [\s\S]*connection: close/i);
  });

  test("with the scheme in any case is not refused", async () => {
    const { call } = await stage();
    for (const scheme of ["bearer", "BEARER", "Bearer"]) {
      expect((await call("POST /sessions", { user: "42" }, { authorization: `${scheme} ${KEY}` })).http).toBe(201);
    }
  });

  test("makes one session for a user and a bank with when_open", async () => {
    const { create } = await stage();
    const session = { user: "42", provider: "test", username: "12345", bind_username: true, when_open: "reuse" };
    expect(await create(session)).toEqual(await create(session));
  });

  test("says nothing of what was sent", async () => {
    const { call } = await stage();
    for (const body of [{ user: { canary: 1 } }, { user: "42", locale: "canary" }, '{"canary', '"canary"']) {
      expect(JSON.stringify((await call("POST /sessions", body)).body)).not.toContain("canary");
    }
  });

  test.each([
    ["text/plain", "{}", 415],
    ["application/x-www-form-urlencoded", "user=42", 415],
    ["application/json", JSON.stringify({ user: "x".repeat(70_000) }), 413],
  ])("because its body is %s, or too large", async (type, body, http) => {
    const { call } = await stage();
    const refused = await call("POST /sessions", body, { "content-type": type });
    expect(refused).toMatchObject({ http, body: { error: "invalid_input", field: "body" } });
  });

  test.each([
    ["GET /sessions/0123456789abcdef0123456789abcdef", 404, "session_not_found"],
    ["GET /sessions/x", 404, "session_not_found"],
    ["POST /sessions/x/key", 400, "missing_field"],
    ["DELETE /sessions/x", 404, "session_not_found"],
    ["GET /sessions/x/other", 404, "invalid_input"],
  ])("%s: %i", async (line, http, error) => {
    const { call } = await stage();
    const refused = await call(line);
    expect([refused.http, refused.body.error]).toEqual([http, error]);
  });

  test("with another method: 405, and the methods that there are", async () => {
    const { origin } = await stage();
    for (const [line, allow] of [
      ["PUT /sessions", "POST, GET, HEAD, DELETE"],
      ["PUT /sessions/x", "GET, HEAD, DELETE"],
      ["GET /sessions/x/key", "POST"],
      ["HEAD /sessions/x/key", "POST"],
      ["POST /health", "GET, HEAD"],
    ] as const) {
      const [method = "", path = ""] = line.split(" ");
      const refused = await fetch(`${origin}${path}`, { method, headers: { authorization: `Bearer ${KEY}` } });
      expect([refused.status, refused.headers.get("allow")]).toEqual([405, allow]);
    }
  });

  test.each(["GET /sessions", "DELETE /sessions", "DELETE /sessions?user=", "GET /sessions?id=7"])(
    "%s: 400, because it names no user",
    async (line) => {
      const { call } = await stage();
      expect(await call(line)).toMatchObject({ http: 400, body: { error: "missing_field", field: "user" } });
    },
  );

  test("because its user has too many: 429 with the seconds to wait", async () => {
    const { call } = await stage({ rateLimit: ({ caller }) => (caller === "user 42" ? 1500 : 0) });
    const refused = await call("POST /sessions", { user: "42" });
    expect(refused).toMatchObject({ http: 429, body: { error: "rate_limited" } });
    expect(refused.headers.get("retry-after")).toBe("2");
    expect((await call("POST /sessions", { user: "43" })).http).toBe(201);
  });

  test("because the store fails: 503, the fault is in the log alone, and the call may be repeated", async () => {
    const fails = () => {
      throw new Error("canary of the database");
    };
    const store = { read: fails, swap: fails, delete: fails, list: fails };
    const { call, events } = await stage({}, { store });
    const failed = await call("POST /sessions", { user: "42" });
    const message = "The store of the sessions is not available. Repeat the call as it was.";
    expect(failed).toMatchObject({ http: 503, body: { error: "service_unavailable", message } });
    expect(failed.headers.get("retry-after")).toBe("5");
    expect(JSON.stringify(failed.body)).not.toContain("canary");
    expect(events.at(-1)).toMatchObject({ route: "POST /sessions", httpStatus: 503, fault: { field: "store" } });
  });
});

test("the sessions of a user are listed and erased, and those of others are not", async () => {
  const { call, create } = await stage();
  const [one, other] = [await create({ user: "ana & co" }), await create({ user: "ana" })];
  const listed = await call("GET /sessions?user=ana+%26%20co");
  expect(listed).toMatchObject({
    http: 200,
    body: { sessions: [{ id: one.id, user: "ana & co", status: "created" }] },
  });
  expect(await call("DELETE /sessions?user=ana%20%26%20co")).toMatchObject({
    http: 200,
    body: { erased: 1, may_have_arrived: 0 },
  });
  expect((await call(`GET /sessions/${one.id}`)).http).toBe(404);
  expect((await call(`GET /sessions/${other.id}`)).http).toBe(200);
  expect((await call("GET /sessions?user=nobody")).body).toEqual({ sessions: [] });
});

test("a key that is not there for good comes with an address that makes a session to log in again", async () => {
  const { call, create } = await stage();
  const { id } = await create({ user: "42", provider: "test", username: "12345" });
  const take = () => call(`POST /sessions/${id}/key`, undefined, { "idempotency-key": "job 1" });
  expect((await take()).body).not.toHaveProperty("renew");
  await call(`DELETE /sessions/${id}`);
  const refused = await take();
  expect(refused).toMatchObject({ http: 409, body: { error: "key_unavailable", renew: `/sessions/${id}/renew` } });
  const renewed = await call(`POST ${refused.body.renew}`);
  expect(renewed).toMatchObject({ http: 201, body: { status: "created", url: expect.any(String) } });
  expect((await call(`GET /sessions/${renewed.body.id}`)).body).toMatchObject({ user: "42", provider: "test" });
  expect((await call("POST /sessions/0/renew")).http).toBe(404);
});

test("logging in again counts as a session of its user", async () => {
  let wait = 0;
  const { call, create } = await stage({ rateLimit: ({ caller }) => (caller === "user 42" ? wait : 0) });
  const { id } = await create();
  wait = 1500;
  expect((await call(`POST /sessions/${id}/renew`)).http).toBe(429);
});

test("a path that no browser writes names no session", async () => {
  const { origin, events } = await stage();
  const { port } = new URL(origin);
  const socket = connect(Number(port), "127.0.0.1");
  socket.write(`GET /sessions/../openapi.json HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
  for await (const _ of socket);
  expect(events).toMatchObject([{ route: "page", httpStatus: 404 }]);
});

test("a session key goes to one job of one caller: another key's same Idempotency-Key gets nothing", async () => {
  const keys = ["shop", "office", "shop"].map((name, index) => ({ name, text: `a-serve-key-of-a-test-${index}` }));
  const { call, create } = await stage({ keys: [{ name: "", text: KEY }, ...keys] });
  const { id, url } = await create();
  const browser = createBrowser();
  await browser.open(url);
  await browser.logIn();
  const take = async (index: number) => {
    const headers = { authorization: `Bearer ${keys[index]?.text ?? KEY}`, "idempotency-key": "job 1" };
    const { http, body } = await call(`POST /sessions/${id}/key`, undefined, headers);
    return [http, body.key ?? body.error];
  };
  const first = await take(0);
  expect(first).toEqual([200, expect.any(String)]);
  expect(await take(1)).toEqual([409, "key_unavailable"]);
  // The key without a name.
  expect(await take(3)).toEqual([409, "key_unavailable"]);
  // While a key is replaced, both have its name.
  expect(await take(2)).toEqual(first);
});

test("of several keys each is taken, and the log names the one that was sent, and the session", async () => {
  const keys = [
    { name: "shop", text: "key-of-the-shop-0001" },
    { name: "office", text: "key-of-the-office-01" },
  ];
  const { call, events } = await stage({ keys });
  const made = await call("POST /sessions", { user: "42" }, { authorization: "Bearer key-of-the-shop-0001" });
  const { id } = made.body;
  await call(`GET /sessions/${id}`, undefined, { authorization: "Bearer key-of-the-office-01" });
  await call(`GET /sessions/${id}`, undefined, { authorization: "Bearer key-of-nobody-0001" });
  await call(`POST /sessions/${id}/key`, undefined, {
    authorization: "Bearer key-of-the-office-01",
    "idempotency-key": "1",
  });
  await call("GET /sessions?user=42", undefined, { authorization: "Bearer key-of-the-office-01" });
  expect(events).toMatchObject([
    { httpStatus: 201, serveKey: "shop", session: id, user: "42" },
    { httpStatus: 200, serveKey: "office", session: id, user: "42" },
    { httpStatus: 401 },
    { httpStatus: 409, serveKey: "office", session: id, user: "42", error: "key_unavailable" },
    { httpStatus: 200, serveKey: "office", user: "42" },
  ]);
  for (const member of ["session", "user"]) expect(events[2]).not.toHaveProperty(member);
  expect(JSON.stringify(events)).not.toContain("key-of-");
});

test("a request has the id that its proxy has given it, or a new one", async () => {
  const { call, events } = await stage();
  const given = await call("GET /health", undefined, { "x-request-id": "4bf92f35-77b3" });
  const made = await call("GET /health", undefined, { "x-request-id": "not one\t" });
  expect([given, made].map(({ headers }) => headers.get("x-request-id"))).toEqual(
    events.map(({ requestId }) => requestId),
  );
  expect(events.map(({ requestId }) => requestId)).toEqual(["4bf92f35-77b3", expect.stringMatching(/^[\da-f-]{36}$/)]);
});

test("the log has routes and sessions, and neither the token nor the query of an address", async () => {
  const { call, create, events, origin } = await stage();
  const { id, url } = await create();
  const token = url.split("/").at(-1);
  await createBrowser().open(url);
  await call(`GET /sessions/${id}?canary=1`);
  await fetch(`${origin}/login/${token}?canary`);
  expect(events.map(({ route }) => route)).toEqual(["POST /sessions", "page", "GET /sessions/{id}", "page"]);
  expect(events.map(({ session }) => session)).toEqual([id, undefined, id, undefined]);
  for (const word of [token, "canary"]) expect(JSON.stringify(events)).not.toContain(word);
});

describe("the description", () => {
  test("is OpenAPI, by a validator, and needs no key", async () => {
    const { call } = await stage();
    const { http, body } = await call("GET /openapi.json", undefined, { authorization: "" });
    expect(http).toBe(200);
    expect(body.openapi).toBe("3.1.0");
    const result = await new Validator().validate(body);
    expect(result).toMatchObject({ valid: true });
  });

  test("has the calls and the members of the API, as docs/hosted.md has them", () => {
    const { paths, components } = describeApi("http://127.0.0.1:1");
    const calls = Object.entries(paths).flatMap(([path, methods]) =>
      ["get", "post", "delete"].flatMap((method) => (method in methods ? [`${method} ${path}`] : [])),
    );
    expect(calls).toEqual([
      "get /sessions",
      "post /sessions",
      "delete /sessions",
      "get /sessions/{id}",
      "delete /sessions/{id}",
      "post /sessions/{id}/key",
      "post /sessions/{id}/renew",
      "get /openapi.json",
      "get /health",
      "get /ready",
    ]);
    expect(components.schemas["NewSession"]).toMatchObject({
      required: ["user"],
      additionalProperties: false,
    });
    expect(components.schemas["Session"]).toMatchObject({
      required: ["id", "user", "status", "over", "expires_at"],
      properties: { failure: { $ref: "#/components/schemas/Code" }, provider: {} },
    });
    // A later version may have more codes.
    expect(components.schemas["Code"]).toMatchObject({ anyOf: [{ enum: expect.any(Array) }, { type: "string" }] });
  });

  test("says each thing once, and refers to it", () => {
    const description = describeApi("http://127.0.0.1:1");
    const text = JSON.stringify(description);
    expect(description.components.schemas["Sessions"]).toMatchObject({
      properties: { sessions: { items: { $ref: "#/components/schemas/Session" } } },
    });
    // The list of all codes is long.
    expect(text.split('"wrong_credentials"')).toHaveLength(2);
    const references = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
    for (const [, kind = "", name = ""] of references) {
      expect(Object.keys(description.components[kind as "schemas"])).toContain(name);
    }
  });

  test("tells that the server responds", async () => {
    const { call } = await stage();
    expect(await call("GET /health", undefined, { authorization: "" })).toMatchObject({
      http: 200,
      body: { status: "ok" },
    });
  });
});
