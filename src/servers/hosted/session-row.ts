import { type FailureCode, findFailure } from "../../core/api/failures.ts";
import { readRefusalStatus } from "../../core/api/refusals.ts";
import type { Environment } from "../environment.ts";
import { type BankResponse, isUnderWay, type KeptRow, type SubmitResult } from "../kept/kept-row.ts";
import type { Kept } from "../kept/kept-rows.ts";
import type { HostedProgress, HostedSession, HostedStatus, NewHostedSession } from "./hosted-options.ts";

/** What a hosted login keeps in the row of its login. */
export interface SessionDoor
  extends Pick<NewHostedSession, "user" | "provider" | "locale" | "returnTo" | "bindUsername" | "ignoreKnownRefusal"> {
  /** The address of the hosted login: several may share the store. */
  readonly url: string;
  readonly username?: string;
  /** Whether a page has shown it. */
  readonly isOpened?: true;
  /** The known refusal that the last form got in place of the bank: the same form once more is sent. */
  readonly warnedOf?: number;
  /** The minute after its end in which an instance calls `onEnd`, and whether that has worked. */
  readonly turn?: number;
  readonly isConclusive?: true;
  /** Who has taken the session key. */
  readonly taker?: KeyRecipient;
  /** The last step of a session that was cancelled or has expired: its end keeps nothing of what was asked. */
  readonly left?: LastStep;
}

/** The last step of a session that has ended without an answer of the bank. */
export type LastStep = Pick<HostedSession, "lastStep" | "failure">;

/** The first taker of a session key. */
interface KeyRecipient {
  /** The digest of its name. */
  readonly name: string;
  /** When its key is forgotten, in milliseconds since the epoch. */
  readonly until: number;
}

export type SessionRow = KeptRow<SessionDoor>;
export type Session = Kept<SessionDoor>;

/** Where a session is. @param isExpired as the store says. */
export function readStatus(row: SessionRow, isExpired: boolean): HostedStatus {
  const { end, last, door } = row;
  if (end) return end.status;
  if (isExpired) return "expired";
  const isAsking = last?.result ? last.result.kind === "asked" : last !== undefined && last.kind !== "credentials";
  if (isAsking) return "awaiting_interaction";
  return door.isOpened || last ? "opened" : "created";
}

/** The last step of a session that is about to end, for the app. */
export function readLastStep({ door, last }: SessionRow): LastStep {
  if (!last) return { lastStep: door.isOpened ? "opened" : "created" };
  const { kind, result } = last;
  if (!result) return { lastStep: "submitting" };
  if (result.kind === "asked") return { lastStep: "awaiting_interaction" };
  // What closes another session is no try at this one.
  return { lastStep: "refused", ...(kind !== "logout" && { failure: readRefusalOf(result) }) };
}

/** Whether nothing can be sent any more, if the store says so too. A login that was sent in time may still reach its session. */
export const isOverdue = (row: SessionRow, { now }: Pick<Environment, "now">): boolean =>
  !row.end && now() >= row.expiresAt && !isUnderWay(row, now());

/** When the session at the bank began. */
const toLoginTime = ({ end }: SessionRow): { readonly loggedInAt?: Date } =>
  end?.status === "logged_in" ? { loggedInAt: new Date(end.at) } : {};

/** What an app is told of a session, at its end and on the way. */
export function describe({
  id,
  row,
}: Session): Pick<HostedProgress, "id" | "user" | "provider" | "failure" | "login"> &
  Pick<HostedSession, "loggedInAt" | "lastStep"> {
  const { door, end, login } = row;
  const provider = end?.provider ?? door.provider;
  return {
    id,
    user: door.user,
    ...(provider && { provider }),
    ...(end?.failure && { failure: end.failure }),
    ...(login && { login }),
    ...door.left,
    ...toLoginTime(row),
  };
}

/** Why nothing came of a submit, for the app. */
export function readRefusalOf(response: Exclude<BankResponse, { kind: "responded" }> | SubmitResult): FailureCode {
  const { body = {} } = response.kind === "responded" ? response.response : {};
  const { status, error = "outcome_unknown" } = body;
  return typeof status === "string" ? readRefusalStatus({ ...body, status }) : findFailure(String(error)).code;
}
