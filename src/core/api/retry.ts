import { type BankRequest, toRequestName } from "./bank-request.ts";
import type { ClientSettings } from "./client-options.ts";
import { BankError } from "./errors.ts";
import { exchange, type WireResponse } from "./exchange.ts";
import { LONGEST_TIMER } from "./input-checks.ts";

// Temporary faults, by HTTP or as seen at the service.
const TEMPORARY = [408, 429, 502, 503, 504];

/**
 * Sends a read, and again after a temporary fault, with backoff and jitter, and obeys `Retry-After`. Use it only for requests that
 * change nothing: a credential is never sent twice by itself.
 *
 * @throws {BankError} the last try's fault.
 */
export async function exchangeRead(settings: ClientSettings, request: BankRequest): Promise<WireResponse> {
  const { limit, delay, maxRetryAfter } = settings.retry;
  for (let attempt = 1; ; attempt++) {
    const result = await exchange(settings, request, attempt, false).catch((fault: BankError) => fault);
    const backoff = delay * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
    const pause = Math.min(result.retryAfter ?? backoff, LONGEST_TIMER);
    const isTooLong = (result.retryAfter ?? 0) > maxRetryAfter || Date.now() + pause >= request.deadline;
    if (attempt > limit || isTooLong || !isTemporary(result)) {
      if (result instanceof Error) throw result;
      return result;
    }
    await wait(
      pause,
      [settings.signal, request.signal],
      new BankError("request_aborted", toRequestName(settings, request)),
    );
  }
}

function isTemporary(result: WireResponse | BankError): boolean {
  if (result.httpStatus !== undefined) return TEMPORARY.includes(result.httpStatus);
  return result instanceof BankError && (result.code === "network_failed" || result.code === "request_timed_out");
}

function wait(milliseconds: number, signals: (AbortSignal | undefined)[], aborted: BankError): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(timer);
      for (const signal of signals) signal?.removeEventListener("abort", abort);
      act();
    };
    const abort = () => settle(() => reject(aborted));
    const timer = setTimeout(() => settle(resolve), milliseconds);
    for (const signal of signals) signal?.addEventListener("abort", abort);
    if (signals.some((signal) => signal?.aborted)) abort();
  });
}
