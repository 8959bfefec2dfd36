import { type FailureCode, failures, failureText, isRetryable, type Locale } from "ventanilla";
import { describe, expect, test } from "vitest";

// By hand: every code, the HTTP codes it has been seen with, and whether the same attempt may succeed later.
const outcomes: Record<string, readonly [http: number[], isRetryable: boolean]> = {
  wrong_credentials: [[403, 200], false],
  missing_credentials: [[400], false],
  provider_doesnt_exist: [[404], false],
  user_blocked: [[403], false],
  max_sessions_reached: [[403], true],
  provider_unavailable: [[503], true],
  missing_params: [[], false],
  not_implemented: [[], false],
  wrong_answer: [[], false],
  missing_answer: [[], false],
  provider_session_expired: [[], true],
  provider_login_failed: [[], true],
  password_change_required: [[], false],
  logout_failed: [[], true],
  wrong_client: [[200], false],
  invalid_key: [[200], false],
  unauthorized_provider: [[], false],
  missing_api_key: [[401], false],
  unknown_api_key: [[403], false],
  unexpected_status: [[], false],
  cancelled: [[], true],
  expired: [[], true],
  too_many_interactions: [[], false],
  no_clients: [[200], false],
};

const faults: Record<string, readonly [http: number[], isRetryable: boolean]> = {
  network_failed: [[], true],
  request_timed_out: [[], true],
  request_aborted: [[], true],
  redirect_refused: [[301, 302, 303, 307, 308], false],
  answer_unreadable: [[], true],
  answer_against_contract: [[], false],
  answer_too_large: [[], false],
  access_refused: [[401, 403], false],
  rate_limited: [[429], true],
  service_unavailable: [[502, 503, 504], true],
  http_failed: [[400, 404, 405, 413, 415, 500], false],
  invalid_input: [[], false],
  missing_field: [[], false],
  unknown_field: [[], false],
  secret_unavailable: [[], false],
  handler_failed: [[], false],
  login_not_waiting: [[], true],
  token_incomplete: [[], false],
  token_altered: [[], false],
  token_expired: [[], false],
  token_of_another_version: [[], false],
  token_of_another_key: [[], false],
  token_of_another_address: [[], false],
  token_used: [[], false],
  unexpected_fault: [[], false],
};

const codes = Object.keys(failures) as FailureCode[];
const locales: Locale[] = ["en", "es", "pt"];

test("the table holds these codes and no other", () => {
  expect(codes.toSorted()).toEqual([...Object.keys(outcomes), ...Object.keys(faults)].toSorted());
});

test.each(Object.entries(outcomes))("%s is an outcome seen with HTTP %j", (code, [http, retryable]) => {
  expect(failures[code as FailureCode]).toMatchObject({ kind: "outcome", http });
  expect(isRetryable(code as FailureCode)).toBe(retryable);
});

test.each(Object.entries(faults))("%s is a fault seen with HTTP %j", (code, [http, retryable]) => {
  expect(failures[code as FailureCode]).toMatchObject({ kind: "fault", http });
  expect(isRetryable(code as FailureCode)).toBe(retryable);
});

describe.each(locales)("the texts in %s", (locale) => {
  test.each(codes)("%s is one or two whole sentences of its own", (code) => {
    const text = failureText(code, locale);
    expect(text).toMatch(/^[A-ZÉÚÓÍÁ].{15,}\.$/u);
    expect(text).not.toContain("_");
    expect(codes.filter((other) => failureText(other, locale) === text)).toEqual([code]);
  });
});

test.each(codes)("%s reads differently in each language", (code) => {
  expect(new Set(locales.map((locale) => failureText(code, locale))).size).toBe(3);
});

test("a text is English unless told otherwise", () => {
  expect(failureText("cancelled")).toBe("The login was cancelled.");
  expect(failureText("cancelled", "en")).toBe("The login was cancelled.");
  expect(failureText("cancelled", "es")).toBe("El ingreso fue cancelado.");
  expect(failureText("cancelled", "pt")).toBe("O acesso foi cancelado.");
});

test.each(["no_such_code", "", "constructor", "__proto__", "hasOwnProperty"])(
  "the unknown code %j reads like unexpected_fault and is not retryable",
  (code) => {
    expect(failureText(code as FailureCode)).toBe("Something went wrong that has no name here.");
    expect(failureText(code as FailureCode, "es")).toBe("Ocurrió un problema que aquí no tiene nombre.");
    expect(failureText(code as FailureCode, "pt")).toBe("Ocorreu um problema que aqui não tem nome.");
    expect(isRetryable(code as FailureCode)).toBe(false);
  },
);
