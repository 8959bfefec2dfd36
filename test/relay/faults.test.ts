import { BankError, createBankClient, type FailureCode, secret } from "ventanilla";
import type { RelayOptions } from "ventanilla/relay";
import { afterEach, describe, expect, test, vi } from "vitest";
import { API_KEY, form, PLAIN, stage, startService } from "./stage.ts";

afterEach(() => void vi.useRealTimers());

const json = (body: unknown, http = 200, headers: Record<string, string> = {}) =>
  Response.json(body, { status: http, headers });

/** A service that always gives one answer, with a relay before it. */
async function behind(answer: () => Response | Promise<Response>, options: Partial<RelayOptions> = {}) {
  return stage(options, { bank: await startService(async () => answer()) });
}

/** What went wrong, as the browser's client tells it. */
async function readFailure(call: Promise<unknown>) {
  try {
    return await call;
  } catch (error) {
    if (error instanceof BankError)
      return { code: error.code, httpStatus: error.httpStatus, retryAfter: error.retryAfter };
    throw error;
  }
}

describe("a fault of the service is the browser's fault of the same kind, and the relay's owner hears which it was", () => {
  const UNAVAILABLE = { code: "service_unavailable", httpStatus: 502 };
  const http = (status: number, headers: Record<string, string> = {}) => new Response("", { status, headers });
  const later = { "retry-after": "7" };

  type Row = readonly [string, () => Response, { code: string; httpStatus: number; retryAfter?: number }, string];
  const rows: readonly Row[] = [
    [
      "HTML with HTTP 503",
      () => new Response("<h1>", { status: 503 }),
      { ...UNAVAILABLE, httpStatus: 503 },
      "service_unavailable",
    ],
    [
      "HTTP 503 with Retry-After",
      () => http(503, later),
      { ...UNAVAILABLE, httpStatus: 503, retryAfter: 7000 },
      "service_unavailable",
    ],
    [
      "HTTP 429 with Retry-After",
      () => http(429, later),
      { code: "rate_limited", httpStatus: 429, retryAfter: 7000 },
      "rate_limited",
    ],
    ["HTTP 421, after which Node's fetch by itself sends a login again", () => http(421), UNAVAILABLE, "http_failed"],
    ["HTTP 500", () => http(500), UNAVAILABLE, "http_failed"],
    ["HTTP 401", () => http(401), UNAVAILABLE, "access_refused"],
    ["no JSON", () => new Response("hello"), UNAVAILABLE, "response_unreadable"],
    ["a redirect", () => http(302, { location: "https://evil.example/" }), UNAVAILABLE, "redirect_refused"],
    ["no key in logged_in", () => json({ status: "logged_in" }), UNAVAILABLE, "response_against_contract"],
    [
      "no key with a question",
      () => json({ status: "interaction_required", field: "otp" }),
      UNAVAILABLE,
      "response_against_contract",
    ],
    ["too much", () => json({ status: "x", more: "x".repeat(2 ** 22) }), UNAVAILABLE, "response_too_large"],
    [
      "that it misses the API key",
      () => json({ status: "error", message: "Missing API key" }, 401),
      UNAVAILABLE,
      "access_refused",
    ],
    [
      "that it does not know the API key",
      () => json({ status: "error", message: "Key not found" }, 403),
      UNAVAILABLE,
      "access_refused",
    ],
  ];
  test.each(rows)("%s", async (_, answer, failure, own) => {
    const set = await behind(answer);
    expect(await readFailure(set.browser().login(PLAIN))).toEqual({ retryAfter: undefined, ...failure });
    expect(set.errors.map(({ code }) => code)).toEqual([own]);
    expect(set.events).toMatchObject([{ route: "POST /login/", httpStatus: failure.httpStatus, reason: own }]);
    expect(set.events[0]).not.toHaveProperty("status");
    expect(set.bank.requests).toHaveLength(1);
    expect(set.logins).toEqual([]);
  });

  test("no answer in time", async () => {
    const bank = await startService(() => new Promise(() => undefined));
    const client = createBankClient({ baseUrl: bank.url, apiKey: API_KEY, timeout: { login: 500 } });
    const set = await stage({ client }, { bank });
    expect(await readFailure(set.browser().login(PLAIN))).toMatchObject({
      code: "service_unavailable",
      httpStatus: 504,
    });
    expect(set.errors.map(({ code }) => code)).toEqual(["request_timed_out"]);
    expect(bank.requests).toHaveLength(1);
  });

  test("nobody there", async () => {
    const client = createBankClient({ baseUrl: "http://127.0.0.1:1", apiKey: API_KEY });
    const set = await stage({ client });
    expect(await readFailure(set.browser().login(PLAIN))).toMatchObject({
      code: "service_unavailable",
      httpStatus: 502,
    });
    expect(set.errors.map(({ code }) => code)).toEqual(["network_failed"]);
  });
});

