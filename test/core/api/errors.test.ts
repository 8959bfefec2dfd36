import { BankError } from "ventanilla";
import { describe, expect, test } from "vitest";
import { toBankError } from "../../../src/core/api/errors.ts";

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
  ])("of $0 has all of it in its message, as members all but baseUrl", (details, text) => {
    const error = new BankError("http_failed", details);
    expect(error.message).toBe(`http_failed: ${text}`);
    const { baseUrl: _, ...members } = { baseUrl: "", ...details };
    expect({ ...error }).toEqual({ code: "http_failed", ...members });
  });

  test("without details has its code as message, and no other member", () => {
    const error = new BankError("network_failed");
    expect(error.message).toBe("network_failed");
    expect(Object.keys(error).sort()).toEqual(["code"]);
    const vague = new BankError("http_failed", { field: undefined, request: "GET /client/", detail: undefined });
    expect(vague.message).toBe("http_failed: GET /client/");
    expect(Object.keys(vague).sort()).toEqual(["code", "request"]);
  });

  test("has a stack that begins with its name, and a cause only if one is given, which JSON does not show", () => {
    const error = new BankError("request_aborted");
    expect(error.stack).toMatch(/^BankError: request_aborted\n/);
    expect(error).not.toHaveProperty("cause");
    const cause = new RangeError("of the caller");
    const caused = new BankError("handler_failed", { field: "onInteraction" }, cause);
    expect(caused.cause).toBe(cause);
    expect(JSON.parse(JSON.stringify(caused))).toEqual({ code: "handler_failed", field: "onInteraction" });
  });
});

describe("toBankError", () => {
  test("turns the code of a fault into an error of that code", () => {
    const error = toBankError({ kind: "fault", code: "network_failed" });
    expect([error.name, error.code, error.message]).toEqual(["BankError", "network_failed", "network_failed"]);
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
