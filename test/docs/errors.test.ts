import { readFile } from "node:fs/promises";
import { describeFailure, type FailureCode, type Locale } from "ventanilla";
import { expect, test } from "vitest";
import { failureNotes } from "../../src/core/api/failure-notes.ts";
import { failures, findFailure, mayHaveArrived, type Recovery, type WireForms } from "../../src/core/api/failures.ts";
import { relayFaults } from "../../src/core/api/relay-faults.ts";
import { commandTexts, locales } from "../../src/core/texts/languages.ts";

const codes = Object.keys(failures) as FailureCode[];

/** What to do, by the word of `recovery`. */
const advice: Readonly<Record<Recovery, string>> = {
  correct: "correct what was typed in or given",
  retry: "log in again",
  wait: "wait a few minutes, then log in again",
  closeSession: "close the open sessions",
  changeProvider: "choose another bank",
  contactBank: "contact the bank",
  report: "tell the operator of the program",
};

/** What a failure has if its code says that the bank may have the login, and it has not. */
const exceptions: Partial<Record<FailureCode, string>> = {
  network_failed: formatException(
    "detail",
    [
      "NOT_RECEIVED",
      "ECONNREFUSED",
      "ENOTFOUND",
      "EAI_AGAIN",
      "EHOSTUNREACH",
      "ENETUNREACH",
      "UND_ERR_CONNECT_TIMEOUT",
    ],
    (detail) => mayHaveArrived({ code: "network_failed", detail }),
  ),
  redirect_refused: formatException("httpStatus", [301, 307, 308], (httpStatus) =>
    mayHaveArrived({ code: "redirect_refused", httpStatus }),
  ),
};

function formatException<Value>(member: string, values: readonly Value[], arrives: (value: Value) => boolean): string {
  expect(values.filter(arrives)).toEqual([]);
  return `; not with the \`${member}\` ${values.map((value) => `\`${value}\``).join(", ")}`;
}

/** The note of a fault without what the column beside it says. */
const shorten = (note: string) =>
  note.replace(
    / (?:After HTTP 301[^.]*\.|The bank may have received a login\.|Nothing was sent(?: to the bank)?\.)/g,
    "",
  );

const table = (kind: "outcome" | "fault") => [
  `| code | what happened |${kind === "fault" ? " may the bank have the login? |" : ""} \`recovery\` | \`retryable\` | HTTP |`,
  `|---|---|${kind === "fault" ? "---|" : ""}---|---|---|`,
  ...codes
    .filter((code) => failures[code].kind === kind)
    .map((code) => {
      const { recovery, retryable } = findFailure(code);
      const { seen = [], note } = failureNotes[code];
      const arrived = kind === "fault" ? [mayHaveArrived({ code }) ? `perhaps${exceptions[code] ?? ""}` : "no"] : [];
      const happened = kind === "fault" ? shorten(note) : note;
      return `| ${[`\`${code}\``, happened, ...arrived, recovery, retryable ? "yes" : "no", seen.join(", ")].join(" | ")} |`;
    }),
];

// Codes with the same text share a row.
const codesByText = new Map<string, FailureCode[]>();
for (const code of codes) {
  const { text } = describeFailure(code);
  codesByText.set(text, [...(codesByText.get(text) ?? []), code]);
}
const names = new Intl.DisplayNames(["en"], { type: "language" });

/** What people read in these languages. */
const textsIn = (...languages: readonly Locale[]) => [
  `| codes | ${languages.map((locale) => names.of(locale)).join(" | ")} |`,
  `|---|${languages.map(() => "---|").join("")}`,
  ...[...codesByText.values()].map((same) => {
    const [first] = same;
    const shown = languages.map((locale) => first && describeFailure(first, locale).text);
    return `| ${same.map((code) => `\`${code}\``).join(", ")} | ${shown.join(" | ")} |`;
  }),
];

// Those that test/core/login/misspelt.test.ts calls with one.
const misspelt = await readFile(new URL("../core/login/misspelt.test.ts", import.meta.url), "utf8");
const refusing = [
  ...new Set([...misspelt.matchAll(/^ {4}\["(\w+)", "\w+", /gm)].map(([, name = ""]) => name)),
].toSorted();
const formatNames = (all: readonly string[]) => all.map((name) => `\`${name}\``).join(", ");

const ofCommand = codes.filter((code) => Object.hasOwn(commandTexts("en"), code));