describe("a refusal is the browser's refusal of the same name", () => {
  type Row = readonly [status: FailureCode, body: Record<string, unknown>, http: number];
  const rows: readonly Row[] = [
    ["wrong_credentials", { status: "wrong_credentials", message: "no" }, 403],
    ["wrong_credentials", { status: "error", code: "B1001" }, 403],
    ["missing_credentials", { status: "missing_credentials" }, 400],
    ["provider_doesnt_exist", { status: "provider_doesnt_exist" }, 404],
    ["user_blocked", { status: "user_blocked" }, 403],
    ["max_sessions_reached", { status: "max_sessions_reached", key: "k" }, 403],
    ["provider_unavailable", { status: "provider_unavailable" }, 503],
    ["missing_params", { status: "missing_params" }, 400],
    ["not_implemented", { status: "not_implemented" }, 501],
    ["wrong_answer", { status: "error", code: "B1002" }, 403],
    ["missing_answer", { status: "error", code: "B1003" }, 400],
    ["wrong_answer", { status: "error", code: "B1004" }, 403],
    ["missing_answer", { status: "error", code: "B1005" }, 400],
    ["provider_session_expired", { status: "error", code: "B1006" }, 403],
    ["provider_login_failed", { status: "error", code: "B1007" }, 403],
    ["password_change_required", { status: "error", code: "B1008" }, 403],
    ["logout_failed", { status: "error", code: "B1009" }, 403],
    ["wrong_client", { status: "error", code: "B1010" }, 404],
    ["invalid_key", { status: "error", message: "Invalid key" }, 403],
    ["unauthorized_provider", { status: "error", message: "Unauthorized provider" }, 403],
  ];
  test.each(rows)("%s from %o", async (status, body, http) => {
    const set = await behind(() => json({ ...body, description: "internal detail", trace: "internal detail" }));
    expect(await set.browser().login(PLAIN)).toMatchObject({ status, httpStatus: http });
    expect(set.traffic[0]?.response.text).not.toContain("internal");
    expect(set.errors).toEqual([]);
  });

  test.each([
    ["new_status", "new_status"],
    ["New status: 4f0c", "error"],
  ])("an unknown status %s goes on as %s", async (sent, expected) => {
    const set = await behind(() => json({ status: sent }));
    expect(await set.browser().login(PLAIN)).toMatchObject({ status: "unexpected_status", wire: { status: expected } });
  });
});

describe("nothing but the documented members passes", () => {
  test("of a bank", async () => {
    const field = {
      name: "otp",
      type: "text",
      interactive: true,
      optional: false,
      label_en: "Code",
      label_es: null,
      secret: 1,
    };
    const choices = [{ name: "a", label_en: "A", internal: 1 }];
    const set = await behind(() =>
      json({
        status: "success",
        trace: "internal",
        provider: {
          name: "Bank",
          country: "UY",
          auth_fields: [field, { name: "type", type: "choice", choices, default: "a" }],
          account_type: [{ name: "pers", label_en: "Personal", internal: 1 }],
          logo: "https://bank.example/logo.svg",
          bank: { internal: 1 },
          methods: null,
        },
      }),
    );
    expect(await (await set.send("/provider/test/")).json()).toEqual({
      status: "success",
      provider: {
        name: "Bank",
        country: "UY",
        auth_fields: [
          { name: "otp", type: "text", interactive: true, optional: false, label_en: "Code" },
          {
            name: "type",
            type: "choice",
            interactive: false,
            optional: false,
            choices: [{ name: "a", label_en: "A" }],
            default: "a",
          },
        ],
        account_type: [{ name: "pers", label_en: "Personal" }],
        logo: "https://bank.example/logo.svg",
      },
    });
  });

  test.each([["javascript:alert(1)"], ["data:text/html,x"], [null], [undefined]])(
    "a logo %s is left out",
    async (logo) => {
      const set = await behind(() => json({ status: "success", provider: { name: "Bank", auth_fields: [], logo } }));
      expect(await (await set.send("/provider/test/")).json()).toEqual({
        status: "success",
        provider: { name: "Bank", country: "", auth_fields: [], account_type: [] },
      });
    },
  );

  test("of lists", async () => {
    const set = await behind(() =>
      json({ status: "success", providers: [{ code: "a", country: "UY", name: "A", internal: 1 }] }),
    );
    expect(await (await set.send("/provider/")).json()).toEqual({
      status: "success",
      providers: [{ code: "a", country: "UY", name: "A" }],
    });
  });

  test("dependent choices are narrowed", async () => {
    const set = await stage();
    const answer = await set.browser().getProvider("puente_co", { choice: { field: "country_code", value: "CO" } });
    expect(answer.status).toBe("success");
    expect(set.bank.requests[0]?.url.search).toBe("?key=country_code&value=CO");
    expect((await set.send("/provider/puente_co/?key=country_code")).status).toBe(400);
  });
});

