import type { FailureCode } from "../../core/api/failures.ts";
import type { Locale } from "../../core/texts/languages.ts";
import { findWrongLabel } from "./label-check.ts";
import type { PathProblem } from "./path-error.ts";
import type { Action, Path, PathStep, Received, RequestName } from "./path-types.ts";
import type { LoginDriver } from "./screen-driver.ts";

/** How a screen may differ from this library's texts. */
export interface OwnTexts {
  /**
   * The text that the screen has for a failure, for `currentText`. Default: the text of this library, in any of
   * its languages.
   */
  readonly failureText?: (code: FailureCode) => string;
  /** The label that the screen has for a field, by its name, if it is not the bank's; `undefined` for the bank's. Default: the bank's for each. */
  readonly labelText?: (field: string) => string | undefined;
  /** The language of the screen, for `fieldLabels`. Default: any, the same for all labels and choices of a form. */
  readonly locale?: Locale | undefined;
}

/** A screen as a run reads it. */
export interface ReadableScreen {
  readonly driver: LoginDriver;
  /** What the bank has received so far; `undefined`: unknown. */
  readonly readReceived: (() => readonly Received[] | Promise<readonly Received[]>) | undefined;
}

/** What the screen has to show after a step. */
export interface Expectation {
  readonly state: string;
  /** One of these texts must be present; if there are none, any text is accepted. */
  readonly texts: readonly string[];
  /** All of these must be present. */
  readonly clients: readonly string[];
  /** The failures of earlier tries, the questions and clients of earlier logins, whose texts must be gone. */
  readonly staleTexts: readonly string[];
  /** Which fields must be present, which belong to another form, and which must be empty or not. */
  readonly fields: readonly string[];
  readonly staleFields: readonly string[];
  readonly emptyFields: readonly string[];
  readonly filledFields: readonly string[];
  /** The labels of the fields, in each language that the screen may have. */
  readonly labels: PathStep["labels"];
  /** The bank's question, which may replace a label. */
  readonly question: string | undefined;
  /** The requests that the bank must have received by then. If a held request is cancelled sooner, the next one is held instead. */
  readonly requests: NonNullable<PathStep["requests"]>;
  /** Whether the screen showed the same state before the action, so that a read may be outdated. */
  readonly mayBeStale: boolean;
  /** The step after one that ends automatically, so once is enough: a slow driver may read the screen when it is over. */
  readonly next: Expectation | undefined;
}

export type Problem = Pick<PathProblem, "code" | "actual" | "text" | "cause" | "field" | "label" | "count" | "button">;

/** What is known of the screen at the start and after each step. */
type Shown = Omit<PathStep<string>, "action" | "sentence"> & { readonly action?: Action };

export function expectAfter(path: Path, index: number, own: OwnTexts): Expectation {
  const start: Shown = { expected: path.start, ...path.startScreen };
  const listTexts = ({ failure }: Shown) => {
    const ownText = failure && own.failureText?.(failure.code);
    return ownText ? [ownText] : (failure?.texts ?? []);
  };
  const step: Shown = path.steps[index] ?? start;
  const earlier: readonly Shown[] = index < 0 ? [] : [start, ...path.steps.slice(0, index)];
  const { expected, failure, question, clients = [], fields = [], emptyFields = [], filledFields = [] } = step;
  // While its answer is sent, a question may stay on the screen.
  const isSent = step.held !== undefined;
  const texts = failure || !question ? listTexts(step) : [question];
  return {
    state: expected,
    texts,
    clients,
    // A text may be a part of another one.
    staleTexts: earlier
      .flatMap((each) => [...listTexts(each), ...(each.clients ?? []), ...(isSent ? [] : [each.question ?? ""])])
      .filter((stale) => stale !== "")
      .filter((stale) => ![...texts, ...clients].some((text) => text.includes(stale))),
    fields,
    // The fields of a form that is not shown any more are unknown.
    staleFields:
      fields.length > 0 ? earlier.flatMap(({ fields = [] }) => fields).filter((name) => !fields.includes(name)) : [],
    emptyFields,
    filledFields,
    labels: step.labels,
    question,
    requests: [step, ...earlier.toReversed()].find(({ requests }) => requests)?.requests ?? {},
    mayBeStale: step.action?.type !== "fill" && expected === earlier.at(-1)?.expected,
    // A step that ends automatically may be shorter.
    next: path.steps[index + 1]?.action.type === "wait" ? expectAfter(path, index + 1, own) : undefined,
  };
}

