import type { Path } from "./path-types.ts";

/**
 * Why a path ended. `step_not_shown`: the screen did not rest at the step. `text_not_shown`: it did, without the failure's text or
 * the bank's question. `driver_failed`: the driver threw, or did not end in time.
 */
export type PathErrorCode = "step_not_shown" | "text_not_shown" | "driver_failed";

/**
 * A screen left a path. The message is a sentence:
 * `After "the form is filled in", "the form is sent": the screen shows "answering", expected "loggedIn".`
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
  /** With `text_not_shown`: the text that is missing, a failure's in English. */
  readonly text: string | undefined;

  /** @internal */
  constructor(
    code: PathErrorCode,
    path: Path,
    step: number,
    { actual, text, cause }: { readonly actual: string; readonly text?: string | undefined; readonly cause?: unknown },
  ) {
    const sentences = path.steps.slice(0, step + 1).map(({ sentence }) => sentence);
    const { expected } = path.steps[step] ?? { expected: path.start };
    const done = sentences.length > 0 ? `After ${sentences.map((sentence) => `"${sentence}"`).join(", ")}` : "At first";
    const problem =
      code === "driver_failed"
        ? `the driver failed (${cause instanceof Error ? cause.message : String(cause)}), and `
        : "";
    const lack = code === "text_not_shown" ? ` without the text "${text}"` : `, expected "${expected}"`;
    super(
      `${done}: ${problem}the screen shows ${actual === "" ? "nothing" : `"${actual}"`}${lack}.`,
      cause === undefined ? {} : { cause },
    );
    this.code = code;
    this.path = path.name;
    this.step = step;
    this.sentence = sentences.at(-1) ?? "";
    this.expected = expected;
    this.actual = actual;
    this.text = code === "text_not_shown" ? text : undefined;
  }
}
