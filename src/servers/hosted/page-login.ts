import type { KeptLogin } from "../../core/view/kept-login.ts";
import type { RelayResponse } from "../relay/relay-responses.ts";
import type { StoredSession, StoredSubmit } from "./session-records.ts";
import { toKeyName } from "./session-submits.ts";

/** The step of a session as its page gets it: times are milliseconds from now. */
export type PageLogin = Omit<KeptLogin, "version" | "attempt"> & {
  readonly attempt?: { readonly id: string; readonly isConfirmation?: true; readonly isApproval?: true };
};

type Read = (session: StoredSession, submit: StoredSubmit) => Promise<RelayResponse | undefined>;

type Question = NonNullable<KeptLogin["question"]>;

/**
 * What a page that is opened goes on with: the bank's question, or the submit that it waits for. `undefined` for the form.
 *
 * @param read what came of a submit.
 */
export async function toKeptLogin(session: StoredSession, read: Read): Promise<PageLogin | undefined> {
  const { last } = session;
  if (!last || last.result?.kind === "refused") return undefined;
  if (last.result?.kind === "question" && Date.now() >= (last.result.until ?? 0)) return undefined;
  // The submits of this login.
  const sent = session.submits.filter(({ result }) => result?.kind !== "unsent");
  const steps = sent.slice(sent.findLastIndex(({ kind }) => kind === "login"));
  let question: Question | undefined;
  for (const submit of steps) {
    if (submit.result?.kind === "question") question = toQuestion(submit, await read(session, submit), question);
  }
  const login = { id: session.login ?? last.attempt, provider: last.provider };
  const isAsked = last.result?.kind === "question";
  if (isAsked && question?.key === toKeyName(last.number)) return { ...login, question };
  // The page asks for it, as one that has lost the response: it waits, or gets the choice of clients.
  const { isConfirmation, isApproval } = last;
  const attempt = { id: last.attempt, ...(isConfirmation && { isConfirmation }), ...(isApproval && { isApproval }) };
  return { ...login, attempt, ...(!isAsked && question && { question }) };
}

/** The question as the statechart has it, after the one before. `undefined` for the choice of a client, and where only the bank's fields name the field. */
export function toQuestion(
  { number, result, isConfirmation, isApproval }: StoredSubmit,
  response: RelayResponse | undefined,
  before: Question | undefined,
): Question | undefined {
  const { status, field: named, context, awaits_approval: awaitsApproval } = response?.body ?? {};
  const fields = [named].flat().filter((name) => typeof name === "string");
  const [field] = fields;
  if (status !== "interaction_required" || field === undefined) return undefined;
  const last = before?.interaction;
  const isRepeat = last?.field === field;
  const isEarly = isRepeat && isConfirmation === true;
  const confirmationsSent = (last?.confirmationsSent ?? 0) + (isEarly && !isApproval ? 1 : 0);
  const approvalSent = isRepeat && (last.approvalSent || isApproval);
  return {
    key: toKeyName(number),
    interaction: {
      field,
      fields,
      context: typeof context === "string" ? context : "",
      number: (last?.number ?? 0) + 1,
      isRepeat,
      answersSent: isRepeat ? last.answersSent + (isEarly ? 0 : 1) : 0,
      ...(confirmationsSent > 0 && { confirmationsSent }),
      expiresAt: (result?.until ?? 0) - Date.now(),
      isResumable: true,
      ...(awaitsApproval === true && { awaitsApproval }),
      ...(approvalSent && { approvalSent }),
    },
  };
}
