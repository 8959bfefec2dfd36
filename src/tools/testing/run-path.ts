import { type FailureCode, failures } from "../../core/api/failures.ts";
import { describeFailure } from "../../core/texts/describe-failure.ts";
import { locales } from "../../core/texts/languages.ts";
import { findDifference } from "./difference.ts";
import { PathError, type TimeUp } from "./path-error.ts";
import { findBank } from "./path-fetch.ts";
import type { Action, LoginPath, Path } from "./path-types.ts";
import {
  compareFields,
  type Expectation,
  expectAfter,
  findWrongCount,
  look,
  type OwnTexts,
  type Problem,
  type ReadableScreen,
  withoutBreaks,
} from "./screen-check.ts";
import type { LinkDriver, LoginDriver } from "./screen-driver.ts";

/** How a path is run. */
export interface RunPathOptions extends OwnTexts {
  /**
   * Milliseconds without a change after which a screen is stuck, and the run ends in a `PathError` that says where. They count from the last
   * action that ended, or the last change that was seen. Default 4000. The error follows up to a fifth of that later, after a last read of the
   * screen and its picture, so give the test runner more time for a path.
   */
  readonly timeout?: number;
}

const POLL_INTERVAL = 10;

// Milliseconds between two reads that count, and the least reads without a change: with fewer a screen could not run on a busy machine.
const LONGEST_PAUSE = 50;
const MIN_LOOKS = 15;

// Milliseconds to read the screen once more, and to take its picture, when the time is over. A slow screen, which has a longer time-out, has
// more for these as well.
const LAST_LOOK = 400;
const PICTURE = 800;

// For how many milliseconds and reads the state must stay. If the screen showed the same state before the action, a slow screen could be taken for a ready
// one: on a busy machine the milliseconds can pass before the screen runs.
const REST = { another: { time: 0, looks: 2 }, same: { time: 60, looks: 4 } };

/**
 * Drives a screen along a path: after each action it waits until the screen stays in the expected state. A state that is
 * gone at the next read does not count, except one whose time ends. The bank of the path must have received the
 * requests that lead to the state, no login twice, and the path's values: a run knows them from the driver's `received`, or directly if the
 * `fetchFor(path)` was created in the same program. The other optional methods of the driver describe the other checks. Any test runner can await it.
 *
 * @throws {PathError} its `code` says what is wrong.
 * @example
 * test.each(loginPaths())("$number of $count: $name", async (path) => {
 *   await runPath(path, driverOf(await open(path)));
 * });
 */
export async function runPath(path: LoginPath, driver: LoginDriver, options?: RunPathOptions): Promise<void>;
export async function runPath(path: Path, driver: LinkDriver, options?: RunPathOptions): Promise<void>;
export async function runPath(
  path: Path,
  driver: LoginDriver | LinkDriver,
  { timeout = 4000, ...own }: RunPathOptions = {},
): Promise<void> {
  const lastLookTime = Math.max(timeout / 10, LAST_LOOK);
  const pictureTime = Math.max(timeout / 5, PICTURE);
  const bank = findBank(path);
  const readReceived = driver.received ? () => driver.received?.() ?? [] : bank && (() => bank.received);
  const screen: ReadableScreen = { driver, readReceived };
  for (let step = -1; step < path.steps.length; step++) {
    const { action, held } = path.steps[step] ?? {};
    const texts: OwnTexts = isAppearanceChanged(path, step) ? { ...own, locale: undefined } : own;
    const expectation = expectAfter(path, step, texts);
    const watch = new Watch(timeout);
    let isTimeUp = false;
    let problem: Problem | undefined;
    let before = 0;
    try {
      if (action) {
        before = (await within(watch.deadline, async () => readReceived?.()))?.length ?? 0;
        await within(watch.deadline, () => perform(driver as LinkDriver, action));
        watch.start();
      }
      problem = await waitForStep(watch, (next) => look(next, screen, texts), expectation);
      isTimeUp = problem !== undefined;
      if (!problem && held && action) problem = await pressAgain(watch, driver, expectation.state);
    } catch (cause) {
      isTimeUp = cause instanceof LateError;
      const field = action && (await lastLook(() => findUnfillable(path, step, driver, texts), lastLookTime));
      problem = field ? { ...field, actual: "", cause } : { code: "driver_failed", actual: "", cause };
    }
    const received = readReceived && (await lastLook(readReceived, Math.max(timeout, lastLookTime)));
    const difference = received && findDifference(path.steps, step, received.slice(before));
    const isOther = difference?.got !== undefined;
    const count = received && findWrongCount(expectation.requests, received);
    if (!problem && !isOther && !count) continue;
    const [actual = "", text = "", picture] = await Promise.all([
      lastLook(() => driver.currentState(), lastLookTime),
      lastLook(() => driver.currentText?.(), lastLookTime),
      lastLook(() => driver.takePicture?.(), pictureTime),
    ]);
    const shown = findShownFailure(text, own.failureText);
    const known = problem?.actual ? problem : { ...problem, actual };
    // It arrived during the last read.
    const hasState = problem?.code === "state_not_shown" && known.actual === expectation.state;
    const isLate = !count && (hasState || (problem?.code === "request_missing" && received !== undefined));
    const wrongCount = count && count.got < count.expected ? "request_missing" : "request_repeated";
    const code = isOther ? "value_differs" : isLate ? "late" : problem && !hasState ? problem.code : wrongCount;
    const needsRequests = Object.keys(expectation.requests).length > 0;
    throw new PathError(path, step, {
      difference,
      ...known,
      count: count ?? problem?.count,
      code,
      shown,
      received,
      picture,
      time: isTimeUp ? watch.timeUp : undefined,
      hasAnotherBank: needsRequests && received?.length === 0,
    });
  }
}

