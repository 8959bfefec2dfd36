import { type FailureCode, failures } from "../../core/api/failures.ts";
import { describeFailure } from "../../core/texts/describe-failure.ts";
import { locales } from "../../core/texts/languages.ts";
import { findDifference } from "./difference.ts";
import { PathError, type PathProblem } from "./path-error.ts";
import type { Action, Fault, LoginPath, Path, PathStep } from "./path-types.ts";
import type { LinkDriver, LoginDriver } from "./screen-driver.ts";

/** How a path is run. */
export interface RunPathOptions {
  /**
   * Milliseconds for the whole path, also where time has to run out on it. Default 4000: a screen that is stuck ends in a
   * `PathError` that says where, before the 5 seconds of Vitest and Jest are over. It comes up to a fifth of that later, after a last
   * look at the screen and its picture.
   */
  readonly timeout?: number;
  /**
   * The text that the screen has for a failure, where `currentText` is to find it. Default: the text of this library, in any of
   * its languages.
   */
  readonly failureText?: (code: FailureCode) => string;
}

const POLL_INTERVAL = 10;

// Milliseconds. To read the screen once more, and to take its picture, when the time is up: with the default time-out less than a test
// runner's 5 seconds in all. A slow screen, which has a longer time-out, has more for these as well.
const LAST_LOOK = 400;
const PICTURE = 800;

// Milliseconds for which the step must be read. If it was shown before the action as well, a slow screen could be taken for a ready one.
const REST = { another: 0, same: 60 };

/**
 * Drives a screen along a path: each action, then the wait until the screen rests at the expected step. A step that is
 * gone at the next look does not count; one whose time runs out may be over at the first look. With a driver that has `currentText`, the text of a failure and the bank's question must be
 * on the screen as well, with the names of the clients to choose from, and the failure of an earlier try must be gone. With `currentFields`, the
 * screen must have the fields that the bank asks for, and neither those of another form nor what was sent. With `received`, the bank must get what the path gave, and what it
 * holds before the next action. Any test runner can await it.
 *
 * @throws {PathError} `step_not_shown`, `text_not_shown`, `text_still_shown` or `field_differs` when the time is up; `value_differs`: the bank got another
 * value, or did not get the request that it holds; `driver_failed`: an action threw or did not end in time, or the screen could not be
 * read once.
 * @example
 * test.each(loginPaths())("$number of $count: $name", async (path) => {
 *   await runPath(path, driverOf(await open(path)));
 * });
 */
export async function runPath(path: LoginPath, driver: LoginDriver, options?: RunPathOptions): Promise<void>;
export async function runPath(path: Path, driver: LinkDriver, options?: RunPathOptions): Promise<void>;
export async function runPath(path: Path, driver: LoginDriver | LinkDriver, options?: RunPathOptions): Promise<void> {
  return followPath(path, driver, options);
}

/** As `runPath`. @param isPerStep whether the time-out is that of each step: a screen on a busy machine is stuck if it makes no step. */
export async function followPath(
  path: Path,
  driver: LoginDriver | LinkDriver,
  { timeout = 4000, failureText }: RunPathOptions = {},
  isPerStep = false,
): Promise<void> {
  let deadline = Date.now() + timeout;
  const lastLookTime = Math.max(timeout / 10, LAST_LOOK);
  const pictureTime = Math.max(timeout / 5, PICTURE);
  const readReceived = () => driver.received?.() ?? [];
  for (let step = -1; step < path.steps.length; step++) {
    if (isPerStep) deadline = Date.now() + timeout;
    const { action } = path.steps[step] ?? {};
    let problem: Problem | undefined;
    let before = 0;
    try {
      if (action) {
        before = (await within(deadline, readReceived)).length;
        await within(deadline, () => perform(driver as LinkDriver, action));
      }
      problem = await waitForStep(expectAfter(path, step, failureText), driver, deadline);
    } catch (cause) {
      problem = { code: "driver_failed", actual: "", cause };
    }
    const received = driver.received && (await lastLook(readReceived, Math.max(deadline - Date.now(), lastLookTime)));
    const difference = received && findDifference(path.steps, step, received.slice(before));
    const isOther = difference?.got !== undefined;
    if (!problem && !isOther) continue;
    const [actual = "", text = "", picture] = await Promise.all([
      lastLook(() => driver.currentStep(), lastLookTime),
      lastLook(() => driver.currentText?.(), lastLookTime),
      lastLook(() => driver.takePicture?.(), pictureTime),
    ]);
    const shown = findShownFailure(text, failureText);
    const known = problem && problem.code !== "driver_failed" ? problem : { ...problem, actual };
    const code = isOther || !problem ? "value_differs" : problem.code;
    throw new PathError(path, step, { difference, ...known, code, shown, received, picture });
  }
}

