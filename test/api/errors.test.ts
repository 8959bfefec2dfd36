import { AbortedError, BankError, HttpError, InputError, NetworkError, SecretError } from "ventanilla";
import { describe, expect, test } from "vitest";
import { errorOf } from "../../src/api/errors.ts";

// The codes of every error class, by hand.
const classes: [string, string][] = [
  ["network_failed", "NetworkError"],
  ["request_timed_out", "TimeoutError"],
  ["request_aborted", "AbortedError"],
  ["outcome_unknown", "BankError"],
  ["redirect_refused", "RedirectError"],
  ["answer_unreadable", "ContractError"],
  ["answer_against_contract", "ContractError"],
  ["answer_too_large", "ContractError"],
  ["access_refused", "HttpError"],
  ["rate_limited", "HttpError"],
  ["service_unavailable", "HttpError"],
  ["http_failed", "HttpError"],
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

describe("an error", () => {
  test("reads code: request: field: detail", () => {
    const details = { field: "key", request: "GET /client/", httpStatus: 200, retryAfter: 5, detail: "more" };
    const error = new BankError("answer_against_contract", details);
    expect(error.message).toBe("answer_against_contract: GET /client/: key: more");
    expect(error).toMatchObject({ code: "answer_against_contract", ...details });
  });

  test("reads as its code alone where nothing more is known, and has no members then", () => {
    const error = new NetworkError("network_failed");
    expect(error.message).toBe("network_failed");
    expect(Object.keys(error).sort()).toEqual(["code"]);
    const vague = new HttpError("http_failed", { field: undefined, request: "GET /client/", detail: undefined });
    expect(vague.message).toBe("http_failed: GET /client/");
    expect(Object.keys(vague).sort()).toEqual(["code", "request"]);
  });

  test("keeps a retryAfter of 0", () => {
    expect(new HttpError("rate_limited", { retryAfter: 0 })).toHaveProperty("retryAfter", 0);
  });

  test("is an Error, a BankError and one of its own kind", () => {
    const error = new AbortedError("request_aborted");
    expect(error).toBeInstanceOf(Error);
    expect(error).toBeInstanceOf(BankError);
    expect(error).not.toBeInstanceOf(NetworkError);
    expect(error.name).toBe("AbortedError");
    expect(String(error)).toBe("AbortedError: request_aborted");
  });

  test("has no cause", () => {
    expect(new InputError("invalid_input", { field: "code" })).not.toHaveProperty("cause");
    expect(new SecretError("secret_unavailable")).not.toHaveProperty("cause");
  });
});

describe("the error of a fault that was kept as plain data", () => {
  test.each(classes)("%s is a %s", (code, name) => {
    const error = errorOf({ kind: "fault", code: code as "network_failed" });
    expect(error).toBeInstanceOf(BankError);
    expect([error.name, error.constructor.name, error.code, error.message]).toEqual([name, name, code, code]);
  });

  test("has the fault's details and nothing else", () => {
    const details = { field: "key", request: "POST /login/", httpStatus: 503, retryAfter: 1000, detail: "more" };
    const error = errorOf({ kind: "fault", code: "service_unavailable", wireStatus: "gone", ...details });
    expect({ ...error }).toEqual({ code: "service_unavailable", ...details });
  });

  test.each(["wrong_credentials", "no_such_code", "constructor", "__proto__"])(
    "of the code %s is unexpected_fault",
    (code) => {
      const error = errorOf({ kind: "fault", code: code as "network_failed", field: "key" });
      expect([error.name, error.code, error.message]).toEqual([
        "BankError",
        "unexpected_fault",
        "unexpected_fault: key",
      ]);
    },
  );
});

test("a stack begins with the error's own name", () => {
  expect(new InputError("missing_field", { field: "username" }).stack).toMatch(
    /^InputError: missing_field: username\n/,
  );
});
