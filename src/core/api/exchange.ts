import { createFetch, type FetchContext } from "ofetch";
import { type BankRequest, createHeaders, createTarget } from "./bank-request.ts";
import type { RequestEvent } from "./client-options.ts";
import { BankError, createHandlerError, wrapThrown } from "./errors.ts";
import { LONGEST_TIMER } from "./input-checks.ts";
import { readJson } from "./response-body.ts";
import { pause, withinTimeOut } from "./time-out.ts";
import {
  parseResponse,
  readRetryAfter,
  refuseRedirect,
  toOutcomeUnknown,
  toPlatformFault,
  type WireResponse,
} from "./wire-response.ts";

/** One request, and what the client makes of its response. */
export interface Exchange<Reply> extends BankRequest {
  readonly read: (response: WireResponse) => Reply;
}

// Temporary faults, by HTTP or as seen at the service.
const TEMPORARY = [408, 429, 502, 503, 504];

// The HTTP code for which ofetch takes a try without a response.
const NO_RESPONSE = 500;

/**
 * Sends a request and reads its response. A read is sent again after a temporary fault, with backoff and jitter, and obeys
 * `Retry-After`; all else is sent once.
 *
 * @throws {BankError} the last try's fault; nothing of the request or the response is in it but method, address, path template and HTTP code.
 */
export async function exchange<Reply>(call: Exchange<Reply>): Promise<Reply> {
  const { isOnce, name } = call;
  const { reply } = isOnce ? await tryOnce(call, `${name.baseUrl}${createTarget(call)}`) : await tryAgain(call);
  if (reply instanceof BankError) throw reply;
  return reply;
}

/** What a try has given: the fault of a response that can't be read is its reply. */
interface Tried<Reply> {
  readonly response?: Response;
  readonly reply: Reply | BankError;
}

/** Repeats a read by ofetch, which looks at each response and waits. */
async function tryAgain<Reply>(call: Exchange<Reply>): Promise<Tried<Reply>> {
  const { settings, name, signals } = call;
  const { limit, delay, maxRetryAfter } = settings.retry;
  let attempt = 0;
  let wait = 0;
  let tried: Tried<Reply> = { reply: new BankError("unexpected_fault", name) };
  const { raw } = createFetch({
    fetch: async (address) => {
      if (attempt > 0) await pause(wait, signals);
      attempt += 1;
      try {
        const { response, reply } = await tryOnce(call, String(address), attempt);
        tried = { response, reply };
        return response;
      } catch (error) {
        tried = { reply: error as BankError };
        throw error;
      }
    },
  });
  const beforeRetry = ({ response, options }: FetchContext) => {
    const backoff = delay * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
    const retryAfter = response && readRetryAfter(response);
    wait = Math.min(retryAfter ?? backoff, LONGEST_TIMER);
    const isTooLong = (retryAfter ?? 0) > maxRetryAfter || Date.now() + wait >= call.deadline;
    if (isTooLong || !(response ? TEMPORARY.includes(response.status) : isTemporary(tried.reply)))
      options.retry = false;
  };
  // Its own error quotes the address, and the key in it.
  await raw(createTarget(call), {
    baseURL: name.baseUrl,
    responseType: "stream",
    retry: limit,
    retryStatusCodes: [...TEMPORARY, NO_RESPONSE],
    onRequestError: beforeRetry,
    onResponseError: beforeRetry,
  }).catch(() => undefined);
  return tried;
}

function isTemporary(fault: unknown): boolean {
  return fault instanceof BankError && ["network_failed", "request_timed_out"].includes(fault.code);
}

/** @throws {BankError} why there is no whole response. */
async function tryOnce<Reply>(call: Exchange<Reply>, address: string, attempt = 1): Promise<Required<Tried<Reply>>> {
  const { settings, name, method, form, isOnce } = call;
  try {
    return await withinTimeOut(call, async (signal) => {
      // Without further headers there is no await, so that the request is sent at once.
      const given = settings.readHeaders && (await settings.readHeaders());
      // A given `fetch` may ignore the signal.
      if (signal.aborted) throw new BankError("request_aborted");
      const headers = createHeaders(call, given);
      const event: RequestEvent = { method, url: `${name.baseUrl}${createTarget(call, true)}`, attempt };
      notify("onRequest", () => settings.onRequest?.(event));
      const started = performance.now();
      const init = { method, headers, signal, ...(form && { body: new URLSearchParams(form).toString() }) };
      const response = await settings.send(address, init, isOnce);
      refuseRedirect(call, response);
      const body = await readJson(response, settings.responseLimit, name);
      const duration = performance.now() - started;
      const reply = readReply(call, response, body);
      const { skipped = 0 } = reply as { readonly skipped?: number };
      notify("onResponse", () => settings.onResponse?.({ ...event, httpStatus: response.status, duration, skipped }));
      return { response, reply };
    });
  } catch (error) {
    const fault = error instanceof BankError ? error : toPlatformFault(error, name);
    throw isOnce && fault.code.startsWith("response_") ? toOutcomeUnknown(fault, name) : fault;
  }
}

function readReply<Reply>(call: Exchange<Reply>, response: Response, body: unknown): Reply | BankError {
  try {
    return call.read(parseResponse(call, response, body));
  } catch (error) {
    return wrapThrown(error);
  }
}

/** Calls a hook of the client. A promise is not awaited. */
function notify(name: "onRequest" | "onResponse", call: () => void): void {
  try {
    call();
  } catch (error) {
    throw createHandlerError(name, error);
  }
}
