import type { LoginResponse } from "../../core/api/responses.ts";
import type { KeptStep } from "../kept/kept-row.ts";
import { type RelayResponse, respond } from "./relay-responses.ts";

/** The page's name for a key: the number of the submit that has led to it. The key stays in the store. */
export const toKeyName = (number: number): string => `step-${number}`;

/** The number in such a name; `NaN` for anything else. */
export const readStepNumber = (name: string): number => Number(/^step-(\d{1,5})$/.exec(name)?.[1] ?? Number.NaN);

const statuses = {
  question: "interaction_required",
  clients: "select_client",
  blocked: "max_sessions_reached",
} as const satisfies Readonly<Record<KeptStep["kind"], LoginResponse["status"]>>;

/** A step as the response to the submit that has led to it (contract, section 3), with the page's name for its key. */
export function toStepResponse({ kind, number, interaction, until }: KeptStep, now: number): RelayResponse {
  const key = toKeyName(number);
  const status = statuses[kind];
  if (!interaction) return respond(status, { key });
  const { field, fields, context, awaitsApproval, approvalSent } = interaction;
  // The question that the bank repeats after an approval is left to the person: the page may not know of the approval.
  const isAwaited = awaitsApproval && !approvalSent;
  return respond(status, {
    key,
    context,
    field: fields.length > 1 ? fields : field,
    ...(isAwaited && { awaits_approval: true }),
    number: interaction.number,
    ...(interaction.isRepeat && { repeat: true, answers_sent: interaction.answersSent }),
    ...(interaction.confirmationsSent && { confirmations_sent: interaction.confirmationsSent }),
    ...(approvalSent && { approval_sent: true }),
    time_left: Math.max(0, until - now),
  });
}
