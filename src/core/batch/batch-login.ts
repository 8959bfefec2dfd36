import { BankError, wrapThrown } from "../api/errors.ts";
import { type Failure, type FailureCode, mayHaveArrived } from "../api/failures.ts";
import type { CredentialTexts } from "../login/credentials.ts";
import { type LoginOptions, loginOptions } from "../login/login.ts";
import type { LoginState } from "../login/login-state.ts";
import type { LoginOutcome } from "../login/outcome.ts";
import type { StopReason, Verdict } from "./batch-schedule.ts";

/** A login of a batch: the credentials and the options of `login()`, and its name in the batch. */
export interface BatchRow extends CredentialTexts, Omit<LoginOptions, "signal"> {
  /** Unique in the batch, and the same in its next run. The result contains it, so it must not be a secret. */
  readonly id: string;
  /** The row is sent once per attempt: a new number sends it again. Default 1. */
  readonly attempt?: number;
}

/** How a login of a batch ended: with an outcome, or with the fault that `login()` would reject with. */
export type BatchResult = {
  /** The row's id. */
  readonly id: string;
  /** The row's attempt. */
  readonly attempt: number;
  /** The bank's code. */
  readonly provider: string;
  /** Milliseconds from its begin to its end. */
  readonly milliseconds: number;
  /** `false` if it can't have reached the bank, so that a new attempt is safe. */
  readonly sent: boolean;
  /**
   * Why the batch begins no more logins after this result. `setUp`: the API key, the address or the answer command is wrong, so the next login would end the
   * same way. `maxFaults`: too many in a row ended with a fault.
   */
  readonly stop?: StopReason | undefined;
} & (
  | {
      /** An open login waits for you; the batch no longer counts it. */
      readonly outcome: LoginOutcome;
      readonly fault?: undefined;
    }
  | {
      /** `outcome_unknown` with the field `journal`: this attempt was begun before, and was not sent now. */
      readonly fault: BankError;
      readonly outcome?: undefined;
    }
);

/**
 * Remembers which rows of a batch were begun, in all its runs, and how they ended. A file is a journal. With your own journal in a database, several processes can
 * run the same batch at the same time.
 */
export interface BatchJournal {
  /**
   * Records that an attempt of a row is about to be sent. Nothing is sent until it resolves, however long that takes.
   *
   * @returns whether it may be sent: `false` if it was recorded before, atomically for all runs.
   */
  begin(attempt: Pick<BatchResult, "id" | "attempt">): boolean | Promise<boolean>;
  /** Keeps how an attempt ended, for example with its session key. The loop gets the result afterwards, even if this throws. */
  end(result: BatchResult): unknown;
}

/** The codes of a login that did not reach the bank. A service that refuses more requests has not passed it on. */
const UNSENT: readonly string[] = [
  "rate_limited",
  "known_wrong",
  "api_key_refused",
  "unauthorized_provider",
  "provider_doesnt_exist",
  "invalid_input",
  "missing_field",
  "secret_unavailable",
] satisfies FailureCode[];

/** The codes for a wrong set-up: the next login would end the same way. */
const SET_UP: readonly string[] = [
  "api_key_refused",
  "app_refused",
  "not_signed_in",
  "redirect_refused",
  // The command's program for answers can't be started.
  "file_unusable",
] satisfies FailureCode[];

/** The codes for a fault of the service or of the connection to it: the next login may succeed. */
const PASSING: readonly string[] = [
  "provider_unavailable",
  "service_unavailable",
  "network_failed",
  "request_timed_out",
  "http_failed",
  "response_unreadable",
  "response_against_contract",
  "outcome_unknown",
] satisfies FailureCode[];

/**
 * Milliseconds until the next login if the service limits requests and does not say how long to wait: doubled each time, up to a minute. If it asks for
 * more than ten minutes, the batch ends.
 */
const PAUSE = 1_000;
const LONGEST_PAUSE = 60_000;
const LONGEST_WAIT = 600_000;

/** Why a login ended: a failure or a fault. */
type Reason = Pick<Failure, "code" | "request" | "httpStatus" | "detail">;

/** Whether the API key, the address or the answer command ended a login, and not the content of its row. */
export function isAboutSetUp({ code, httpStatus, detail }: Reason): boolean {
  // A durable login whose worker has another seal key.
  if (code === "token_invalid") return detail !== "expired";
  // A gateway that refuses one login with its own page refuses the next one, too.
  const isRefused = httpStatus === 401 || httpStatus === 403;
  return SET_UP.includes(code) || (isRefused && (code === "http_failed" || code === "outcome_unknown"));
}

