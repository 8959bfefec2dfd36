import type { Interaction } from "../../../machines/login.types.ts";
import { nextInteraction } from "../../../machines/next-interaction.ts";
import type { KeptLogin } from "../../core/view/kept-login.ts";
import type { Environment } from "../environment.ts";
import type { RelayResponse } from "../relay/relay-responses.ts";
import { findLoginSubmits, type StoredSession, type StoredSubmit } from "./session-records.ts";

/** The step of a session as its page gets it: times are milliseconds from now. */
export type PageLogin = Omit<KeptLogin, "version" | "attempt"> & {
  readonly attempt?: { readonly id: string; readonly isConfirmation?: true; readonly isApproval?: true };
};

/** What came of a submit. */
type Read = (session: StoredSession, submit: StoredSubmit) => Promise<RelayResponse | undefined>;

/** What the bank asks for, and the number of the submit after which it does. */
interface Asked {
  readonly number: number;
  readonly interaction: Interaction;
}

/** What stands for a key in the page: the number of its submit. The key stays in the store. */
export const toKeyName = (number: number): string => `step-${number}`;

/** What a page that is opened goes on with: the bank's question, or the submit that it waits for. `undefined` for the form. */
export async function toKeptLogin(
  session: StoredSession,
  read: Read,
  { now }: Pick<Environment, "now">,
): Promise<PageLogin | undefined> {
  const { last } = session;
  if (!last || last.result?.kind === "refused") return undefined;
  if (last.result?.kind === "question" && now() >= (last.result.until ?? 0)) return undefined;
  const asked = await readInteraction(session, read);
  const login = { id: session.login ?? last.attempt, provider: last.provider };
  const isAsked = last.result?.kind === "question";
  const question = asked && toQuestion(asked, now());
  if (isAsked && asked?.number === last.number) return { ...login, question };
  // The page asks for it, as one that has lost the response: it waits, or gets the choice of clients.
  const { isConfirmation, isApproval } = last;
  const attempt = { id: last.attempt, ...(isConfirmation && { isConfirmation }), ...(isApproval && { isApproval }) };
  return { ...login, attempt, ...(!isAsked && question && { question }) };
}

/** The last interaction of the last login, as the statechart has it. */
export async function readInteraction({ submits, ...session }: StoredSession, read: Read): Promise<Asked | undefined> {
  let asked: Asked | undefined;
  for (const submit of findLoginSubmits(submits)) {
    if (submit.result?.kind !== "question") continue;
    asked = toInteraction(submit, await read({ submits, ...session }, submit), asked?.interaction);
  }
  return asked;
}

/** The interaction after another one. `undefined` for the choice of a client, and where only the bank's fields name the field. */
export function toInteraction(
  { number, result, isConfirmation, isApproval }: StoredSubmit,
  response: RelayResponse | undefined,
  last?: Interaction,
): Asked | undefined {
  const { status, field: named, context, awaits_approval: awaitsApproval } = response?.body ?? {};
  const fields = [named].flat().filter((name) => typeof name === "string");
  const [field] = fields;
  if (status !== "interaction_required" || field === undefined) return undefined;
  const asked = {
    field,
    fields,
    context: typeof context === "string" ? context : "",
    expiresAt: result?.until,
    isResumable: true,
    awaitsApproval: awaitsApproval === true || undefined,
  };
  const answerKind = isApproval ? "approval" : isConfirmation ? "confirmation" : "text";
  return { number, interaction: nextInteraction(last, answerKind, asked) };
}

function toQuestion({ number, interaction }: Asked, now: number): KeptLogin["question"] {
  const { fields, expiresAt = 0, ...others } = interaction;
  return {
    key: toKeyName(number),
    interaction: { ...others, fields: [...fields], expiresAt: expiresAt - now, isResumable: true },
  };
}
