import { AbortedError, BankError, HttpError, InputError, NetworkError } from "ventanilla";
import { describe, expect, test } from "vitest";
import { toBankError } from "../../src/api/errors.ts";

// The codes of every error class, by hand.
const classes: [string, string][] = [
  ["network_failed", "NetworkError"],
  ["request_timed_out", "TimeoutError"],
  ["request_aborted", "AbortedError"],
  ["outcome_unknown", "BankError"],
  ["redirect_refused", "RedirectError"],
  ["response_unreadable", "ContractError"],
  ["response_against_contract", "ContractError"],
  ["response_too_large", "ContractError"],
  ["access_refused", "HttpError"],
  ["rate_limited", "HttpError"],
  ["service_unavailable", "HttpError"],
  ["http_failed", "HttpError"],
  ["origin_refused", "RelayError"],
  ["invalid_input", "InputError"],
  ["missing_field", "InputError"],
  ["unknown_field", "InputError"],
  ["secret_unavailable", "SecretError"],
  ["handler_failed", "HandlerError"],
  ["login_not_waiting", "PauseError"],
  ["token_incomplete", "TokenError"],
  ["token_altered", "TokenError"],
  ["token_expired", "TokenError"],
  ["token_of_another_version", "TokenError"],
  ["token_of_another_key", "TokenError"],
  ["token_of_another_address", "TokenError"],
  ["token_used", "TokenError"],
  ["unexpected_fault", "BankError"],
];

describe("BankError", () => {
  const request = "GET /client/{id}/";
  const sent = "GET https://bank.example/v1/client/{id}/";
  const baseUrl = "https://bank.example/v1";
  test.each([
    [{ request, baseUrl, httpStatus: 503 }, `the service responded with HTTP 503 (${sent})`],
    [
      { request, baseUrl, httpStatus: 200, field: "key", detail: "a" },
      `the service responded with HTTP 200 (${sent}): key: a`,
    ],
    [{ request, baseUrl, detail: "ECONNREFUSED" }, `${sent}: ECONNREFUSED`],
    [{ request, baseUrl, httpStatus: 0 }, sent],
    [{ request, baseUrl: "/$&" }, "GET /$&/client/{id}/"],
    [{ request, httpStatus: 409 }, `the service responded with HTTP 409 (${request})`],
    [{ httpStatus: 409 }, "the service responded with HTTP 409"],
    [{ baseUrl, field: "key" }, "key"],
    [{ request, baseUrl: `https://bank.example/${"a".repeat(300)}` }, `GET https://bank.example/${"a".repeat(274)}…`],
  ])("of %j has a message with all of it, and members for all but baseUrl", (details, text) => {
    const error = new BankError("http_failed", details);
    expect(error.message).toBe(`http_failed: ${text}`);
    const { baseUrl: _, ...members } = { baseUrl: "", ...details };
    expect({ ...error }).toEqual({ code: "http_failed", ...members });
  });

  test("without details has its code as message, and no other member", () => {
    const error = new NetworkError("network_failed");
    expect(error.message).toBe("network_failed");
    expect(Object.keys(error).sort()).toEqual(["code"]);
    const vague = new HttpError("http_failed", { field: undefined, request: "GET /client/", detail: undefined });
    expect(vague.message).toBe("http_failed: GET /client/");
    expect(Object.keys(vague).sort()).toEqual(["code", "request"]);
  });

  test("is the base class of AbortedError, and an Error", () => {
    const error = new AbortedError("request_aborted");
    expect(error).toBeInstanceOf(Error);
    expect(error).toBeInstanceOf(BankError);
    expect(error).not.toBeInstanceOf(NetworkError);
    expect(error.name).toBe("AbortedError");
    expect(String(error)).toBe("AbortedError: request_aborted");
  });
});

describe("toBankError", () => {
  test.each(classes)("turns the code %s into a %s", (code, name) => {
    const error = toBankError({ kind: "fault", code: code as "network_failed" });
    expect(error).toBeInstanceOf(BankError);
    expect([error.name, error.constructor.name, error.code, error.message]).toEqual([name, name, code, code]);
  });

  test("copies the details of the failure and nothing else", () => {
    const details = { field: "key", request: "POST /login/", httpStatus: 503, retryAfter: 1000, detail: "more" };
    const error = toBankError({ kind: "fault", code: "service_unavailable", wireStatus: "gone", ...details });
    expect({ ...error }).toEqual({ code: "service_unavailable", ...details });
  });

  test.each(["wrong_credentials", "no_such_code", "constructor", "__proto__"])(
    "turns the code %s, which is no fault, into unexpected_fault",
    (code) => {
      const error = toBankError({ kind: "fault", code: code as "network_failed", field: "key" });
      expect([error.name, error.code, error.message]).toEqual([
        "BankError",
        "unexpected_fault",
        "unexpected_fault: key",
      ]);
    },
  );
});

test("the stack of an error begins with the name of its class", () => {
  expect(new InputError("missing_field", { field: "username" }).stack).toMatch(
    /^InputError: missing_field: username\n/,
  );
});