/** Performs an action on a screen. */
export function perform(driver: LinkDriver, action: Action): unknown {
  switch (action.type) {
    case "choose":
      return driver.choose(action.value);
    case "fill":
      return driver.fill(action.values);
    case "answer":
      return driver.answer(action.answer);
    case "wait":
      return undefined;
    case "changeAppearance":
      return driver.changeAppearance?.();
    default:
      return driver[action.type]();
  }
}

/** What the screen has to show after a step. */
interface Expectation {
  readonly step: string;
  /** Of these texts one has to be there; without any, each text will do. */
  readonly texts: readonly string[];
  /** All of these have to be there. */
  readonly clients: readonly string[];
  /** The failures of earlier tries and the clients of earlier logins, whose texts must be gone. */
  readonly staleTexts: readonly string[];
  /** Which fields have to be there, which are of another form, and which of them must be empty. */
  readonly fields: readonly string[];
  readonly staleFields: readonly string[];
  readonly emptyFields: readonly string[];
  /** The milliseconds for which the step must be read; `undefined` if once is enough. */
  readonly rest: number | undefined;
  /** The request that the bank must have got by then: if it is cancelled sooner, the next one is held in its place. */
  readonly held: Fault | undefined;
  /** What comes after a step that ends by itself: a slow driver may look when it is over. */
  readonly next: Expectation | undefined;
}

/** What is not as expected. */
type Problem = Pick<PathProblem, "code" | "actual" | "text" | "cause" | "field" | "difference">;

function expectAfter(path: Path, index: number, failureText: RunPathOptions["failureText"]): Expectation {
  const start: Shown = { expected: path.start, ...(path.startFailure && { failure: path.startFailure }) };
  const listTexts = ({ failure }: Shown) => {
    const ownText = failure && failureText?.(failure.code);
    return ownText ? [ownText] : (failure?.texts ?? []);
  };
  const step: Shown & { readonly action?: Action } = path.steps[index] ?? start;
  const earlier: readonly Shown[] = index < 0 ? [] : [start, ...path.steps.slice(0, index)];
  const { expected, failure, question, clients = [], fields = [], emptyFields = [] } = step;
  const texts = failure || !question ? listTexts(step) : [question];
  const mayBeStale = step.action?.type !== "fill" && expected === earlier.at(-1)?.expected;
  const before = path.steps[index + 1]?.action.type;
  return {
    step: expected,
    texts,
    clients,
    // A text may be a part of another one.
    staleTexts: earlier
      .flatMap((each) => [...listTexts(each), ...(each.clients ?? [])])
      .filter((stale) => ![...texts, ...clients].some((text) => text.includes(stale))),
    fields,
    // Of a form that is shown no more nothing is known.
    staleFields:
      fields.length > 0 ? earlier.flatMap(({ fields = [] }) => fields).filter((name) => !fields.includes(name)) : [],
    emptyFields,
    // A step that ends by itself may not last longer.
    rest: before === "wait" ? undefined : mayBeStale ? REST.same : REST.another,
    held: path.faults.find(({ request, what }) => what === "held" && request === step.held),
    next: before === "wait" ? expectAfter(path, index + 1, failureText) : undefined,
  };
}

/** What is known of the screen at the start and after each step. */
type Shown = Pick<
  PathStep<string>,
  "expected" | "failure" | "question" | "clients" | "fields" | "emptyFields" | "held"
>;

/**
 * Waits until the screen rests at the expected step, with the texts that it has to show there. When the time is up, the last thing that
 * was wrong counts: a look that has not ended says nothing of the screen.
 *
 * @throws what the driver threw, if no look has ended.
 */
