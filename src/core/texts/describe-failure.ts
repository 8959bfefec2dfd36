import { isUnreceived } from "../../../machines/slots.ts";
import { endpoints } from "../api/bank-request.ts";
import {
  type Failure,
  type FailureCode,
  type FailureText,
  findFailure,
  mayHaveArrived,
  type Recovery,
} from "../api/failures.ts";
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
 * @param failure a code of the table, or what has one: a `BankError`, the `Failure` of a statechart. Its `request`, `httpStatus` and `detail` tell
 * whether the bank may have received something; of a code alone that is not known. A code of another version is described as `unexpected_fault`.
 * @param locale a language tag, such as `es-MX` or `navigator.language`. Default, and where there are no texts in it: `en`.
 * @param texts words in place of the built-in ones, whole or in part. Default: the built-in ones.
 */
export function describeFailure(
  failure: FailureCode | Pick<Failure, "code" | "request" | "httpStatus" | "detail">,
  locale?: string,
  texts?: Texts,
): FailureDescription {
  const known = typeof failure === "string" ? { code: failure } : failure;
  const { code, kind, recovery, text, retryable = false } = findFailure(known.code);
  const words = failureTexts({ locale, texts });
  const own = (text ?? (kind === "outcome" ? code : recovery)) as FailureText;
  const sentence = words[isUnreceived(known) ? "not_received" : own];
  // The text of `outcome_unknown` says it.
  const isDoubtful = mayHaveArrived(known) && !isRead(known.request) && code !== "outcome_unknown";
  return { text: isDoubtful ? `${sentence} ${words.may_have_arrived}` : sentence, recovery, retryable };
}

/** Whether a request has sent nothing of the person's. How a submit has ended is read after it was sent. */
function isRead(request = ""): boolean {
  return request !== "GET /submit/" && (endpoints as Readonly<Record<string, string>>)[request] === "read";
}
