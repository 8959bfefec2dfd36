import type { Interaction, LoginContext, SubmitOutput } from "./login.types.ts";

/** Milliseconds to answer an interaction, or to choose a client, by default. */
export const ANSWER_TIMEOUT = 300_000;

type InteractionRequired = Omit<Extract<SubmitOutput, { status: "interaction_required" }>, "status" | "key">;

/**
 * What the bank asks for now, by what it asked for before, how that was answered, and its response (contract, section 2.3). The one rule for a statechart, and
 * for a server that keeps the login of a page.
 *
 * @param last `undefined` after the credentials.
 */
export function nextInteraction(last: Interaction | undefined, answerKind: LoginContext["answerKind"], asked: InteractionRequired): Interaction {
  const { field, fields = [field], context, expiresAt, awaitsApproval, counted } = asked;
  if (counted) return { field, fields, context, expiresAt, awaitsApproval, ...counted };
  // The last one was answered, or the bank would not ask again.
  const isRepeat = last?.field === field;
  // The person has not confirmed yet, which is not a wrong answer.
  const isEarly = isRepeat && (answerKind === "confirmation" || answerKind === "approval");
  // Those of the person. What the login has answered automatically counts in the limit.
  const confirmationsSent = (last?.confirmationsSent ?? 0) + (isEarly && answerKind === "confirmation" ? 1 : 0);
  return {
    field,
    fields,
    context,
    // A person who confirms too early again and again gets no more time.
    expiresAt: isEarly ? last.expiresAt : asked.expiresAt,
    number: (last?.number ?? 0) + 1,
    isRepeat,
    answersSent: isRepeat ? last.answersSent + (isEarly ? 0 : 1) : 0,
    confirmationsSent: confirmationsSent || undefined,
    approvalSent: (isRepeat && (last.approvalSent || answerKind === "approval")) || undefined,
    awaitsApproval,
  };
}

/** Whether the bank asks for more than the settings of the login allow. */
export function isOverLimit({ interaction: last, answerKind, settings }: LoginContext, asked: InteractionRequired): boolean {
  const { number, confirmationsSent = 0, isRepeat, answersSent } = nextInteraction(last, answerKind, asked);
  const { interactionLimit = 10, repeatLimit = 5 } = settings;
  return number - confirmationsSent > interactionLimit || (isRepeat && answerKind === "text" && answersSent >= repeatLimit);
}
