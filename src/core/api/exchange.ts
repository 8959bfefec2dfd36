import type { $Fetch, FetchError } from "ofetch";
import { type BankRequest, createHeaders, createQuery } from "./bank-request.ts";
import type { ClientSettings } from "./client-options.ts";
import { BankError, wrapThrown } from "./errors.ts";
import { LONGEST_TIMER } from "./input-checks.ts";
import { loadOfetch } from "./load-ofetch.ts";
import type { ReceivedResponse } from "./response-body.ts";
import { sendTry, type Try } from "./send.ts";
import { withinTimeOut } from "./time-out.ts";
import { parseResponse, readRetryAfter, type WireResponse } from "./wire-response.ts";

/** The client's own ofetch. It repeats reads after a temporary fault, with backoff and jitter, and obeys `Retry-After`. */
async function createOfetch({ limit, delay, maxRetryAfter }: ClientSettings["retry"]): Promise<$Fetch> {
  const createFetch = await loadOfetch();
  return createFetch({
    fetch(address, options) {
      const { call, signal, retry } = options as Try & { readonly retry: number | false };
      const attempt = retry === false ? 1 : limit - retry + 1;
      const send = (signal: AbortSignal) => sendTry(`${address}`, attempt, options as Try, signal);
      // What is sent once has no other try: its time-out is that of the request.
      const received = call.isOnce ? send(signal) : withinTimeOut({ ...call, signals: [signal] }, send);
      return received as Promise<object> as Promise<Response>;
    },
    defaults: {
      retry: limit,
      // ofetch counts a try without a response as HTTP 500.
      retryStatusCodes: [408, 429, 500, 502, 503, 504],
      retryDelay({ response, options }) {
        const retries = limit - (options.retry as number);
        const backoff = delay * 2 ** retries * (0.5 + Math.random() / 2);
        return Math.min((response && readRetryAfter(response)) ?? backoff, LONGEST_TIMER);
      },
      onRequestError({ error, options }) {
        const { code } = error as BankError;
        if (code !== "network_failed" && code !== "request_timed_out") options.retry = false;
      },
      onResponseError({ response, options }) {
        const wait = readRetryAfter(response) ?? 0;
        const { call } = options as object as Try;
        if (wait > maxRetryAfter || Date.now() + wait >= call.deadline) options.retry = false;
      },
    },
  });
}

/**
 * What sends the requests of a client and reads their responses. A read may be sent again; all else is sent once. It throws the fault of the last
 * try, as a `BankError`; nothing of the request or the response is in it but method, address, path template and HTTP code.
 */
export function createExchange(retry: ClientSettings["retry"]) {
  let ofetch: $Fetch | undefined;

  /** The complete response, whatever its HTTP code. */
  async function receive(call: BankRequest, signal: AbortSignal): Promise<ReceivedResponse> {
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
      // ofetch hands all its options on to its hooks and to `fetch`, this one too.
      call,
    };
    try {
      ofetch ??= await createOfetch(retry);
      return (await ofetch.raw(path, options)) as object as ReceivedResponse;
    } catch (error) {
      // Of a read ofetch throws after an HTTP error, too. Its own error quotes the address, and the key in it.
      const { response, cause } = error as Partial<FetchError>;
      if (response) return response as object as ReceivedResponse;
      throw cause instanceof BankError ? cause : wrapThrown(error);
    }
  }

  return async <Reply>(call: BankRequest, read: (response: WireResponse) => Reply): Promise<Reply> => {
    const { name, signals, isOnce, timeout, deadline } = call;
    const left = deadline - Date.now();
    // The wait between two tries ends only with this limit: ofetch can't abort it.
    const limits = { name, signals, timeout: isOnce ? Math.min(timeout, left) : left };
    return read(parseResponse(call, await withinTimeOut(limits, (signal) => receive(call, signal))));
  };
}
