import { BankError, describeFailure, type FailureCode } from "ventanilla";
import { expect, test } from "vitest";
import { failures, findFailure } from "../../../src/core/api/failures.ts";

const codes = Object.keys(failures) as FailureCode[];

test.each(codes)("the recovery of %s says whether it may succeed later", (code) => {
  const { recovery, retryable = false } = findFailure(code);
  if (retryable) expect(["retry", "wait", "closeSession"]).toContain(recovery);
  if (recovery === "wait") expect(retryable).toBe(true);
});

test.each(codes)("%s has its own meaning for developers, in whole sentences", (code) => {
  const { note } = failures[code];
  expect(note).toMatch(/^[A-Z].{15,}\.$|`\.$/);
  expect(codes.filter((other) => failures[other].note === note)).toEqual([code]);
});

test.each(codes)("%s comes from HTTP codes that a response can have", (code) => {
  const { seen = [] } = findFailure(code);
  expect(seen.filter((status) => !(status >= 200 && status < 600))).toEqual([]);
  expect(new Set(seen).size).toBe(seen.length);
});

test("a failure is described by its code, an error of it or a plain failure, in English by default", () => {
  const cancelled = { text: "The login was cancelled. To continue, log in again.", recovery: "retry", retryable: true };
  expect(describeFailure("cancelled")).toEqual(cancelled);
  expect(describeFailure({ kind: "outcome", code: "cancelled" } as { code: string })).toEqual(cancelled);
  expect(describeFailure("cancelled", "fr")).toEqual(cancelled);
  const error = new BankError("token_invalid", { detail: "more" });
  const described = { recovery: "retry", retryable: false };
  expect(describeFailure(error, "es")).toEqual({
    ...described,
    text: "No se puede continuar donde lo dejó. Vuelva a ingresar.",
  });
  expect(describeFailure(error, "pt")).toEqual({
    ...described,
    text: "Não é possível continuar de onde parou. Entre novamente.",
  });
});

test.each(["no_such_code", "", "constructor", "__proto__", "hasOwnProperty"])(
  "the unknown code %j is described as an unexpected_fault",
  (code) => {
    expect(describeFailure(code as FailureCode, "es")).toEqual(describeFailure("unexpected_fault", "es"));
    expect(describeFailure({ code })).toMatchObject({ recovery: "report", retryable: false });
  },
);

// Whoever tries again at once may lock the account: a proxy's 502 says no more of a login than a broken connection does.
const doubtful = ["network_failed", "request_timed_out", "request_aborted", "service_unavailable"] as const;
test.each([...doubtful, "outcome_unknown"] as const)(
  "the texts of %s say that what was typed may have reached the bank",
  (code) => {
    expect(describeFailure(code, "en").text).toContain("your details may have reached the bank");
    expect(describeFailure(code, "es").text).toContain("sus datos pueden haber llegado al banco");
    expect(describeFailure(code, "pt").text).toContain("seus dados podem ter chegado ao banco");
  },
);

test.each(doubtful)("the texts of %s say nothing of a login if only something was read", (code) => {
  const describe = (request: string) => describeFailure({ code, request }, "en").text;
  for (const request of ["GET /provider/", "GET /provider/{code}/", "GET /client/", "GET /transfer/destinations"]) {
    expect(describe(request)).not.toContain("logging in");
    expect(describe(request)).toMatch(/[Tt]ry again\.$/);
  }
  // It is asked after a login was sent.
  for (const request of [
    "POST /login/",
    "GET /client/{id}/",
    "GET /logout/",
    "GET /attempt/{id}/",
    "constructor",
    "",
  ]) {
    expect(describe(request)).toBe(describeFailure(code, "en").text);
  }
});
