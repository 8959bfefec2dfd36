import { BankError, describeFailure, type FailureCode } from "ventanilla";
import { expect, test } from "vitest";
import { type Endpoint, endpoints } from "../../../src/core/api/bank-request.ts";
import { failureNotes } from "../../../src/core/api/failure-notes.ts";
import { failures, findFailure } from "../../../src/core/api/failures.ts";

const codes = Object.keys(failures) as FailureCode[];

test.each(codes)("the recovery of %s says whether it may succeed later", (code) => {
  const { recovery, retryable = false } = findFailure(code);
  if (retryable) expect(["retry", "wait", "closeSession"]).toContain(recovery);
  if (recovery === "wait") expect(retryable).toBe(true);
});

test.each(codes)("%s has its own meaning for developers, in whole sentences", (code) => {
  const { note } = failureNotes[code];
  expect(note).toMatch(/^[A-Z].{15,}\.$|`\.$/);
  expect(codes.filter((other) => failureNotes[other].note === note)).toEqual([code]);
});

test.each(codes)("%s comes from HTTP codes that a response can have", (code) => {
  const { seen = [] } = failureNotes[code];
  expect(seen.filter((status) => !(status >= 200 && status < 600))).toEqual([]);
  expect(new Set(seen).size).toBe(seen.length);
});

test("a failure is described by its code, an error of it or a plain failure, in English by default", () => {
  const cancelled = { text: "The login was cancelled. To continue, log in again.", recovery: "retry", retryable: true };
  expect(describeFailure("cancelled")).toEqual(cancelled);
  expect(describeFailure({ kind: "outcome", code: "cancelled" } as { code: string })).toEqual(cancelled);
  expect(describeFailure("cancelled", "xx")).toEqual(cancelled);
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
const doubtful = [
  ...["network_failed", "request_timed_out", "request_aborted", "service_unavailable", "redirect_refused"],
] as const satisfies readonly FailureCode[];
test.each([...doubtful, "outcome_unknown"] as const)(
  "the texts of %s say that what was typed may have reached the bank",
  (code) => {
    expect(describeFailure(code, "en").text).toContain("your details may have reached the bank");
    expect(describeFailure(code, "es").text).toMatch(/sus datos (pueden haber llegado|llegaron) al banco/);
    expect(describeFailure(code, "pt").text).toContain("seus dados podem ter chegado ao banco");
  },
);

test.each(doubtful)("the texts of %s say nothing of a login if only something was read", (code) => {
  const describe = (request: string) => describeFailure({ code, request }, "en").text;
  // How a submit has ended is asked after it was sent.
  const isRead = (request: string) => endpoints[request as Endpoint] === "read" && request !== "GET /submit/";
  const requests = Object.keys(endpoints);
  for (const request of requests.filter(isRead)) {
    expect(describe(request)).not.toContain("logging in");
    expect(describe(request)).toMatch(/([Tt]ry again|Contact support)\.$/);
  }
  // It is asked after a login was sent.
  for (const request of [...requests.filter((each) => !isRead(each)), "GET /attempt/{id}/", "constructor", ""]) {
    expect(describe(request)).toBe(describeFailure(code, "en").text);
  }
});

// By what each can mean: who asks for an identification, for another address or for patience has not passed the login on.
const redirected = (httpStatus: number) => ({ code: "redirect_refused", request: "POST /login/", httpStatus });
test.each<[isDoubtful: boolean, what: string, failure: Parameters<typeof describeFailure>[0]]>([
  [false, "nothing was on its way", { code: "cancelled" }],
  [true, "a login was on its way", { code: "cancelled", request: "POST /login/" }],
  [false, "no connection was made", { code: "network_failed", request: "POST /login/", detail: "ECONNREFUSED" }],
  [true, "a connection broke", { code: "network_failed", request: "POST /login/", detail: "UND_ERR_SOCKET" }],
  [false, "HTTP 401", { code: "http_failed", request: "POST /login/", httpStatus: 401 }],
  [false, "HTTP 429", { code: "rate_limited", request: "POST /login/", httpStatus: 429 }],
  [true, "HTTP 503", { code: "service_unavailable", request: "POST /login/", httpStatus: 503 }],
  [false, "HTTP 301", redirected(301)],
  [false, "HTTP 307", redirected(307)],
  [false, "HTTP 308", redirected(308)],
  // 302 and 303 also follow a form that was taken. A browser hides the code.
  [true, "HTTP 302", redirected(302)],
  [true, "HTTP 303", redirected(303)],
  [true, "a redirect in a browser", redirected(0)],
])("it is %s that the bank may have the login after: %s", (isDoubtful, _, failure) => {
  expect(describeFailure(failure, "en").text.includes("may have reached the bank")).toBe(isDoubtful);
});
