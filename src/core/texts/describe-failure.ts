import { type FailureCode, type FailureText, findFailure, type Recovery } from "../api/failures.ts";
import { failureTexts, type Texts } from "./languages.ts";

/** What a person is told of a failure, and what helps. */
export interface FailureDescription {
  /** What happened and what to do, in the person's language. */
  readonly text: string;
  /** What the person can do about it. */
  readonly recovery: Recovery;
  /** Whether the same call may succeed later without a change. It never means that ventanilla repeats a login. */
  readonly retryable: boolean;
}

/**
 * Describes a failure to a person. `docs/errors.md` says what each code means for a developer.
 *
 * @param failure a code of the table, or what has one: a `BankError`, the `Failure` of a statechart. A code of another version is
 * described as `unexpected_fault`.
 * @param locale a language tag, such as `es-MX` or `navigator.language`. Default, and where there are no texts in it: `en`.
 * @param texts words in place of the built-in ones, whole or in part. Default: the built-in ones.
 */
export function describeFailure(
  failure: FailureCode | { readonly code: string },
  locale?: string,
  texts?: Texts,
): FailureDescription {
  const {
    code,
    kind,
    recovery,
    text,
    retryable = false,
  } = findFailure(typeof failure === "string" ? failure : failure.code);
  const name = text ?? (kind === "outcome" ? code : recovery);
  return { text: failureTexts({ locale, texts })[name as FailureText], recovery, retryable };
}