describe("a function of the owner's that throws", () => {
  const cause = new RangeError("no such table");
  const broken = () => {
    throw cause;
  };
  test.each([
    ["onLogin", { onLogin: broken }, 1, cause],
    ["onLogin", { onLogin: async () => broken() }, 1, cause],
    // It could read the whole request, and nothing of that is known yet.
    ["readCaller", { readCaller: broken }, 0, undefined],
    ["rateLimit", { rateLimit: async () => broken() }, 0, cause],
    ["claimStore", { claimStore: { claim: broken } }, 0, cause],
  ])("%s ends the request with HTTP 500, and onError gets its error", async (field, options, sent, shown) => {
    const set = await stage(options);
    expect(await readFailure(set.browser().login(PLAIN))).toMatchObject({ code: "http_failed", httpStatus: 500 });
    expect(set.errors.map(String)).toEqual([`HandlerError: handler_failed: ${field}: threw RangeError`]);
    expect(set.errors.map((error) => error.cause)).toEqual([shown]);
    expect(set.bank.requests).toHaveLength(sent);
  });

  test("a given client that throws anything", async () => {
    const client = {
      ...createBankClient({ baseUrl: "http://127.0.0.1:1", apiKey: API_KEY }),
      login: async () => broken(),
    };
    const set = await stage({ client });
    expect(await readFailure(set.browser().login(PLAIN))).toMatchObject({ code: "http_failed", httpStatus: 500 });
    expect(set.errors).toMatchObject([{ code: "handler_failed", field: "client" }]);
  });

  test.each([broken, async () => broken()])(
    "onEvent changes no response, and onError gets its error",
    async (onEvent) => {
      const set = await stage({ onEvent });
      expect((await set.send("/login/", form(PLAIN))).status).toBe(200);
      expect(set.errors).toMatchObject([{ code: "handler_failed", field: "onEvent", cause }]);
    },
  );

  test("a log that throws changes nothing", async () => {
    const set = await stage({ onEvent: broken, onError: async () => broken() });
    expect((await set.send("/login/", form(PLAIN))).status).toBe(200);
    const other = await behind(() => new Response("", { status: 500 }), {
      onEvent: async () => broken(),
      onError: broken,
    });
    expect((await other.send("/login/", form(PLAIN))).status).toBe(502);
  });
});

test("the server is told of a login before the browser is", async () => {
  const order: string[] = [];
  let store: () => void = () => undefined;
  const stored = new Promise<void>((resolve) => {
    store = resolve;
  });
  const set = await stage({
    onLogin: async ({ provider, request }) => {
      order.push(`${provider} ${request.headers.get("origin")}`);
      store();
      await new Promise((resolve) => setImmediate(resolve));
      order.push("stored");
    },
  });
  const answer = set.send("/login/", form(PLAIN)).then(() => order.push("answered"));
  await stored;
  await answer;
  expect(order).toEqual(["test https://shop.example", "stored", "answered"]);
});

test("a value that is nothing but a secret's mask is not sent to the bank", async () => {
  const set = await stage();
  const answer = await set.send("/login/", form({ ...PLAIN, password: String(secret("x")) }));
  expect(answer.status).toBe(400);
  expect(set.bank.requests).toEqual([]);
});
