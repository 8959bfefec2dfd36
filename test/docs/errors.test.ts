import { readFile } from "node:fs/promises";
import { type FailureCode, failures } from "ventanilla";
import { expect, test } from "vitest";

const row = (code: FailureCode) => {
  const { http, retryable, recovery, en, es, pt } = failures[code];
  return `| \`${code}\` | ${http.join(", ")} | ${retryable ? "yes" : "no"} | ${recovery} | ${en} | ${es} | ${pt} |`;
};

const table = (kind: "outcome" | "fault") => [
  "| code | HTTP | may succeed later | what helps | English | español | português |",
  "|---|---|---|---|---|---|---|",
  ...Object.keys(failures)
    .map((code) => code as FailureCode)
    .filter((code) => failures[code].kind === kind)
    .map(row),
];

test("docs/errors.md shows the code table as it is", async () => {
  const page = [
    "<!-- Generated from src/api/failures.ts by test/docs/errors.test.ts; `npm run docs` writes it anew. -->",
    "# Errors and outcomes",
    "",
    "Every failure that a person can meet has a code. `failureText(code, locale)` gives its text. `isRetryable(code)` says whether the",
    "same call may succeed later; ventanilla never repeats a login. The column HTTP lists the codes that were seen with a failure. The",
    "`status` in the body decides. The HTTP code decides only if the body has none.",
    "",
    "`failureRecovery(code)` gives what helps the person: `correct` what was typed in, `retry` with a new login, `wait` and then retry,",
    "`closeSession`: close the other session, `changeProvider`, `contactBank`, or `report` it to whoever runs the program.",
    "",
    "## Outcomes",
    "",
    "What the bank, the service or the person said: the `status` of a response or of a `LoginOutcome`, a value.",
    "",
    ...table("outcome"),
    "",
    "## Faults",
    "",
    "What broke: the `code` of a `BankError`, thrown. Its `field`, `request`, `httpStatus`, `retryAfter` and `detail` say more where",
    "there is more; none of them can hold a secret. `cause` is empty, except with `handler_failed`: then it is what your function threw,",
    "unless that contains a value of the login, a session key or the API key.",
    "The `message` is for you: code, HTTP status and address of the request, without its query, as in",
    "`service_unavailable: the service responded with HTTP 503 (GET https://bank.example/provider/)`. People get `failureText(code, locale)`.",
    "",
    ...table("fault"),
    "",
  ].join("\n");
  await expect(page).toMatchFileSnapshot("../../docs/errors.md");
});

test("docs/troubleshooting.md names no code that is not there", async () => {
  const page = await readFile(new URL("../../docs/troubleshooting.md", import.meta.url), "utf8");
  const named = [...page.matchAll(/`([a-z]+(?:_[a-z]+)+)[`:]/g)].map(([, code = ""]) => code);
  expect(named.length).toBeGreaterThan(30);
  // A status that is neither an outcome nor a fault.
  const known = [...Object.keys(failures), "select_client"];
  expect(named.filter((code) => !known.includes(code))).toEqual([]);
});