/** Whether the first request of a login can't have reached the bank. */
function isUnsent(reason: Reason): boolean {
  return UNSENT.includes(reason.code) || isUnconnected(reason);
}

const isUnconnected = (reason: Reason): boolean => reason.code === "network_failed" && !mayHaveArrived(reason);

/** Classifies the results of one batch, in their order. */
export function createClassifier(): (result: BatchResult) => Verdict {
  let isReached = false;
  let pause = PAUSE;
  return ({ outcome, fault }) => {
    const reason = fault ?? (outcome.state === "failed" ? outcome.failure : undefined);
    if (fault?.field === "journal") return undefined;
    if (reason && isAboutSetUp(reason)) return "stop";
    if (fault?.code === "rate_limited") {
      const { retryAfter = pause } = fault;
      pause = Math.min(2 * pause, LONGEST_PAUSE);
      return retryAfter > LONGEST_WAIT ? "stop" : { retryAfter };
    }
    // An address that has never connected is wrong.
    if (reason && isUnconnected(reason) && !isReached) return "stop";
    if (reason && PASSING.includes(reason.code)) {
      isReached ||= !isUnconnected(reason);
      return "faulty";
    }
    // A fault of the row, or of the caller's handler, says nothing about the bank.
    if (fault || outcome.state === "cancelled" || (reason && isUnsent(reason))) return undefined;
    isReached = true;
    pause = PAUSE;
    return "answered";
  };
}

export type RowLogin = (
  credentials: CredentialTexts,
  options: LoginOptions,
  row: Pick<BatchResult, "id" | "attempt">,
) => Promise<LoginOutcome>;

/** The result of a row that was begun before, and is not sent. */
export function createBegunBefore({ id, attempt = 1, provider }: BatchRow): BatchResult {
  const fault = new BankError("outcome_unknown", { field: "journal", detail: "was begun before" });
  return { id, attempt, provider, milliseconds: 0, sent: true, fault };
}

/** Whether the bank has not responded yet. */
const isBeforeResponse = (state: LoginState): boolean =>
  state.state === "submitting"
    ? !["listClients", "closeSession"].includes(state.request)
    : ["idle", "failed"].includes(state.state);

export async function logInRow(
  logIn: RowLogin,
  { id, attempt = 1, ...members }: BatchRow,
  signal: AbortSignal,
): Promise<BatchResult> {
  const since = performance.now();
  // A member that is not an option belongs to the form, which refuses unknown fields.
  const isOption = ([name]: [string, unknown]) => Object.hasOwn(loginOptions, name);
  const entries = Object.entries(members);
  const options: Omit<LoginOptions, "signal"> = Object.fromEntries(entries.filter(isOption));
  const credentials = Object.fromEntries(entries.filter((entry) => !isOption(entry))) as unknown as CredentialTexts;
  let isFirstRequest = true;
  const end = (ended: { readonly outcome: LoginOutcome } | { readonly fault: BankError }): BatchResult => {
    const failure = "outcome" in ended && ended.outcome.state === "failed" ? ended.outcome.failure : undefined;
    const reason: Reason | undefined = "fault" in ended ? ended.fault : failure;
    const isCancelled = "outcome" in ended && ended.outcome.state === "cancelled" && !ended.outcome.request;
    return {
      id,
      attempt,
      provider: members.provider,
      milliseconds: Math.round(performance.now() - since),
      sent: !(isFirstRequest && (isCancelled || (reason && isUnsent(reason)))),
      ...ended,
    };
  };
  try {
    const onTransition: BatchRow["onTransition"] = (state) => {
      isFirstRequest &&= isBeforeResponse(state);
      options.onTransition?.(state);
    };
    const outcome = await logIn(credentials, { ...options, signal, onTransition }, { id, attempt });
    // A request that was aborted may have reached the bank.
    const isDoubtful = signal.aborted && outcome.state === "cancelled" && (outcome.request || !isFirstRequest);
    return end(isDoubtful ? { fault: new BankError("outcome_unknown") } : { outcome });
  } catch (error) {
    const fault = wrapThrown(error);
    return end({ fault: signal.aborted ? new BankError("outcome_unknown", { key: fault.key }) : fault });
  }
}