async function waitForStep(
  expectation: Expectation,
  driver: LoginDriver,
  deadline: number,
): Promise<Problem | undefined> {
  let problem: Problem | undefined;
  let cause: unknown;
  let hasLooked = false;
  /** When the screen was first seen at rest. */
  let since: number | undefined;
  while (!hasLooked || Date.now() < deadline) {
    const begun = Date.now();
    try {
      const found = await within(deadline, () => look(expectation, driver));
      hasLooked = true;
      cause = undefined;
      if (found) problem = found;
      else if (expectation.rest === undefined) return undefined;
      else if (since !== undefined && begun - since >= expectation.rest) return undefined;
      since = found ? undefined : (since ?? begun);
    } catch (error) {
      // A page that draws itself again may lack for a moment what a driver reads.
      if (!(error instanceof LateError)) cause = error;
      since = undefined;
      if (Date.now() >= deadline && !hasLooked) throw cause ?? error;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL));
  }
  return problem && { ...problem, cause };
}

/** Reads a screen, and compares it with what it has to show. */
async function look(expectation: Expectation, driver: LoginDriver): Promise<Problem | undefined> {
  const problem = await compare(expectation, driver);
  const isOver = problem && expectation.next && !(await compare(expectation.next, driver));
  return isOver ? undefined : problem;
}

async function compare(expectation: Expectation, driver: LoginDriver): Promise<Problem | undefined> {
  const { step, texts, clients, staleTexts, held } = expectation;
  const actual = await driver.currentStep();
  if (actual !== step) return { code: "step_not_shown", actual };
  if (driver.currentText && texts.length + clients.length + staleTexts.length > 0) {
    const shown = withoutBreaks(await driver.currentText());
    const isShown = (text: string) => shown.includes(withoutBreaks(text));
    const isMissing = texts.length > 0 && !texts.some(isShown);
    const missing = isMissing ? texts[0] : clients.find((client) => !isShown(client));
    if (missing !== undefined) return { code: "text_not_shown", actual, text: missing };
    const stale = staleTexts.find(isShown);
    if (stale) return { code: "text_still_shown", actual, text: stale };
  }
  const field =
    driver.currentFields && expectation.fields.length > 0 && findWrongField(expectation, await driver.currentFields());
  if (field) return { code: "field_differs", actual, field };
  if (!held || !driver.received) return undefined;
  const received = await driver.received();
  const hasGot = received.filter(({ request }) => request === held.request).length >= (held.number ?? 1);
  return hasGot ? undefined : { code: "value_differs", actual, difference: { got: undefined, gave: held.request } };
}

function findWrongField(
  { step, fields, staleFields, emptyFields }: Expectation,
  shown: Readonly<Record<string, string>>,
): PathProblem["field"] {
  // If another try can't help, as with a user who is blocked, a screen may leave the form out.
  if (step === "failed" && Object.keys(shown).length === 0) return undefined;
  const missing = fields.find((name) => shown[name] === undefined);
  if (missing !== undefined) return { name: missing, wrong: "missing" };
  const stale = staleFields.find((name) => shown[name] !== undefined);
  if (stale !== undefined) return { name: stale, wrong: "of another form" };
  const full = emptyFields.find((name) => shown[name] !== "");
  return full === undefined ? undefined : { name: full, wrong: "not empty" };
}

/** The text of a failure that the screen shows, the longest one: a text may be a part of another. */
function findShownFailure(shown: string, failureText: RunPathOptions["failureText"]): string | undefined {
  const codes = Object.keys(failures) as FailureCode[];
  const known = codes.flatMap((code) => [
    failureText?.(code) ?? "",
    // A failed read has a shorter text.
    ...locales.flatMap((locale) =>
      [code, { code, request: "GET /provider/" }].map((failure) => describeFailure(failure, locale).text),
    ),
  ]);
  const found = known.filter((text) => text !== "" && withoutBreaks(shown).includes(withoutBreaks(text)));
  return found.sort((one, other) => other.length - one.length)[0];
}

// A page breaks lines anywhere.
const withoutBreaks = (text: string): string => text.replace(/\s+/g, " ").trim();

/** What a screen shows once the run has failed: it only explains the error. */
const lastLook = <Value>(look: () => Value | Promise<Value>, time: number): Promise<Value | undefined> =>
  within(Date.now() + time, look).catch(() => undefined);

/** A call of the driver that the time was too short for. */
class LateError extends Error {}

/** Rejects at the deadline, with a `LateError`. */
async function within<Value>(deadline: number, act: () => Value | Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LateError("it did not end in time")), Math.max(deadline - Date.now(), 0));
  });
  try {
    return await Promise.race([act(), late]);
  } finally {
    clearTimeout(timer);
  }
}
