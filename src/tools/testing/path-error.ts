import type { Difference } from "./difference.ts";
import type { Path, Received } from "./path-types.ts";

/**
 * Why a path ended. `step_not_shown`: the screen did not rest at the step. `text_not_shown`: it did, without the failure's text or
 * the bank's question. `text_still_shown`: it did, with the failure of an earlier try, or a client of an earlier login. `field_differs`: a field is missing, is that of
 * another form, or is not empty. `value_differs`: the bank got another value than the
 * path gave, or did not get the request that it holds. `driver_failed`: an action of the driver threw or did not end in time, or the
 * screen could not be read once.
 */
export type PathErrorCode =
  | "step_not_shown"
  | "text_not_shown"
  | "text_still_shown"
  | "field_differs"
  | "value_differs"
  | "driver_failed";

/** What an error is created from. */
export interface PathProblem {
  readonly code: PathErrorCode;
  readonly actual: string;
  readonly text?: string | undefined;
  readonly cause?: unknown;
  readonly difference?: Difference | undefined;
  /** A field's name, and what is wrong with it. */
  readonly field?: { readonly name: string; readonly wrong: "missing" | "of another form" | "not empty" } | undefined;
  /** The text of a failure that the screen shows. */
  readonly shown?: string | undefined;
  readonly received?: readonly Received[] | undefined;
  readonly picture?: string | undefined;
}

/**
 * A screen left a path. The first line of the message is a sentence:
 * `After "the form is filled in", "the form is sent": the screen shows "answering", expected "loggedIn".`
 * The others say how to run this path alone, what the bank got, and where the picture of the screen is.
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
  /** The step that the screen had to show. */
  readonly expected: string;
  /** The step that it showed; empty for none. */
  readonly actual: string;
  /** With `text_not_shown` the text that is missing, a failure's in English; with `text_still_shown` the text of the earlier failure or client. */
  readonly text: string | undefined;
  /** With `field_differs`: the name of the field. */
  readonly field: string | undefined;
  /** With `value_differs`: what the bank got. */
  readonly got: string | undefined;
  /** What the path gave, where the bank got another value or none; the request that did not come, such as `POST /login/`. */
  readonly gave: string | undefined;
  /** All that the bank got, where the driver has `received`: test data of the sandbox. */
  readonly received: readonly Received[] | undefined;
  /** What the driver's `takePicture` returned. */
  readonly picture: string | undefined;

  /** @internal */
  constructor(path: Path, step: number, problem: PathProblem) {
    const { code, actual, text, cause, field, difference, received, picture } = problem;
    const sentences = path.steps.slice(0, step + 1).map(({ sentence }) => sentence);
    const { expected } = path.steps[step] ?? { expected: path.start };
    const done = sentences.length > 0 ? `After ${sentences.map((sentence) => `"${sentence}"`).join(", ")}` : "At first";
    const lines = [
      `${done}: ${formatProblem(problem, expected)}.`,
      `Path ${path.number} of ${path.count}, alone: ${formatCommand(path.name)}`,
      ...(received ? [`The bank got: ${received.map(formatReceived).join(", ") || "nothing"}`] : []),
      ...(picture === undefined ? [] : [`The picture: ${picture}`]),
    ];
    super(lines.join("\n"), cause === undefined ? {} : { cause });
    this.code = code;
    this.path = path.name;
    this.step = step;
    this.sentence = sentences.at(-1) ?? "";
    this.expected = expected;
    this.actual = actual;
    this.text = code.startsWith("text_") ? text : undefined;
    this.field = field?.name;
    this.got = difference?.got;
    this.gave = difference?.gave;
    this.received = received;
    this.picture = picture;
  }
}

function formatProblem({ code, actual, text, cause, field, difference, shown }: PathProblem, expected: string): string {
  const sent = difference ? `the bank got ${difference.got ?? "nothing"}, the path gave ${difference.gave}, and ` : "";
  const driver =
    code === "driver_failed" ? `the driver failed (${cause instanceof Error ? cause.message : cause}), and ` : "";
  const step = actual === "" ? "nothing" : `"${actual}"`;
  const screen = `${sent}${driver}the screen shows ${step}`;
  if (code === "text_still_shown") return `${screen} with the text "${text}" of an earlier step`;
  if (field?.wrong === "missing") return `${screen} without the field "${field.name}"`;
  if (field?.wrong === "of another form") return `${screen} with the field "${field.name}" of another form`;
  if (field?.wrong === "not empty") return `${screen}, and its field "${field.name}" is not empty`;
  const failure = shown === undefined ? "" : ` ("${shown}")`;
  if (code === "text_not_shown") return `${screen}${failure} without the text "${text}"`;
  return `${screen}${failure}${actual === expected && code !== "step_not_shown" ? "" : `, expected "${expected}"`}`;
}

const formatReceived = ({ request, values }: Received): string =>
  [request, ...Object.entries(values).map(([name, value]) => `${name}=${value}`)].join(" ");

/** What a test runner sets in the environment of its tests, and how it runs those with a name. The names of paths need no escaping. */
const runners = [
  ["VITEST", "npx vitest run -t"],
  ["JEST_WORKER_ID", "npx jest -t"],
  ["TEST_WORKER_INDEX", "npx playwright test -g"],
  ["NODE_TEST_CONTEXT", "node --test --test-name-pattern"],
] as const;

/** The command that runs one path; where no test runner is known, an expression that finds it. */
function formatCommand(name: string): string {
  // A page has no environment.
  const environment = typeof process === "undefined" ? {} : process.env;
  const [, command] = runners.find(([variable]) => environment[variable] !== undefined) ?? [];
  return command ? `${command} "${name}"` : `paths.filter(({ name }) => name === "${name}")`;
}
