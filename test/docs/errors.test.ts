import { type FailureCode, failures } from "ventanilla";
import { expect, test } from "vitest";

const row = (code: FailureCode) => {
  const { http, retryable, help, en, es, pt } = failures[code];
  return `| \`${code}\` | ${http.join(", ")} | ${retryable ? "yes" : "no"} | ${help} | ${en} | ${es} | ${pt} |`;
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
    "Every failure that a person can meet has a code. `failureText(code, locale)` gives its text, `isRetryable(code)` whether the",
    "very same call may succeed later; a login is never repeated by itself. HTTP lists the codes it has been seen with; the status in",
    "the answer's body decides, and the HTTP code only where the body has none.",
    "",
    "`failureHelp(code)` gives what helps the person: `correct` what was typed in, `retry` with a new login, `wait` and then retry,",
    "`closeSession` that is in the way, `changeProvider`, `contactBank`, or `report` it to whoever runs the program.",
    "",
    "## Outcomes",
    "",
    "What the bank, the service or the person said: the `status` of an answer or of a `LoginOutcome`, a value.",
    "",
    ...table("outcome"),
    "",
    "## Faults",
    "",
    "What broke: the `code` of a `BankError`, thrown. Its `field`, `request`, `httpStatus`, `retryAfter` and `detail` say more where",
    "there is more; none of them can hold a secret, and `cause` stays empty.",
    "",
    ...table("fault"),
    "",
  ].join("\n");
  await expect(page).toMatchFileSnapshot("../../docs/errors.md");
});