test("docs/errors.md shows the code table as it is", async () => {
  const page = [
    "<!-- Generated from src/core/api/failures.ts by test/docs/errors.test.ts; `npm run docs` writes it again. -->",
    "# Errors and outcomes",
    "",
    "This page lists each code that a login can end with: what happened, whether the bank may have the login, and what to do.",
    "",
    "`describeFailure(failure, locale)` takes a code, an error or a `Failure`, and has:",
    "",
    "- `text`: what happened and what to do, [for people](texts.md);",
    "- `recovery`: what helps, from the table below;",
    "- `retryable`: whether the same call may succeed later without a change. Each login counts as a try at the bank: ventanilla repeats none.",
    "",
    "| `recovery` | what to do |",
    "|---|---|",
    ...Object.entries(advice).map(([recovery, sentence]) => `| \`${recovery}\` | ${sentence} |`),
    "",
    "The column HTTP lists the codes that were seen. The `status` in the body decides, the HTTP code only without one.",
    "",
    "## Outcomes",
    "",
    "What the bank, the service or the person said: the `status` of a response, or the `failure.code` of an outcome that `failed`. The login has ended. Only after `cancelled` may a request still be at the bank.",
    "",
    ...table("outcome"),
    "",
    "## Faults",
    "",
    "What broke: the `code` of a `BankError`, thrown. Its `field`, `request`, `httpStatus`, `retryAfter` and `detail` say more; none",
    "of them can hold a secret. `cause` is empty, except with `handler_failed`: then it is what your function threw.",
    "The `message` has code, HTTP status and address of the request, without its query:",
    "`service_unavailable: the service responded with HTTP 503 (GET https://bank.example/provider/)`.",
    "",
    "The third column is about the request that failed: a login, an answer or a choice. If `request` names a read, the bank has got nothing.",
    "",
    ...table("fault"),
    "",
    "## Misspelt options",
    "",
    `These refuse an option that does not exist with \`invalid_input\`, most of them with the name that is near: ${formatNames(refusing)}.`,
    "",
    "`login()`, the rows of `batch()` and a durable login do the same for credentials, options and `settings`. So name the members of a user's record that you pass on, and give the bank's own",
    "fields in `fields`.",
    "",
  ].join("\n");
  await expect(page).toMatchFileSnapshot("../../docs/errors.md");
});

test("docs/texts.md shows what people read", async () => {
  const page = [
    "<!-- Generated from src/core/texts by test/docs/errors.test.ts; `npm run docs` writes it again. -->",
    "# What people read",
    "",
    "This page shows support staff and translators the text of each code of [errors and outcomes](errors.md), in each language.",
    "",
    "Faults that a person can't tell apart share a text. If the failure names a `request` that only",
    "reads, its text does not say that details may have reached the bank. [Other words](steps.md#your-own-words) can replace each of them.",
    "",
    `The command line has its own texts for ${formatNames(ofCommand)}. An unknown command or option, and a port that is taken, it names`,
    "by the fact, with the code last: `There is no option --jsn. Did you mean --json? [invalid_input]`.",
    "",
    ...textsIn(...locales),
    "",
  ].join("\n");
  await expect(page).toMatchFileSnapshot("../../docs/texts.md");
});

// A relay says these, not the service.
const ofRelay: readonly FailureCode[] = ["username_differs", "known_wrong"];

test("docs/contract.md names each status and each code that a refusal is read from", async () => {
  const page = await readFile(new URL("../../docs/contract.md", import.meta.url), "utf8");
  const wires = codes
    .filter((code) => !ofRelay.includes(code))
    .flatMap((code) => {
      const { wire } = failures[code] as { wire?: WireForms };
      return wire ? [...(wire.status ? [code] : []), ...(wire.codes ?? []), ...(wire.messages ?? [])] : [];
    });
  expect(wires.length).toBeGreaterThan(20);
  expect(wires.filter((form) => !new RegExp(`[\\s\`]${form}[\\s\`]`).test(page))).toEqual([]);
});

test("docs/troubleshooting.md names no code that is not there", async () => {
  const page = await readFile(new URL("../../docs/troubleshooting.md", import.meta.url), "utf8");
  const named = [...page.matchAll(/`([a-z]+(?:_[a-z]+)+)[`:]/g)].map(([, code = ""]) => code);
  expect(named.length).toBeGreaterThan(20);
  // A status that is neither an outcome nor a fault.
  const known = [...Object.keys(failures), ...Object.keys(relayFaults), "select_client"];
  expect(named.filter((code) => !known.includes(code))).toEqual([]);
});
