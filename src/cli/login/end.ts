import {
  type AskedInteraction,
  type BankError,
  type ClientEntry,
  type FailureCode,
  failures,
  failureText,
  reveal,
  type Secret,
} from "../../index.ts";
import type { EndStatus } from "../exit-codes.ts";
import { writePrivate } from "../settings/files.ts";
import { sealSession } from "../settings/session-key.ts";
import { type Given, textOf } from "../settings/settings.ts";
import { defined, type Output, paint } from "../terminal/output.ts";

/** How a login of the command line ended, or where it was left: an outcome, or the fault that ended it. */
export interface LoginEnd {
  readonly status: EndStatus;
  readonly provider: string | undefined;
  readonly key?: Secret | undefined;
  readonly httpStatus?: number | undefined;
  readonly wireStatus?: string | undefined;
  readonly fault?: BankError | undefined;
  /** With `interaction_required` and `paused`: what the bank asks. */
  readonly interaction?: AskedInteraction | undefined;
  /** The same in words. */
  readonly question?: string | undefined;
  readonly clients?: readonly ClientEntry[] | undefined;
}

export interface EndOptions {
  readonly given: Given;
  readonly output: Output;
  readonly sealKey: Secret | undefined;
  /** The service's address, which a sealed key is good for. */
  readonly audience: string;
  readonly isInterrupted: boolean;
}

/** Tells how a login ended, and hands out its key as asked. */
export async function reportEnd(end: LoginEnd, options: EndOptions): Promise<EndStatus> {
  const { output } = options;
  const { status, provider, interaction, question, clients, key, fault } = end;
  // With max_sessions_reached it is the key of somebody else's session.
  const isOwn = status === "logged_in" || status === "select_client";
  const handed = key && isOwn ? await handOut(key, options) : undefined;
  const line = defined({
    provider,
    field: fault?.field,
    httpStatus: end.httpStatus,
    wireStatus: end.wireStatus,
    request: fault?.request,
    retryAfter: fault?.retryAfter,
    detail: fault?.detail,
    ...(interaction && { field: interaction.field, context: interaction.context, number: interaction.number }),
    kind: interaction?.kind,
    choices: interaction?.kind === "choices" ? interaction.choices : undefined,
    ...(interaction && { isRepeat: interaction.isRepeat, answersSent: interaction.answersSent }),
    ...(interaction?.expiresAt && { expiresAt: new Date(interaction.expiresAt).toISOString() }),
    clients,
    ...handed,
  });
  const text = textOfEnd(status, output);
  const printed = handed?.key ?? handed?.sealedKey;
  if (printed && !output.json) output.result({}, printed);
  if (status !== "logged_in") {
    output.failure(status, question ? `${text} (${question})` : text, line, fault);
    if (options.isInterrupted) output.say(output.text("interrupted"));
    return status;
  }
  if (output.json) output.result({ status, ...line }, "");
  else output.say([paint("green", status), `: ${text}`]);
  return status;
}

/** The key for the result, and in its file. Nothing where nobody asked for it. */
async function handOut(
  key: Secret,
  { given, sealKey, audience }: EndOptions,
): Promise<{ key?: string; sealedKey?: string }> {
  const isPrinted = given["print-key"] === true;
  const path = textOf(given, "key-to");
  if (!isPrinted && path === undefined) return {};
  const sealed = sealKey && given["seal"] === true ? await sealSession(key, sealKey, audience) : undefined;
  if (path !== undefined) await writePrivate("--key-to", path, `${sealed ?? reveal(key)}\n`);
  if (!isPrinted) return {};
  return sealed === undefined ? { key: reveal(key) } : { sealedKey: sealed };
}

function textOfEnd(status: EndStatus, output: Output): string {
  switch (status) {
    case "logged_in":
      return output.text("loggedIn");
    case "select_client":
      return output.text("selectClient");
    case "interaction_required":
      return output.text("interactionRequired");
    case "paused":
      return output.text("paused");
    default:
      return status in failures ? failureText(status as FailureCode, output.locale) : status;
  }
}
