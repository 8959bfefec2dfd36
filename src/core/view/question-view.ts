import type { ProviderDetail } from "../../../machines/provider.types.ts";
import type { Picture } from "../api/picture.ts";
import type { FormField } from "../login/form-fields.ts";
import { answerField, type InteractionKind, interactionKind } from "../login/interaction-kind.ts";
import type { LoginSnapshot } from "../login/login-state.ts";
import { describeFailure } from "../texts/describe-failure.ts";
import { formTexts, type LanguageOptions } from "../texts/languages.ts";

/** A picture to show: `<img src={url} alt={alt}>`. */
export interface PictureView extends Picture {
  /** The alternative text, in the person's language. */
  readonly alt: string;
}

/**
 * What the bank asks after the login, and what kind of answer it takes: with `kind` `picture` show `picture` above the field; with
 * `confirmation` there is nothing to type in: `field` is `hidden` and its `initial` the answer, or it is for a person who has a code, and the
 * answer may be empty.
 */
export type QuestionView = QuestionDetails &
  (
    | Exclude<InteractionKind, { kind: "picture" }>
    | { readonly kind: "picture"; readonly picture: PictureView | undefined }
  );

interface QuestionDetails {
  /** The bank's own text (contract, section 2.3, `context`); what to do, if that is a picture or empty. */
  readonly text: string;
  /** The field of the answer; of several, the first one. */
  readonly field: FormField;
  /** All fields of the answer, in the bank's order: mostly one, `field`. Show each of them. */
  readonly fields: readonly FormField[];
  /** 1 for the login's first interaction. */
  readonly number: number;
  /** Whether the bank asks for the same field again, right after an answer to it: the answer may not have been accepted, or the person has not confirmed yet. */
  readonly isRepeat: boolean;
  /** How many answers to this field were sent in a row, without the confirmations; 0 unless `isRepeat`. */
  readonly answersSent: number;
  /**
   * Why the question shows again, in the person's language: how many answers were sent, that the confirmation has not come yet, or that the answer did not reach
   * the bank. Show it beside the question.
   */
  readonly repeatText: string | undefined;
  /** Whether the answer that was sent did not reach the bank. What was typed is still right. */
  readonly isUnreceived: boolean;
  /** With a confirmation: whether the login continues automatically once the bank's app knows. Show that it waits. */
  readonly awaitsApproval: boolean;
  /** When the time to answer runs out, in milliseconds since the epoch. */
  readonly expiresAt?: number | undefined;
}

/** The text for a person whom the bank asks for the same field again. Without an answer that could be wrong, a confirmation was too early. */
export function formatRepeat(answersSent: number, language: LanguageOptions): string {
  const { repeated, notConfirmed } = formTexts(language);
  return answersSent === 0 ? notConfirmed : `${repeated} ${answersSent}.`;
}

/** The text for a person whose answer, or choice, has not reached the bank. */
export const formatUnreceived = (
  failure: LoginSnapshot["context"]["failure"],
  { locale, texts }: LanguageOptions,
): string | undefined => failure && describeFailure(failure, locale, texts).text;

/** The open interaction of a login, for the person. */
export function questionView(
  { interaction, provider, failure, settings: { interactionKinds } }: LoginSnapshot["context"],
  detail: ProviderDetail | undefined,
  language: LanguageOptions,
): QuestionView {
  // A snapshot that an earlier version has stored lacks some.
  const {
    field = "",
    fields = [field],
    context = "",
    number = 1,
    isRepeat = false,
    answersSent = 0,
    awaitsApproval = false,
    approvalSent = false,
    expiresAt,
  } = interaction ?? {};
  const options = { ...language, detail, provider, interactionKinds };
  const kind = interactionKind({ field, fields, context }, options);
  const first = answerField(field, kind, options);
  const others = fields
    .slice(1)
    .map((field) => answerField(field, interactionKind({ field, fields, context }, options), options));
  const details = {
    text: context,
    field: first,
    fields: [first, ...others],
    number,
    isRepeat,
    answersSent,
    repeatText: formatUnreceived(failure, language) ?? (isRepeat ? formatRepeat(answersSent, language) : undefined),
    isUnreceived: failure !== undefined,
    awaitsApproval: awaitsApproval && !approvalSent && kind.kind === "confirmation",
    expiresAt,
  };
  const texts = formTexts(language);
  switch (kind.kind) {
    case "picture":
      return kind.picture
        ? { ...details, ...kind, text: texts.picture, picture: { ...kind.picture, alt: texts.pictureAlt } }
        : { ...details, ...kind, text: texts.noPicture, picture: undefined };
    case "confirmation":
      return { ...details, ...kind, text: context || texts.confirmation };
    case "code":
      return { ...details, ...kind, text: context || texts.code };
    case "choices":
    case "question":
      return { ...details, ...kind, text: context || texts.question };
  }
}
