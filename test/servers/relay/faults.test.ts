import { type BankClient, BankError, createBankClient, type FailureCode, type FaultCode, secret } from "ventanilla";
import type { RelayOptions } from "ventanilla/relay";
import { createMemoryStore } from "ventanilla/tokens";
import { describe, expect, test } from "vitest";
import type { FaultDetails } from "../../../src/core/api/errors.ts";
import { startService } from "../../bank/service.ts";
import { readFailure } from "../../core/pause/paused.ts";
import { API_KEY, form, PLAIN, stage } from "./stage.ts";

/** A relay in front of a service that always responds with this. */
const stageBefore = async (body: unknown) => stage({}, { bank: await startService(() => ({ json: body })) });

/** A relay whose own client has these functions. */
const stageClient = (functions: Partial<BankClient>, options: Partial<RelayOptions> = {}) =>
  stage({
    ...options,
    client: { ...createBankClient({ baseUrl: "http://127.0.0.1:1", apiKey: API_KEY }), ...functions },
  });

describe("a fault of the service becomes one of the browser's client, and onError gets which it was:", () => {
  type Shown = readonly [httpStatus: number, code: FaultCode];
  type Row = readonly [own: FaultCode, details: FaultDetails, login: Shown, read?: Shown];
  const unknown: Shown = [409, "outcome_unknown"];
  const down = (httpStatus: number): Shown => [httpStatus, "service_unavailable"];
  const report: Shown = [500, "http_failed"];
  const rows: readonly Row[] = [
    ["network_failed", {}, unknown, down(502)],
    ["network_failed", { detail: "UND_ERR_SOCKET" }, unknown, down(502)],
    ["network_failed", { detail: "ECONNREFUSED" }, down(502)],
    // 301, 307 and 308 name the right address; the others also follow a form that was taken.
    ["redirect_refused", { httpStatus: 301 }, report],
    ["redirect_refused", { httpStatus: 307 }, report],
    ["redirect_refused", { httpStatus: 308 }, report],
    ["redirect_refused", { httpStatus: 302 }, unknown, report],
    ["redirect_refused", { httpStatus: 303 }, unknown, report],
    ["response_against_contract", {}, unknown, down(502)],
    ["http_failed", { httpStatus: 401 }, report],
    ["service_unavailable", { httpStatus: 503 }, down(503)],
    ["service_unavailable", { httpStatus: 503, retryAfter: 7000 }, down(503)],
    ["request_timed_out", {}, unknown, down(504)],
    ["rate_limited", { httpStatus: 429, retryAfter: 7000 }, [429, "rate_limited"]],
    ["outcome_unknown", {}, unknown],
    ["unexpected_fault", {}, report],
  ];
  test.for(rows)("%s, $1, is $2", async ([own, details, login, read = login]) => {
    const fail = (request: string) => () => Promise.reject(new BankError(own, { ...details, request }));
    const set = await stageClient({ login: fail("POST /login/"), listProviders: fail("GET /provider/") });
    for (const [send, route, [httpStatus, code]] of [
      [() => set.browser().login(PLAIN), "POST /login/", login],
      [() => set.browser().listProviders(), "GET /provider/", read],
    ] as const) {
      expect(await readFailure(send())).toMatchObject({ code, httpStatus });
      expect(set.traffic.pop()?.response.headers.get("retry-after")).toBe(details.retryAfter ? "7" : null);
      expect(set.errors.pop()?.code).toEqual(own);
      expect(set.events.pop()).toEqual(expect.objectContaining({ route, httpStatus, reason: own }));
    }
    expect(set.events).toEqual([]);
    expect(set.logins).toEqual([]);
  });

  const noKey = ["response_against_contract", ...unknown] as const;
  const noAccess = ["http_failed", ...report] as const;
  test.each([
    ["logged_in without a key", { status: "logged_in" }, noKey],
    ["a question without a key", { status: "interaction_required", field: "otp" }, noKey],
    ["no API key", { status: "error", message: "Missing API key" }, noAccess],
    ["an unknown API key", { status: "error", message: "Key not found" }, noAccess],
  ])("%s", async (_, body, [own, httpStatus, code]) => {
    const set = await stageBefore(body);
    expect(await readFailure(set.browser().login(PLAIN))).toMatchObject({ code, httpStatus });
    expect(set.errors.map((error) => error.code)).toEqual([own]);
    expect(set.bank.requests).toHaveLength(1);
  });
});

