import type { LinkDriver, LoginDriver } from "./driver.ts";
import type { Action, LoginPath, Path } from "./path.ts";
import { PathError } from "./path-error.ts";

/** How a path is run. */
export interface RunPathOptions {
  /** Milliseconds that the screen has for each step, beside the time that has to run out. Default 5000. */
  readonly timeout?: number;
}

const POLL_INTERVAL = 10;

// A screen that is to show what it shows already may only be slow: it has to show it for longer.
const LOOKS = { another: 2, same: 6 };

/**
 * Drives a screen along a path: each action, then the wait until the screen rests at the expected step. A step that shows and
 * is gone at the next look is none. It is a promise and nothing else, so that any test runner can await it.
 *
 * @throws {PathError} the screen shows another step when the time is up, or the driver threw.
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
  { timeout = 5000 }: RunPathOptions = {},
): Promise<void> {
  await rest(path, driver, -1, LOOKS.another, timeout);
  let before: string = path.start;
  for (const [step, { action, expected }] of path.steps.entries()) {
    try {
      await within(timeout, perform(driver as LinkDriver, action));
    } catch (cause) {
      throw errorAt(path, step, await lookOnce(driver, timeout), cause);
    }
    const isSame = expected === before && action.type !== "fill";
    const waited = action.type === "wait" ? (path.settings.answerTimeout ?? 0) : 0;
    await rest(path, driver, step, isSame ? LOOKS.same : LOOKS.another, timeout + waited);
    before = expected;
  }
}

/** Waits until the screen rests where the step wants it. */
async function rest(path: Path, driver: LoginDriver, step: number, looks: number, timeout: number): Promise<void> {
  const end = Date.now() + timeout;
  const expected = path.steps[step]?.expected ?? path.start;
  let actual = "";
  for (let seen = 0; seen < looks; ) {
    try {
      actual = await within(timeout, driver.currentStep());
    } catch (cause) {
      throw errorAt(path, step, actual, cause);
    }
    seen = actual === expected ? seen + 1 : 0;
    if (seen === 0 && Date.now() >= end) throw errorAt(path, step, actual);
    if (seen < looks) await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL));
  }
}

function errorAt(path: Path, step: number, actual: string, cause?: unknown): PathError {
  const sentences = path.steps.slice(0, step + 1).map(({ sentence }) => sentence);
  const expected = path.steps[step]?.expected ?? path.start;
  return new PathError({ path: path.name, step, sentences, expected, actual, cause });
}

/** What the screen shows, for an error that is thrown either way. */
async function lookOnce(driver: LoginDriver, timeout: number): Promise<string> {
  try {
    return await within(timeout, driver.currentStep());
  } catch {
    return "";
  }
}

/** A driver that waits for ever must not make the test wait for ever. */
async function within<Value>(timeout: number, promised: Value | Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it took longer than ${timeout} ms`)), timeout);
  });
  try {
    return await Promise.race([promised, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function perform(driver: LinkDriver, action: Action): Promise<void> {
  switch (action.type) {
    case "choose":
      await driver.choose(action.value);
      break;
    case "fill":
      await driver.fill(action.values);
      break;
    case "answer":
      await driver.answer(action.text);
      break;
    case "wait":
      break;
    default:
      await driver[action.type]();
  }
}