/** After a screen has changed its language its texts are not known. */
function isAppearanceChanged(path: Path, step: number): boolean {
  return path.steps.slice(0, step + 1).some(({ action }) => action.type === "changeAppearance");
}

/** Counts the time without a change in which a screen could run: on a busy machine most of the time between two reads belongs to other processes. */
class Watch {
  readonly #timeout: number;
  readonly #seen = new Set<string>();
  #since = Date.now();
  #ended = Date.now();
  #counted = 0;
  #looks = 0;
  #lookTime = 0;

  constructor(timeout: number) {
    this.#timeout = timeout;
  }

  start(): void {
    this.#since = Date.now();
    this.#ended = this.#since;
    this.#counted = 0;
    this.#looks = 0;
    this.#lookTime = 0;
  }

  /** When an action or a read that begins now has to end. */
  get deadline(): number {
    return Date.now() + this.#timeout;
  }

  /** Records a completed read. What was seen before is not a change: otherwise a screen that flickers would never be stuck. */
  record(begun: number, problem: Problem | "unreadable" | undefined): void {
    const seen = JSON.stringify(problem === "unreadable" ? problem : { ...problem, cause: undefined });
    if (!this.#seen.has(seen)) this.start();
    this.#seen.add(seen);
    const now = Date.now();
    this.#counted += Math.min(Math.max(begun - this.#ended, 0), LONGEST_PAUSE) + now - begun;
    this.#ended = now;
    this.#looks += 1;
    this.#lookTime += now - begun;
  }

  get isOver(): boolean {
    return this.#counted >= this.#timeout && this.#looks >= MIN_LOOKS;
  }

  get timeUp(): TimeUp {
    const lookTime = this.#looks === 0 ? undefined : Math.round(this.#lookTime / this.#looks);
    return { without: Date.now() - this.#since, looks: this.#looks, lookTime };
  }
}

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

/** While a request is held, the button that has sent it must be disabled or gone. */
async function pressAgain(watch: Watch, driver: LoginDriver, actual: string): Promise<Problem | undefined> {
  watch.start();
  const button = await within(watch.deadline, async () => driver.pressTwice?.());
  return button === undefined ? undefined : { code: "pressed_twice", actual, button };
}

/** The field that the driver could not fill in, because it is missing or another one is in its place. */
async function findUnfillable(
  path: Path,
  step: number,
  driver: LoginDriver,
  own: OwnTexts,
): Promise<Omit<Problem, "actual"> | undefined> {
  const { type } = path.steps[step]?.action ?? {};
  if (type !== "fill" && type !== "answer") return undefined;
  const expectation = expectAfter(path, type === "fill" ? step : step - 1, own);
  return compareFields({ ...expectation, staleFields: [], emptyFields: [], filledFields: [] }, driver, own);
}

/**
 * Waits until the screen stays in the expected state, with the expected content. When the time is over, the last known
 * problem counts: a read that has not ended says nothing about the screen.
 *
 * @throws what the driver threw, if no read has ended.
 */
async function waitForStep(
  watch: Watch,
  look: (expectation: Expectation) => Promise<Problem | undefined>,
  expectation: Expectation,
): Promise<Problem | undefined> {
  const rest = expectation.mayBeStale ? REST.same : REST.another;
  let problem: Problem | undefined;
  let cause: unknown;
  let hasLooked = false;
  /** When the screen was first seen in the state, and how often since. */
  let since = 0;
  let looks = 0;
  while (!watch.isOver) {
    const begun = Date.now();
    try {
      const found = await within(watch.deadline, () => look(expectation));
      hasLooked = true;
      cause = undefined;
      watch.record(begun, found);
      problem = found ?? problem;
      if (looks === 0) since = begun;
      looks = found ? 0 : looks + 1;
      if (looks > 0 && expectation.next) return undefined;
      if (looks >= rest.looks && begun - since >= rest.time) return undefined;
    } catch (error) {
      if (error instanceof LateError) {
        if (!hasLooked) throw cause ?? error;
        break;
      }
      // While a page draws itself again, it may briefly lack what a driver reads.
      watch.record(begun, "unreadable");
      cause = error;
      looks = 0;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL));
  }
  if (!hasLooked) throw cause;
  return problem && { ...problem, cause };
}

/** The text of a failure that the screen shows, the longest one: a text may be a part of another. */
function findShownFailure(shown: string, failureText: OwnTexts["failureText"]): string | undefined {
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

/** What a screen shows after the run has failed: it only explains the error. */
const lastLook = <Value>(look: () => Value | Promise<Value>, time: number): Promise<Value | undefined> =>
  within(Date.now() + time, look).catch(() => undefined);

/** A call of the driver that took too long. */
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