describe("a proxy's response after it has passed a login on says that the bank may have received it:", () => {
  const html = () => new Response("<h1>No</h1>", { headers: { "content-type": "text/html" } });
  const bodies: readonly [name: string, body: () => Response][] = [
    ["a page", html],
    ["JSON with a message", () => Response.json({ message: "Request Timeout" })],
    ["JSON with a status", () => Response.json({ status: "error", message: "Request Timeout" })],
    ["JSON of an outcome", () => Response.json({ status: "wrong_credentials" })],
    ["JSON of a fault of the relay", () => Response.json({ error: "slash_changed" })],
  ];
  // Too short to ask the relay.
  const timeout = { login: 2_500 };
  const statuses = [200, 403, 404, 500, 502];

  test.each(bodies)("%s", async (_, body) => {
    const set = await stage({ clientSelection: true, rateLimit: false });
    for (const status of statuses) {
      const through: typeof fetch = async (input, init) => {
        await set.send(String(input), { ...init, headers: Object.fromEntries(new Headers(init?.headers)) });
        const proxied = body();
        return new Response(proxied.body, { status, headers: proxied.headers });
      };
      const fault = await readFailure(set.browser({ fetch: through, timeout }).login(PLAIN));
      expect(fault).toMatchObject({ code: "outcome_unknown", httpStatus: status });
    }
    expect(set.bank.paths()).toEqual(statuses.map(() => "POST /login/"));
    expect(set.logins).toHaveLength(statuses.length);
  });

  test.each([
    [401, "http_failed"],
    [429, "rate_limited"],
    [503, "service_unavailable"],
  ])("but HTTP %d is %s, as it is of the relay", async (status, code) => {
    const set = await stage();
    const refuse = async () => new Response("<h1>No</h1>", { status, headers: { "retry-after": "7" } });
    const call = set.browser({ fetch: refuse, timeout }).login(PLAIN);
    expect(await readFailure(call)).toMatchObject({ code, retryAfter: 7_000 });
  });

  test("a read keeps its code", async () => {
    const set = await stage();
    const refuse = async () => new Response("<h1>No</h1>", { status: 404 });
    expect(await readFailure(set.browser({ fetch: refuse }).listProviders())).toMatchObject({ code: "http_failed" });
  });
});

describe("a refusal keeps its name", () => {
  type Row = readonly [status: FailureCode, body: Record<string, unknown>, http: number];
  const rows: readonly Row[] = [
    ["wrong_credentials", { status: "wrong_credentials", message: "no" }, 403],
    ["missing_credentials", { status: "missing_credentials" }, 400],
    ["provider_doesnt_exist", { status: "provider_doesnt_exist" }, 404],
    ["user_blocked", { status: "user_blocked" }, 403],
    ["max_sessions_reached", { status: "max_sessions_reached", key: "k" }, 403],
    ["provider_unavailable", { status: "provider_unavailable" }, 503],
    ["missing_params", { status: "missing_params" }, 400],
    ["not_implemented", { status: "not_implemented" }, 501],
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
    const set = await stageBefore({ ...body, description: { reason: "internal detail" }, trace: "internal detail" });
    expect(await set.browser().login(PLAIN)).toMatchObject({ status, httpStatus: http });
    expect(set.traffic[0]?.response.text).not.toContain("internal");
    expect(set.errors).toEqual([]);
  });

  test.each<[body: Record<string, unknown>, read: object]>([
    [{ status: "missing_credentials", missing_fields: ["branch"] }, { missingFields: ["branch"] }],
    [{ status: "error", code: "B1001", description: "Only digits" }, { description: "Only digits" }],
    [
      { status: "error", code: "B1004", description: "Too late" },
      { status: "wrong_answer", description: "Too late" },
    ],
  ])("and what the person needs of %o", async (body, read) => {
    const set = await stageBefore({ ...body, message: "internal detail" });
    expect(await set.browser().login(PLAIN)).toMatchObject(read);
    expect(set.traffic[0]?.response.text).not.toContain("internal");
    expect(JSON.stringify(set.events)).not.toMatch(/branch|digits|Too late/);
  });

  test.each([
    ["wrong_credentials", { status: "wrong_credentials", description: "internal detail" }],
    ["invalid_key", { status: "error", message: "Invalid key", description: "internal detail" }],
    ["unexpected_status", { status: "error", code: "C1001", description: "internal detail" }],
  ])("but no description of %s, which may be the service's own", async (status, body) => {
    const set = await stageBefore(body);
    expect(await set.browser().login(PLAIN)).toMatchObject({ status });
    expect(set.traffic[0]?.response.text).not.toContain("internal");
  });

  test.each([
    ["new_status", "new_status"],
    ["New status: 4f0c", "error"],
  ])("an unknown status %s goes on as %s", async (sent, expected) => {
    const set = await stageBefore({ status: sent });
    expect(await set.browser().login(PLAIN)).toMatchObject({ status: "unexpected_status", wire: { status: expected } });
  });
});

