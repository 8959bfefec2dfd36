import { type $Fetch, createFetch, FetchError } from "ofetch";
import { type BankRequest, createHeaders, createQuery } from "./bank-request.ts";
import type { ClientSettings } from "./client-options.ts";
import { BankError, wrapThrown } from "./errors.ts";
import { LONGEST_TIMER } from "./input-checks.ts";
import { type ReceivedResponse, sendTry } from "./send.ts";
import { withinTimeOut } from "./time-out.ts";
import { parseResponse, readRetryAfter, toOutcomeUnknown, type WireResponse } from "./wire-response.ts";

/** One request, and what the client makes of its response. */
export interface Exchange<Reply> extends BankRequest {
  readonly read: (response: WireResponse) => Reply;
}

/** The client's own ofetch. It repeats reads after a temporary fault, with backoff and jitter, and obeys `Retry-After`. */
export function createOfetch({ limit, delay }: ClientSettings["retry"]): $Fetch {
  return createFetch({
    defaults: {
      retry: limit,
      // ofetch counts a try without a response as HTTP 500.
      retryStatusCodes: [408, 429, 500, 502, 503, 504],
      retryDelay({ response, options }) {
        const retries = limit - Number(options.retry);
        const backoff = delay * 2 ** retries * (0.5 + Math.random() / 2);
        return Math.min((response && readRetryAfter(response)) ?? backoff, LONGEST_TIMER);
      },
      responseType: "stream",
    },
  });
}

/**
 * Sends a request and reads its response. A read may be sent again; all else is sent once.
 *
 * @throws {BankError} the last try's fault; nothing of the request or the response is in it but method, address, path template and HTTP code.
 */
export async function exchange<Reply>(client: $Fetch, call: Exchange<Reply>): Promise<Reply> {
  const { isOnce, deadline } = call;
  // A try ends by itself. The wait before the next one does not: ofetch can't abort it.
  const limits = { ...call, timeout: deadline - Date.now() };
  const received = await (isOnce ? receive(client, call) : withinTimeOut(limits, () => receive(client, call)));
  return call.read(parseResponse(call, received.response, received.text));
}

/** The whole response, whatever its HTTP code. */
async function receive(client: $Fetch, call: BankRequest): Promise<ReceivedResponse> {
  const { settings, name, method, path, form, isOnce, deadline } = call;
  let attempt = 0;
  let last: ReceivedResponse | undefined;
  const fetch = async (address: RequestInfo | URL, init: RequestInit = {}) => {
    last = undefined;
    last = await sendTry(call, String(address), init, ++attempt);
    return toOutline(last.response);
  };
  const ofetch = client.create({}, { fetch });
  try {
    await ofetch.raw<unknown, "stream">(path, {
      baseURL: name.baseUrl,
      method,
      query: createQuery(call),
      headers: createHeaders(call),
      ...(form && { body: new URLSearchParams(form).toString() }),
      ...(isOnce && { retry: false }),
      onResponseError({ response, options }) {
        const wait = readRetryAfter(response) ?? 0;
        if (wait > settings.retry.maxRetryAfter || Date.now() + wait >= deadline) options.retry = false;
      },
    });
  } catch (error) {
    // ofetch throws after an HTTP error, too. Its own error quotes the address, and the key in it.
    const fault = error instanceof FetchError && last ? undefined : findFault(error);
    if (fault) throw isOnce && fault.code.startsWith("response_") ? toOutcomeUnknown(fault, name) : fault;
  }
  if (!last) throw new BankError("unexpected_fault", name);
  return last;
}

/** What ofetch reads of a response. It would write to the response itself, which is the caller's or the platform's. */
function toOutline({ status, headers }: Response): Response {
  // No other status can be constructed, though a server can send it.
  return new Response(null, { status: status >= 200 && status < 600 ? status : 500, headers });
}

/** The fault in an error of ofetch. */
function findFault(error: unknown): BankError {
  let level = error;
  while (level instanceof Error && !(level instanceof BankError)) level = level.cause;
  return wrapThrown(level ?? error);
}
