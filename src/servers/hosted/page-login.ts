import type { KeptLogin } from "../../core/view/kept-login.ts";
import type { Environment } from "../environment.ts";
import { findStep, isUnderWay, type KeptStep } from "../kept/kept-row.ts";
import { type RelayResponse, respond } from "../relay/relay-responses.ts";
import type { Session } from "./session-row.ts";

/** The step of a session as its page gets it: times are milliseconds from now. */
export type PageLogin = Omit<KeptLogin, "version" | "attempt"> & {
  readonly attempt?: { readonly id: string; readonly isConfirmation?: true; readonly isApproval?: true };
};

/** What stands for a key in the page: the number of the submit that has led to it. The key stays in the store. */
export const toKeyName = (number: number): string => `step-${number}`;

/** The number in such a name; `NaN` for anything else. */
export const readStepNumber = (name: string): number => Number(/^step-(\d{1,5})$/.exec(name)?.[1] ?? Number.NaN);

/** A step as the response to the submit that has led to it (contract, section 3), with the page's name for its key. */
export function toStepResponse({ kind, number, interaction }: KeptStep): RelayResponse {
  const key = toKeyName(number);
  if (!interaction) return respond(kind === "clients" ? "select_client" : "max_sessions_reached", { key });
  const { field, fields, context, awaitsApproval, approvalSent } = interaction;
  // The question that the bank repeats after an approval is left to the person: a page may not know of the approval.
  const isAwaited = awaitsApproval && !approvalSent;
  return respond("interaction_required", {
    key,
    context,
    field: fields.length > 1 ? fields : field,
    resumable: true,
    ...(isAwaited && { awaits_approval: true }),
  });
}

/** What a page that is opened goes on with: the bank's question, or the submit that it waits for. `undefined` for the form. */
export function toPageLogin({ id, row }: Session, { now }: Pick<Environment, "now">): PageLogin | undefined {
  const { last, login = id } = row;
  if (!last) return undefined;
  const { provider } = last;
  const step = findStep(row, now());
  const question = step && toQuestion(step, now());
  if (last.result && question) return { id: login, provider, question };
  // The page asks for it, as one that has lost the response: it waits, or gets the choice of clients.
  const isAsking = isUnderWay(row, now()) || last.result?.kind === "unknown" || step?.kind === "clients";
  if (!isAsking) return undefined;
  const isConfirmation = last.answerKind !== undefined;
  const isApproval = last.answerKind === "approval";
  const attempt = {
    id: login,
    ...(isConfirmation && { isConfirmation }),
    ...(isApproval && { isApproval }),
  } as PageLogin["attempt"];
  return { id: login, provider, ...(attempt && { attempt }), ...(question && { question }) };
}

function toQuestion({ number, interaction }: KeptStep, now: number): KeptLogin["question"] {
  if (!interaction) return undefined;
  const { fields, expiresAt = 0, ...others } = interaction;
  return {
    key: toKeyName(number),
    interaction: { ...others, fields: [...fields], expiresAt: expiresAt - now, isResumable: true },
  };
}

/**
 * The number of the last submit that a page knows of. One that is under way, or of which nobody knows what came, it has still to ask for.
 */
export function toLastNumber({ row }: Session, login: PageLogin | undefined): number {
  return login?.attempt ? (row.last?.number ?? 1) - 1 : row.number;
}
