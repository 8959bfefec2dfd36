import {
  type FailureCode,
  failureRecovery,
  failures,
  failureText,
  isRetryable,
  type Locale,
  type Recovery,
} from "ventanilla";
import { expect, test } from "vitest";

// By hand: every code, the HTTP codes it has been seen with, whether the same attempt may succeed later, and what helps.
type Row = readonly [http: number[], isRetryable: boolean, recovery: Recovery];

const outcomes: Record<string, Row> = {
  wrong_credentials: [[403, 200], false, "correct"],
  missing_credentials: [[400], false, "correct"],
  provider_doesnt_exist: [[404], false, "changeProvider"],
  user_blocked: [[403], false, "contactBank"],
  max_sessions_reached: [[403], true, "closeSession"],
  provider_unavailable: [[503], true, "wait"],
  missing_params: [[], false, "correct"],
  not_implemented: [[], false, "changeProvider"],
  wrong_answer: [[], false, "correct"],
  missing_answer: [[], false, "correct"],
  provider_session_expired: [[], true, "retry"],
  provider_login_failed: [[], true, "retry"],
  password_change_required: [[], false, "retry"],
  logout_failed: [[], true, "retry"],
  wrong_client: [[200], false, "correct"],
  invalid_key: [[200], false, "retry"],
  unauthorized_provider: [[], false, "changeProvider"],
  missing_api_key: [[401], false, "report"],
  unknown_api_key: [[403], false, "report"],
  unexpected_status: [[], false, "report"],
  cancelled: [[], true, "retry"],
  expired: [[], true, "retry"],
  too_many_interactions: [[], false, "contactBank"],
  no_clients: [[200], false, "contactBank"],
};

const faults: Record<string, Row> = {
  network_failed: [[], true, "retry"],
  request_timed_out: [[], true, "retry"],
  request_aborted: [[], true, "retry"],
  outcome_unknown: [[409], false, "wait"],
  outcome_used: [[], false, "retry"],
  redirect_refused: [[301, 302, 303, 307, 308], false, "report"],
  response_unreadable: [[], true, "retry"],
  response_against_contract: [[], false, "report"],
  response_too_large: [[], false, "report"],
  access_refused: [[401, 403], false, "report"],
  rate_limited: [[429], true, "wait"],
  service_unavailable: [[502, 503, 504], true, "wait"],
  http_failed: [[400, 404, 405, 413, 415, 500], false, "report"],
  origin_refused: [[403], false, "report"],
  app_refused: [[401, 403], false, "report"],
  body_already_read: [[500], false, "report"],
  slash_changed: [[404], false, "report"],
  invalid_input: [[], false, "correct"],
  missing_field: [[], false, "correct"],
  unknown_field: [[], false, "correct"],
  secret_unavailable: [[], false, "retry"],
  handler_failed: [[], false, "report"],
  login_not_waiting: [[], true, "retry"],
  token_incomplete: [[], false, "retry"],
  token_altered: [[], false, "retry"],
  token_expired: [[], false, "retry"],
  token_of_another_version: [[], false, "retry"],
  token_of_another_key: [[], false, "retry"],
  token_of_another_address: [[], false, "retry"],
  token_used: [[], false, "retry"],
  secret_in_argument: [[], false, "correct"],
  insecure_address: [[], false, "correct"],
  file_unusable: [[], false, "correct"],
  part_missing: [[], false, "report"],
  unexpected_fault: [[], false, "report"],
};

const codes = Object.keys(failures) as FailureCode[];
const locales: Locale[] = ["en", "es", "pt"];

test("the table has exactly these codes", () => {
  expect(codes.toSorted()).toEqual([...Object.keys(outcomes), ...Object.keys(faults)].toSorted());
});

test.each([
  ...Object.entries(outcomes).map(([code, row]) => [code, "outcome", ...row] as const),
  ...Object.entries(faults).map(([code, row]) => [code, "fault", ...row] as const),
])("%s is an %s seen with HTTP %j", (code, kind, http, retryable, recovery) => {
  expect(failures[code as FailureCode]).toMatchObject({ kind, http });
  expect(isRetryable(code as FailureCode)).toBe(retryable);
  expect(failureRecovery(code as FailureCode)).toBe(recovery);
});

const texts = codes.flatMap((code) => locales.map((locale) => failureText(code, locale)));

test.each(codes)("%s has whole sentences in each language, unlike all others", (code) => {
  for (const text of locales.map((locale) => failureText(code, locale))) {
    expect(text).toMatch(/^[A-ZÉÚÓÍÁ][^_]{15,}\.$/u);
    expect(texts.filter((other) => other === text)).toHaveLength(1);
  }
});

// Whoever tries again at once may lock the account: a proxy's 502 says no more of a login than a broken connection does.
test.each(["network_failed", "request_timed_out", "outcome_unknown", "service_unavailable"] as const)(
  "the texts of %s say that the bank may have received the login",
  (code) => {
    expect(locales.map((locale) => failureText(code, locale))).toEqual([
      expect.stringMatching(/bank (may have )?received/),
      expect.stringMatching(/el banco (haya recibido|lo recibió)/),
      expect.stringMatching(/o banco (tenha recebido|o recebeu)/),
    ]);
  },
);

test("failureText is English by default, and in a language that it does not have", () => {
  for (const locale of [undefined, "en", "pt-BR" as "en"] as const) {
    expect(failureText("cancelled", locale)).toBe("The login was cancelled.");
  }
});

test.each(["no_such_code", "", "constructor", "__proto__", "hasOwnProperty"])(
  "the unknown code %j has the text of unexpected_fault, is not retryable, and its recovery is report",
  (code) => {
    expect(failureText(code as FailureCode)).toBe("An unexpected error occurred.");
    expect(failureText(code as FailureCode, "es")).toBe("Ocurrió un error inesperado.");
    expect(failureText(code as FailureCode, "pt")).toBe("Ocorreu um erro inesperado.");
    expect(isRetryable(code as FailureCode)).toBe(false);
    expect(failureRecovery(code as FailureCode)).toBe("report");
  },
);
