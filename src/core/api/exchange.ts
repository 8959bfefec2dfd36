import { type $Fetch, createFetch, type FetchError } from "ofetch";
import { type BankRequest, createHeaders, createQuery } from "./bank-request.ts";
import type { ClientSettings } from "./client-options.ts";
import { BankError, wrapThrown } from "./errors.ts";
import { LONGEST_TIMER } from "./input-checks.ts";
import type { ReceivedResponse } from "./response-body.ts";
import { sendTry, type Try } from "./send.ts";
import { withinTimeOut } from "./time-out.ts";
import { parseResponse, readRetryAfter, type WireResponse } from "./wire-response.ts";

/** One request, and what the client makes of its response. */
export interface Exchange<Reply> extends BankRequest {
  readonly read: (response: WireResponse) => Reply;
}

/** What ofetch hands to its hooks and to `fetch`: its own options, and the request that they are of. */
const toTry = (options: object) => options as Try & { readonly retry: number | false };

/** The client's own ofetch. It repeats reads after a temporary fault, with backoff and jitter, and obeys `Retry-After`. */
export function createOfetch({ limit, delay, maxRetryAfter }: ClientSettings["retry"]): $Fetch {
  return createFetch({
    fetch: (address, options = {}) => {
      const { retry } = toTry(options);
      const attempt = retry === false ? 1 : limit - retry + 1;
      return sendInTime(String(address), attempt, toTry(options)) as Promise<object> as Promise<Response>;
    },
    defaults: {
      retry: limit,
      // ofetch counts a try without a response as HTTP 500.
      retryStatusCodes: [408, 429, 500, 502, 503, 504],
      retryDelay({ response, options }) {
        const retries = limit - Number(options.retry);
        const backoff = delay * 2 ** retries * (0.5 + Math.random() / 2);
        return Math.min((response && readRetryAfter(response)) ?? backoff, LONGEST_TIMER);
      },
      onRequestError({ error, options }) {
        const { code } = wrapThrown(error);
        if (code !== "network_failed" && code !== "request_timed_out") options.retry = false;
      },
      onResponseError({ response, options }) {
        const wait = readRetryAfter(response) ?? 0;
        const { deadline } = toTry(options).call;
        if (wait > maxRetryAfter || Date.now() + wait >= deadline) options.retry = false;
      },
    },
  });
}

/** One try of a read ends at its time-out; what is sent once has no other try, so its time-out is that of the request. */
function sendInTime(address: string, attempt: number, options: Try): Promise<ReceivedResponse> {
  const { call, signal } = options;
  const send = (signal: AbortSignal) => sendTry(address, attempt, options, signal);
  return call.isOnce ? send(signal) : withinTimeOut({ ...call, signals: [signal] }, send);
}

/**
 * Sends a request and reads its response. A read may be sent again; all else is sent once.
 *
 * @throws {BankError} the last try's fault; nothing of the request or the response is in it but method, address, path template and HTTP code.
 */
export async function exchange<Reply>(client: $Fetch, call: Exchange<Reply>): Promise<Reply> {
  const { name, signals, isOnce, timeout, deadline } = call;
  const left = deadline - Date.now();
  // The wait between two tries ends with this limit alone: ofetch can't abort it.
  const limits = { name, signals, timeout: isOnce ? Math.min(timeout, left) : left };
  return call.read(parseResponse(call, await withinTimeOut(limits, (signal) => receive(client, call, signal))));
}

/** The whole response, whatever its HTTP code. */
async function receive(client: $Fetch, call: BankRequest, signal: AbortSignal): Promise<ReceivedResponse> {
  const { name, method, path, form, isOnce } = call;
  const query = createQuery(call);
  const options = {
    baseURL: name.baseUrl,
    method,
    headers: createHeaders(call),
    signal,
    ...(query && { query }),
    ...(form && { body: new URLSearchParams(form).toString() }),
    ...(isOnce && ({ retry: false, ignoreResponseError: true } as const)),
    call,
  };
  try {
    return (await client.raw(path, options)) as object as ReceivedResponse;
  } catch (error) {
    // Of a read ofetch throws after an HTTP error, too. Its own error quotes the address, and the key in it.
    const { response, cause } = error as Partial<FetchError>;
    if (response) return response as object as ReceivedResponse;
    throw cause instanceof BankError ? cause : wrapThrown(error);
  }
}
