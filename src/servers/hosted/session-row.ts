import { type FailureCode, findFailure } from "../../core/api/failures.ts";
import { readRefusalStatus } from "../../core/api/refusals.ts";
import type { StoredLogin } from "../../core/view/kept-login.ts";
import type { Environment } from "../environment.ts";
import { type BankResponse, findStep, isUnderWay, type KeptRow, type SubmitResult } from "../kept/kept-row.ts";
import type { Kept } from "../kept/kept-rows.ts";
import type { HostedProgress, HostedSession, HostedStatus, NewHostedSession } from "./hosted-options.ts";

/** The data of a hosted login in the row of its login. */
export interface SessionDoor
  extends Pick<NewHostedSession, "user" | "provider" | "locale" | "returnTo" | "bindUsername" | "ignoreKnownRefusal"> {
  /** The address of the hosted login: several may share the store. */
  readonly url: string;
  readonly username?: string;
  /** Whether a page has shown it. */
  readonly isOpened?: true;
  /** When the bank gave the known refusal that the last form got instead of being sent. The same form is sent if it is submitted again. */
  readonly warnedOf?: number;
  /** The minute after its end in which an instance calls `onEnd`, and whether that has succeeded. */
  readonly lease?: number;
  readonly isConclusive?: true;
  readonly recipient?: KeyRecipient;
  /** The last step of a session that was cancelled or has expired: its end contains no interaction. */
  readonly left?: LastStep;
}

/** The last step of a session that has ended without a response of the bank. */
export type LastStep = Pick<HostedSession, "lastStep" | "failure">;

interface KeyRecipient {
  /** The digest of its name. */
  readonly name: string;
  /** When its key is dropped, in milliseconds since the epoch. */
  readonly until: number;
}

export type SessionRow = KeptRow<SessionDoor>;
export type Session = Kept<SessionDoor>;

/** Called once for each step, by the instance that has recorded it. */
export type NotifyProgress = (
  session: Session,
  step: Pick<HostedProgress, "type" | "provider" | "number" | "failure">,
) => void;

/** The status of a session. @param isExpired as the store says. */
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
  // A logout of another session is not a try at this one.
  return { lastStep: "refused", ...(kind !== "logout" && { failure: readRefusalOf(result) }) };
}

/** Whether nothing can be sent any more, if the store agrees. A login that was sent in time may still reach its session. */
export const isOverdue = (row: SessionRow, { now }: Pick<Environment, "now">): boolean =>
  !row.end && now() >= row.expiresAt && !isUnderWay(row, now());

const toLoginTime = ({ end }: SessionRow): { readonly loggedInAt?: Date } =>
  end?.status === "logged_in" ? { loggedInAt: new Date(end.at) } : {};

/** The session as the app receives it, at its end and on the way. */
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

/** The login of a session that its page continues with, by the number of the submit to ask for. */
export type PageLogin = Pick<StoredLogin, "id" | "provider" | "number">;

/** What a page that is opened continues with: what the bank waits for, or the submit that it waits for itself. `undefined` for the form. */
export function toPageLogin({ id, row }: Session, { now }: Pick<Environment, "now">): PageLogin | undefined {
  const { last, login = id } = row;
  const isOpen = isUnderWay(row, now()) || last?.result?.kind === "unknown" || findStep(row, now()) !== undefined;
  return last && isOpen ? { id: login, provider: last.provider, number: last.number } : undefined;
}

/** Why a submit failed, for the app. */
export function readRefusalOf(response: Exclude<BankResponse, { kind: "responded" }> | SubmitResult): FailureCode {
  const { body = {} } = response.kind === "responded" ? response.response : {};
  const { status, error = "outcome_unknown" } = body;
  return typeof status === "string" ? readRefusalStatus({ ...body, status }) : findFailure(String(error)).code;
}
