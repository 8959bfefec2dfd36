import { type BankClient, BankError, createBankClient, type FailureCode, type FaultCode, secret } from "ventanilla";
import type { RelayOptions } from "ventanilla/relay";
import { describe, expect, test } from "vitest";
import { readFailure } from "../pause/paused.ts";
import { API_KEY, form, PLAIN, stage, startService } from "./stage.ts";

/** A service that always responds with this, with a relay before it. */
const behind = async (body: unknown) => stage({}, { bank: await startService(async () => Response.json(body)) });

/** A relay whose own client logs in like this. */
const withClient = (login: BankClient["login"], options: Partial<RelayOptions> = {}) =>
  stage({ ...options, client: { ...createBankClient({ baseUrl: "http://127.0.0.1:1", apiKey: API_KEY }), login } });

describe("a fault of the service is the browser's fault of the same kind, and the relay's owner hears which it was", () => {
  type Row = readonly [own: FaultCode, httpStatus: number, code?: FaultCode, retryAfter?: number];
  const rows: readonly Row[] = [
    ["network_failed", 502],
    ["redirect_refused", 502],
    ["response_unreadable", 502],
    ["response_against_contract", 502],
    ["response_too_large", 502],
    ["access_refused", 502],
    ["http_failed", 502],
    ["service_unavailable", 503],
    ["service_unavailable", 503, "service_unavailable", 7000],
    ["request_timed_out", 504],
    ["rate_limited", 429, "rate_limited", 7000],
    ["outcome_unknown", 409, "outcome_unknown"],
    ["unexpected_fault", 500, "http_failed"],
  ];
  test.for(rows)("%s is HTTP %d", async ([own, httpStatus, code = "service_unavailable", retryAfter]) => {
    const set = await withClient(() => Promise.reject(new BankError(own, { ...(retryAfter && { retryAfter }) })));
    expect(await readFailure(set.browser().login(PLAIN))).toMatchObject({ code, httpStatus });
    expect(set.traffic[0]?.response.headers.get("retry-after")).toBe(retryAfter ? "7" : null);
    expect(set.errors.map((error) => error.code)).toEqual([own]);
    expect(set.events).toMatchObject([{ route: "POST /login/", httpStatus, reason: own }]);
    expect(set.events[0]).not.toHaveProperty("status");
    expect(set.logins).toEqual([]);
  });

  test.each([
    ["no key in logged_in", { status: "logged_in" }, "response_against_contract"],
    ["no key with a question", { status: "interaction_required", field: "otp" }, "response_against_contract"],
    ["that it misses the API key", { status: "error", message: "Missing API key" }, "access_refused"],
    ["that it does not know the API key", { status: "error", message: "Key not found" }, "access_refused"],
  ])("%s", async (_, body, own) => {
    const set = await behind(body);
    expect(await readFailure(set.browser().login(PLAIN))).toMatchObject({
      code: "service_unavailable",
      httpStatus: 502,
    });
    expect(set.errors.map((error) => error.code)).toEqual([own]);
    expect(set.bank.requests).toHaveLength(1);
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
    const set = await behind({ ...body, description: "internal detail", trace: "internal detail" });
    expect(await set.browser().login(PLAIN)).toMatchObject({ status, httpStatus: http });
    expect(set.traffic[0]?.response.text).not.toContain("internal");
    expect(set.errors).toEqual([]);
  });

  test.each([
    ["new_status", "new_status"],
    ["New status: 4f0c", "error"],
  ])("an unknown status %s goes on as %s", async (sent, expected) => {
    const set = await behind({ status: sent });
    expect(await set.browser().login(PLAIN)).toMatchObject({ status: "unexpected_status", wire: { status: expected } });
  });
});

describe("nothing but the documented members passes", () => {
  test("of a bank", async () => {
    const field = { name: "otp", type: "text", interactive: true, optional: false, label_en: "Code" };
    const choices = [{ name: "a", label_en: "A", internal: 1 }];
    const set = await behind({
      status: "success",
      trace: "internal",
      provider: {
        name: "Bank",
        country: "UY",
        auth_fields: [
          { ...field, label_es: null, secret: 1 },
          { name: "type", type: "choice", choices, default: "a" },
        ],
        account_type: [{ name: "pers", label_en: "Personal", internal: 1 }],
        logo: "https://bank.example/logo.svg",
        bank: { internal: 1 },
        methods: null,
      },
    });
    expect(await (await set.send("/provider/test/")).json()).toEqual({
      status: "success",
      provider: {
        name: "Bank",
        country: "UY",
        auth_fields: [
          field,
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
      const set = await behind({ status: "success", provider: { name: "Bank", auth_fields: [], logo } });
      expect(await (await set.send("/provider/test/")).json()).toEqual({
        status: "success",
        provider: { name: "Bank", country: "", auth_fields: [], account_type: [] },
      });
    },
  );

  test("of lists", async () => {
    const bank = { code: "a", country: "UY", name: "A" };
    const set = await behind({ status: "success", providers: [{ ...bank, internal: 1 }] });
    expect(await (await set.send("/provider/")).json()).toEqual({ status: "success", providers: [bank] });
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
    const set = await withClient(broken);
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
    const other = await withClient(broken, { onEvent: async () => broken(), onError: broken });
    expect((await other.send("/login/", form(PLAIN))).status).toBe(500);
  });
});

test("the server is told of a login before the browser is", async () => {
  const order: string[] = [];
  const set = await stage({
    onLogin: async ({ provider, request }) => {
      order.push(`${provider} ${request.headers.get("origin")}`);
      await new Promise(setImmediate);
      order.push("stored");
    },
  });
  await set.send("/login/", form(PLAIN));
  expect([...order, "answered"]).toEqual(["test https://shop.example", "stored", "answered"]);
});

test("a value that is nothing but a secret's mask is not sent to the bank", async () => {
  const set = await stage();
  const answer = await set.send("/login/", form({ ...PLAIN, password: String(secret("x")) }));
  expect(answer.status).toBe(400);
  expect(set.bank.requests).toEqual([]);
});
