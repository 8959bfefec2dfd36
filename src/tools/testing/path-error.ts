import { openStates } from "../../core/login/login-state.ts";
import type { Difference } from "./difference.ts";
import type { WrongLabel } from "./label-check.ts";
import type { Path, Received, RequestName } from "./path-types.ts";

/**
 * Why a path ended. `state_not_shown`: the screen did not stay in the state. `text_not_shown`: it did, without the failure's text or
 * the bank's question. `text_still_shown`: it did, with the failure of an earlier try, or a client of an earlier login. `field_differs`: a field is missing, belongs to
 * another form, is not empty, or has lost its value. `label_differs`: a field has another label, or other choices. `value_differs`: the bank received another value than the
 * path gave. `request_missing`: the screen shows the state, but the bank did not receive the request that leads to it. `request_repeated`: the bank
 * received a login, a choice or a logout more often than the path sent it. `pressed_twice`: a button that has sent a request can be pressed again before the response. `late`: what was missing arrived when the time was over.
 * `driver_failed`: an action of the driver threw or did not end in time, or the screen could never be read.
 */
export type PathErrorCode =
  | "state_not_shown"
  | "text_not_shown"
  | "text_still_shown"
  | "field_differs"
  | "label_differs"
  | "value_differs"
  | "request_missing"
  | "request_repeated"
  | "pressed_twice"
  | "late"
  | "driver_failed";

/** How long a run waited. */
export interface TimeUp {
  /** Milliseconds without a change. */
  readonly without: number;
  /** The completed reads of the screen in this time, and the milliseconds of one read. */
  readonly looks: number;
  readonly lookTime: number | undefined;
}

export interface PathProblem {
  readonly code: PathErrorCode;
  readonly actual: string;
  readonly text?: string | undefined;
  readonly cause?: unknown;
  readonly difference?: Difference | undefined;
  /** A field's name, and what is wrong with it. */
  readonly field?:
    | { readonly name: string; readonly wrong: "missing" | "of another form" | "not empty" | "empty" }
    | undefined;
  readonly label?: WrongLabel | undefined;
  /** The request that the bank received too rarely or too often. */
  readonly count?: { readonly request: RequestName; readonly got: number; readonly expected: number } | undefined;
  /** The button that can be pressed again. */
  readonly button?: string | undefined;
  /** The text of a failure that the screen shows. */
  readonly shown?: string | undefined;
  readonly received?: readonly Received[] | undefined;
  /** Whether the bank received nothing, but should have. */
  readonly hasAnotherBank?: boolean;
  readonly picture?: string | undefined;
  readonly time?: TimeUp | undefined;
}

/**
 * A screen left a path. The first line of the message is a sentence:
 * `After "the form is filled in", "the form is sent": the screen shows "awaitingInteraction", expected "loggedIn".`
 * The other lines say how to run this path alone, what the bank received, how long the run waited, and where the picture of the screen is.
 */
export class PathError extends Error {
  override get name() {
    return "PathError" as const;
  }
  /** What went wrong, in one word. */
  readonly code: PathErrorCode;
  /** The path's name. */
  readonly path: string;
  /** The step's place in `path.steps`; -1 before the first. */
  readonly step: number;
  /** What was done last, such as `the form is sent`; empty before the first step. */
  readonly sentence: string;
  /** The state that the screen had to show. */
  readonly expected: string;
  /** The state that it showed; empty for none. */
  readonly actual: string;
  /** With `text_not_shown` the text that is missing, a failure's in English; with `text_still_shown` the text of the earlier failure or client; with
   * `label_differs` the label, choice or value that is expected. */
  readonly text: string | undefined;
  /** With `field_differs` and `label_differs`: the name of the field. */
  readonly field: string | undefined;
  /** With `pressed_twice`: the name of the button. */
  readonly button: string | undefined;
  /** With `value_differs`: what the bank received. */
  readonly got: string | undefined;
  /** What the path gave, if the bank received another value or none; with `request_missing` and `request_repeated` the request, such as `POST /login/`. */
  readonly gave: string | undefined;
  /** Everything that the bank received, if the run knows it: test data of the sandbox. */
  readonly received: readonly Received[] | undefined;
  /** What the driver's `takePicture` returned. */
  readonly picture: string | undefined;