describe("only the documented members are passed on", () => {
  test("of a bank", async () => {
    const field = { name: "otp", type: "text", interactive: true, optional: false, label_en: "Code" };
    const choice = { name: "type", type: "choice", default: "a" };
    const [option, type] = [
      { name: "a", label_en: "A" },
      { name: "pers", label_en: "Personal" },
    ];
    const internal = 1;
    const bank = { name: "Bank", country: "UY", logo: "https://bank.example/logo.svg" };
    const set = await stageBefore({
      status: "success",
      internal,
      provider: {
        ...bank,
        auth_fields: [
          { ...field, label_es: null, internal },
          { ...choice, choices: [{ ...option, internal }] },
        ],
        account_type: [{ ...type, internal }],
        bank: { internal },
        methods: null,
      },
    });
    expect(await (await set.send("/provider/test/")).json()).toEqual({
      status: "success",
      provider: {
        ...bank,
        auth_fields: [field, { ...choice, interactive: false, optional: false, choices: [option] }],
        account_type: [type],
      },
    });
  });

  test.each([["javascript:alert(1)"], ["data:text/html,x"], [null], [undefined]])(
    "a logo %s is left out",
    async (logo) => {
      const set = await stageBefore({ status: "success", provider: { name: "Bank", auth_fields: [], logo } });
      expect(await (await set.send("/provider/test/")).json()).toEqual({
        status: "success",
        provider: { name: "Bank", country: "", auth_fields: [], account_type: [] },
      });
    },
  );

  test("of lists", async () => {
    const bank = { code: "a", country: "UY", name: "A" };
    const set = await stageBefore({ status: "success", providers: [{ ...bank, internal: 1 }] });
    expect(await (await set.send("/provider/")).json()).toEqual({ status: "success", providers: [bank] });
  });

  test("of choices that another choice narrows", async () => {
    const set = await stage();
    const choice = { field: "country_code", value: "CO" };
    expect((await set.browser().getProvider("puente_co", { choice })).status).toBe("success");
    expect(set.bank.lines()).toEqual(["GET /provider/puente_co/?key=country_code&value=CO"]);
    expect((await set.send("/provider/puente_co/?key=country_code")).status).toBe(400);
  });
});

describe("a function of the owner's that throws", () => {
  const cause = new RangeError("no such table");
  const broken = () => {
    throw cause;
  };
  test.each([
    ["onLogin", { onLogin: broken }, 1],
    ["onLogin", { onLogin: async () => broken() }, 1],
    ["readCaller", { readCaller: broken }, 0],
    ["rateLimit", { rateLimit: async () => broken() }, 0],
    ["store", { store: { ...createMemoryStore(), swap: broken } }, 0],
  ])("%s ends the request with HTTP 500, and onError gets its error", async (field, options, sent) => {
    const set = await stage(options);
    expect(await readFailure(set.browser().login(PLAIN))).toMatchObject({ code: "http_failed", httpStatus: 500 });
    expect(set.errors.map(String)).toEqual([`BankError: handler_failed: ${field}: threw RangeError`]);
    expect(set.errors.map((error) => error.cause)).toEqual([cause]);
    expect(set.bank.requests).toHaveLength(sent);
  });

  test.each([Number.NaN, false, "5"])("rateLimit that returns %o ends the request with HTTP 500", async (wait) => {
    const set = await stage({ rateLimit: () => wait as number });
    expect((await set.send("/login/", form(PLAIN))).status).toBe(500);
    expect(set.errors).toMatchObject([{ field: "rateLimit", detail: "returned no number" }]);
    expect(set.bank.requests).toEqual([]);
  });

  test("client, a member of which throws anything", async () => {
    const set = await stageClient({ login: broken });
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

  test("onEvent and onError together change no response", async () => {
    const set = await stage({ onEvent: broken, onError: async () => broken() });
    expect((await set.send("/login/", form(PLAIN))).status).toBe(200);
    const other = await stageClient({ login: broken }, { onEvent: async () => broken(), onError: broken });
    expect((await other.send("/login/", form(PLAIN))).status).toBe(500);
  });
});

test("a secret converted to text, which is a mask, is not sent to the bank as a password", async () => {
  const set = await stage();
  expect((await set.send("/login/", form({ ...PLAIN, password: String(secret("x")) }))).status).toBe(400);
  expect(set.bank.requests).toEqual([]);
});
