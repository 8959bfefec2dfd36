/** What a `PathError` tells. */
export interface PathErrorDetails {
  /** The path's name. */
  readonly path: string;
  /** The step's place in `path.steps`; -1 before the first. */
  readonly step: number;
  /** What was done, and before it what led there. */
  readonly sentences: readonly string[];
  /** The step that the screen had to show. */
  readonly expected: string;
  /** The step that it showed; empty for none. */
  readonly actual: string;
  /** What the driver threw, where it threw. */
  readonly cause?: unknown;
}

/**
 * A screen left a path. The message is a sentence:
 * `After "the form is filled in", "the form is sent": the screen shows "answering", expected "loggedIn".`
 */
export class PathError extends Error {
  override get name() {
    return "PathError" as const;
  }
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

  /** @internal */
  constructor({ path, step, sentences, expected, actual, cause }: PathErrorDetails) {
    const done = sentences.length > 0 ? `After ${sentences.map((sentence) => `"${sentence}"`).join(", ")}` : "At first";
    const problem = cause === undefined ? "" : `the driver failed (${reasonOf(cause)}), and `;
    super(
      `${done}: ${problem}the screen shows ${actual === "" ? "nothing" : `"${actual}"`}, expected "${expected}".`,
      cause === undefined ? {} : { cause },
    );
    this.path = path;
    this.step = step;
    this.sentence = sentences.at(-1) ?? "";
    this.expected = expected;
    this.actual = actual;
  }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