  /** @internal */
  constructor(path: Path, step: number, problem: PathProblem) {
    const { code, actual, text, cause, field, label, count, difference, received, picture, time } = problem;
    const sentences = path.steps.slice(0, step + 1).map(({ sentence }) => sentence);
    const { expected } = path.steps[step] ?? { expected: path.start };
    const done = sentences.length > 0 ? `After ${sentences.map((sentence) => `"${sentence}"`).join(", ")}` : "At first";
    const lines = [
      `${done}: ${formatProblem(problem, expected)}${problem.hasAnotherBank && fromBank.has(actual) ? "?" : "."}`,
      `Path ${path.number} of ${path.count}, alone: ${formatCommand(path.name)}`,
      ...(received ? [`The bank got: ${received.map(formatReceived).join(", ") || "nothing"}`] : []),
      ...(time ? [formatTime(time)] : []),
      ...(picture === undefined ? [] : [`The picture: ${picture}`]),
    ];
    super(lines.join("\n"), cause === undefined ? {} : { cause });
    this.code = code;
    this.path = path.name;
    this.step = step;
    this.sentence = sentences.at(-1) ?? "";
    this.expected = expected;
    this.actual = actual;
    this.text = code.startsWith("text_") ? text : label?.expected;
    this.field = field?.name ?? label?.field;
    this.button = problem.button;
    this.got = difference?.got;
    this.gave = difference?.gave ?? (code.startsWith("request_") ? count?.request : undefined);
    this.received = received;
    this.picture = picture;
  }
}

// The states that a response leads to.
const fromBank: ReadonlySet<string> = new Set([...openStates, "failed", "loggedIn", "linkFailed", "linked"]);

function formatProblem(problem: PathProblem, expected: string): string {
  const { code, actual, cause, difference, count, hasAnotherBank } = problem;
  const { got, gave, kind } = difference ?? {};
  const sent =
    difference && !code.startsWith("request_")
      ? `the bank got ${got ?? `no ${kind}`}, the path gave ${gave}, and `
      : "";
  const driver =
    code === "driver_failed" ? `the driver failed (${cause instanceof Error ? cause.message : cause}), and ` : "";
  const screen = `${sent}${driver}the screen shows ${actual === "" ? "nothing" : `"${actual}"`}${formatShown(problem, expected)}`;
  if (hasAnotherBank && fromBank.has(actual)) {
    return `${screen}, and this path's bank got nothing: does it talk to another one`;
  }
  if (code === "late")
    return `${screen} as expected, but ${count ? `the bank got ${count.request}` : "only"} when the time was up`;
  // A driver that failed has sent nothing, and a value that is missing says the same.
  return !count || driver || sent ? screen : `${screen}, and this path's bank ${formatCount(count)}`;
}

/** What is wrong with what the screen shows. */
function formatShown({ code, actual, text, field, label, button, shown }: PathProblem, expected: string): string {
  if (code === "text_still_shown") return ` with the text "${text}" of an earlier step`;
  if (code === "pressed_twice") return `, and its button "${button}" can be pressed again before the response`;
  if (field?.wrong === "missing") return ` without the field "${field.name}"`;
  if (field?.wrong === "of another form") return ` with the field "${field.name}" of another form`;
  if (field) return `, and its field "${field.name}" is ${field.wrong}`;
  if (label) return `, and its field "${label.field}" ${formatLabel(label)}`;
  const failure = shown === undefined ? "" : ` ("${shown}")`;
  if (code === "text_not_shown") return `${failure} without the text "${text}"`;
  return `${failure}${actual === expected && code !== "state_not_shown" ? "" : `, expected "${expected}"`}`;
}

function formatLabel({ what, shown, expected }: WrongLabel): string {
  if (what === "choice") return `${shown === "" ? "lacks the choice" : `offers "${shown}", expected`} "${expected}"`;
  if (what === "value") return `offers the value "${shown}", expected "${expected}"`;
  return `${shown === "" ? "has no label" : `is labelled "${shown}"`}, expected "${expected}"`;
}

const formatCount = ({ request, got, expected }: NonNullable<PathProblem["count"]>): string =>
  got === 0 ? `did not get ${request}` : `got ${request} ${formatTimes(got)} instead of ${formatTimes(expected)}`;

const formatTimes = (count: number): string => ["never", "once", "twice"][count] ?? `${count} times`;

/** How long the run waited, and what to do if the screen is only slow. */
function formatTime({ without, looks, lookTime }: TimeUp): string {
  const taken = lookTime === undefined ? "no look at the screen ended" : `${looks} looks of ${lookTime} ms`;
  return `The time was up: ${Math.round(without / 100) / 10} s without a change; ${taken}. If the screen is right and slow, give \`runPath\` a longer \`timeout\`.`;
}

const formatReceived = ({ request, values }: Received): string =>
  [request, ...Object.entries(values).map(([name, value]) => `${name}=${value}`)].join(" ");

/** The environment variables that test runners set, and how they run a test by name. The names of paths need no escaping. */
const runners = [
  ["VITEST", "npx vitest run -t"],
  ["JEST_WORKER_ID", "npx jest -t"],
  ["TEST_WORKER_INDEX", "npx playwright test -g"],
  ["NODE_TEST_CONTEXT", "node --test --test-name-pattern"],
] as const;

/** The command that runs one path; for an unknown test runner, an expression that finds the path. */
function formatCommand(name: string): string {
  // A page has no environment.
  const environment = typeof process === "undefined" ? {} : process.env;
  const [, command] = runners.find(([variable]) => environment[variable] !== undefined) ?? [];
  return command ? `${command} "${name}"` : `paths.filter(({ name }) => name === "${name}")`;
}