/** Reads a screen, and compares it with what it has to show. */
export async function look(
  expectation: Expectation,
  screen: ReadableScreen,
  own: OwnTexts,
): Promise<Problem | undefined> {
  const problem = await compare(expectation, screen, own);
  const isOver = problem && expectation.next && !(await compare(expectation.next, screen, own));
  return isOver ? undefined : problem;
}

async function compare(expectation: Expectation, screen: ReadableScreen, own: OwnTexts): Promise<Problem | undefined> {
  const { driver } = screen;
  const actual = await driver.currentState();
  if (actual !== expectation.state) return { code: "state_not_shown", actual };
  const { texts, clients, staleTexts, requests } = expectation;
  const hasTexts = texts.length + clients.length + staleTexts.length > 0;
  // At the same time, because each call of a slow driver takes time.
  const [text, problem, received] = await Promise.all([
    hasTexts ? driver.currentText?.() : undefined,
    compareFields(expectation, driver, own),
    Object.keys(requests).length > 0 ? screen.readReceived?.() : undefined,
  ]);
  const found = (text === undefined ? undefined : compareTexts(expectation, text)) ?? problem;
  if (found) return { ...found, actual };
  const count = received && findWrongCount(requests, received);
  return count && count.got < count.expected ? { code: "request_missing", actual, count } : undefined;
}

function compareTexts({ texts, clients, staleTexts }: Expectation, shown: string): Omit<Problem, "actual"> | undefined {
  const plain = withoutBreaks(shown);
  const isShown = (text: string) => plain.includes(withoutBreaks(text));
  const isMissing = texts.length > 0 && !texts.some(isShown);
  const missing = isMissing ? texts[0] : clients.find((client) => !isShown(client));
  if (missing !== undefined) return { code: "text_not_shown", text: missing };
  const stale = staleTexts.find(isShown);
  return stale === undefined ? undefined : { code: "text_still_shown", text: stale };
}

export async function compareFields(
  expectation: Expectation,
  driver: LoginDriver,
  own: OwnTexts,
): Promise<Omit<Problem, "actual"> | undefined> {
  const { labels, question } = expectation;
  if (expectation.fields.length === 0) return undefined;
  const [fields, shownLabels] = await Promise.all([driver.currentFields?.(), labels && driver.fieldLabels?.()]);
  const field = fields && findWrongField(expectation, fields);
  if (field) return { code: "field_differs", field };
  const label = labels && shownLabels && findWrongLabel(labels, shownLabels, { ...own, question });
  if (label) return { code: "label_differs", label };
  // Last, because a choice that the screen does not offer is empty.
  const empty = fields && expectation.filledFields.find((name) => fields[name] === "");
  return empty === undefined ? undefined : { code: "field_differs", field: { name: empty, wrong: "empty" } };
}

function findWrongField(
  { state, fields, staleFields, emptyFields }: Expectation,
  shown: Readonly<Record<string, string>>,
): PathProblem["field"] {
  // If another try can't help, as with a blocked user, a screen may leave the form out.
  if (state === "failed" && Object.keys(shown).length === 0) return undefined;
  const missing = fields.find((name) => shown[name] === undefined);
  if (missing !== undefined) return { name: missing, wrong: "missing" };
  const stale = staleFields.find((name) => shown[name] !== undefined);
  if (stale !== undefined) return { name: stale, wrong: "of another form" };
  const full = emptyFields.find((name) => shown[name] !== "");
  return full === undefined ? undefined : { name: full, wrong: "not empty" };
}

// A screen must not send these again. It may read as often as it wants.
const sentOnce: readonly RequestName[] = ["POST /login/", "GET /client/{id}/", "GET /logout/"];

/** The first request that the bank has received too rarely, or too often. */
export function findWrongCount(requests: Expectation["requests"], received: readonly Received[]): PathProblem["count"] {
  const counts = (Object.entries(requests) as [RequestName, number][]).map(([name, expected]) => {
    return { request: name, got: received.filter(({ request }) => request === name).length, expected };
  });
  return counts.find(({ request, got, expected }) => got < expected || (got > expected && sentOnce.includes(request)));
}

// A page breaks lines anywhere.
export const withoutBreaks = (text: string): string => text.replace(/\s+/g, " ").trim();
