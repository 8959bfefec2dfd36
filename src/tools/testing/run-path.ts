import type { FailureCode } from "../../core/api/failures.ts";
import { PathError, type PathErrorCode } from "./path-error.ts";
import type { Action, LoginPath, Path } from "./path-types.ts";
import type { LinkDriver, LoginDriver } from "./screen-driver.ts";

/** How a path is run. */
export interface RunPathOptions {
  /**
   * Milliseconds for the whole path, also where time has to run out on it. Default 4000: a screen that is stuck ends in a
   * `PathError` that says where, before the 5 seconds of Vitest and Jest are over.
   */
  readonly timeout?: number;
  /**
   * The text that the screen has for a failure, where `currentText` is to find it. Default: the text of this library, in any of
   * its languages.
   */
  readonly failureText?: (code: FailureCode) => string;
}

const POLL_INTERVAL = 10;

// To read the step once more when the driver has used up the time.
const LAST_LOOK = 200;

// How often in a row the step must be read. If it was shown before the action as well, a slow screen could be taken for a ready one.
const LOOKS = { another: 2, same: 6 };

/**
 * Drives a screen along a path: each action, then the wait until the screen rests at the expected step. A step that is
 * gone at the next look does not count. With a driver that has `currentText`, the text of a failure and the bank's question must be
 * on the screen as well. Any test runner can await it.
 *
 * @throws {PathError} `step_not_shown` or `text_not_shown` when the time is up; `driver_failed`: the driver threw, or took all
 * the time.
 * @example
 * test.each(loginPaths())("$name", async (path) => {
 *   await runPath(path, driverOf(await open(path)));
 * });
 */
export async function runPath(path: LoginPath, driver: LoginDriver, options?: RunPathOptions): Promise<void>;
export async function runPath(path: Path, driver: LinkDriver, options?: RunPathOptions): Promise<void>;
export async function runPath(
  path: Path,
  driver: LoginDriver | LinkDriver,
  { timeout = 4000, failureText }: RunPathOptions = {},
): Promise<void> {
  const deadline = Date.now() + timeout;
  const rests = (step: number) => waitForStep(path, step, driver, deadline, failureText);
  await rests(-1);
  for (const [step, { action }] of path.steps.entries()) {
    try {
      await within(deadline, () => perform(driver as LinkDriver, action));
    } catch (cause) {
      const actual = await within(Date.now() + LAST_LOOK, () => driver.currentStep()).catch(() => "");
      throw new PathError("driver_failed", path, step, { actual, cause });
    }
    await rests(step);
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
      return driver.answer(action.text);
    case "wait":
      return undefined;
    default:
      return driver[action.type]();
  }
}

/** Waits until the screen rests at the expected step. */
async function waitForStep(
  path: Path,
  step: number,
  driver: LoginDriver,
  deadline: number,
  failureText: RunPathOptions["failureText"],
): Promise<void> {
  const start = { expected: path.start, failure: path.startFailure, question: undefined };
  const { expected, failure, question } = path.steps[step] ?? start;
  const ownText = failure && failureText?.(failure.code);
  const texts = ownText ? [ownText] : (failure?.texts ?? (question ? [question] : []));
  const mayBeStale = path.steps[step]?.action.type !== "fill" && expected === (path.steps[step - 1] ?? start).expected;
  const looks = mayBeStale && step >= 0 ? LOOKS.same : LOOKS.another;
  let actual = "";
  for (let seen = 0; seen < looks; ) {
    let problem: PathErrorCode | undefined;
    try {
      actual = await within(deadline, () => driver.currentStep());
      if (actual !== expected) problem = "step_not_shown";
      else if (texts.length > 0 && driver.currentText) {
        const text = withoutBreaks(await within(deadline, () => driver.currentText?.() ?? ""));
        if (!texts.some((one) => text.includes(withoutBreaks(one)))) problem = "text_not_shown";
      }
    } catch (cause) {
      throw new PathError("driver_failed", path, step, { actual, cause });
    }
    if (problem && Date.now() >= deadline) throw new PathError(problem, path, step, { actual, text: texts[0] });
    seen = problem ? 0 : seen + 1;
    if (seen < looks) await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL));
  }
}

// A page breaks lines anywhere.
const withoutBreaks = (text: string): string => text.replace(/\s+/g, " ").trim();

/** Rejects at the deadline. */
async function within<Value>(deadline: number, act: () => Value | Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("it did not end in time")), Math.max(deadline - Date.now(), 0));
  });
  try {
    return await Promise.race([act(), late]);
  } finally {
    clearTimeout(timer);
  }
}
