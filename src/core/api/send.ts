import { type BankRequest, createQuery } from "./bank-request.ts";
import type { RequestEvent } from "./client-options.ts";
import { BankError, createHandlerError, describeThrown } from "./errors.ts";
import { relayFaults } from "./relay-faults.ts";
import { discard, readText } from "./response-body.ts";
import { MASK, reveal } from "./reveal.ts";
import { sendOnceOnNode } from "./send-once-node.ts";
import { withinTimeOut } from "./time-out.ts";

/** A response and its body. */
export interface ReceivedResponse {
  readonly response: Response;
  readonly text: string;
}

/**
 * One try: the `fetch` below ofetch. It has what ofetch lacks: a time-out for each try that covers the body, a new connection for what is
 * sent once, no redirects, a limit on the body.
 *
 * @throws {BankError} `network_failed` or `request_timed_out`. An error of another name for all that a further try can't change.
 */
export async function sendTry(
  call: BankRequest,
  address: string,
  init: RequestInit,
  attempt: number,
): Promise<ReceivedResponse> {
  const { settings, name, method, signals } = call;
  const { onRequest, onResponse } = settings;
  let isSent = false;
  const limits = { name, signals, timeout: Math.min(call.timeout, call.deadline - Date.now()) };
  try {
    return await withinTimeOut(limits, async (signal) => {
      const headers = new Headers(init.headers);
      for (const [header, value] of Object.entries((await settings.readHeaders?.()) ?? {}))
        headers.set(header, reveal(value));
      // A given `fetch` may ignore the signal.
      if (signal.aborted) throw new BankError("request_aborted", name);
      const query = Object.keys(createQuery(call)).map((member) => `${member}=${MASK}`);
      const url = [`${name.baseUrl}${call.path}`, query.join("&")].filter(Boolean).join("?");
      const event: RequestEvent = { method, url, attempt };
      if (onRequest) notify("onRequest", () => onRequest(event));
      const started = performance.now();
      isSent = true;
      const response = await send(call, address, { method, headers, body: init.body ?? null, signal });
      refuseRedirect(call, response);
      const { status: httpStatus } = response;
      const text = await fromPlatform(name, () => readText(response, settings.responseLimit, { ...name, httpStatus }));
      const duration = performance.now() - started;
      const responseEvent = { ...event, httpStatus, duration };
      if (onResponse) notify("onResponse", () => onResponse(responseEvent));
      notify("onResponse", () => call.onResponse?.(responseEvent));
      return { response, text };
    });
  } catch (error) {
    const fault = error instanceof BankError ? error : toOwnFault(error, call, isSent);
    if (fault.code === "network_failed" || fault.code === "request_timed_out") throw fault;
    // ofetch repeats no error of this name.
    throw Object.assign(new Error(fault.code, { cause: fault }), { name: "AbortError" });
  }
}

/** Calls a hook of the client. A promise is not awaited. */
function notify(name: string, call: () => void): void {
  try {
    call();
  } catch (error) {
    throw createHandlerError(name, error);
  }
}

/** Sends by `fetch`. The global one is looked up at each call, so that an instrumentation can replace it later. */
async function send({ settings, name, isOnce }: BankRequest, address: string, request: RequestInit): Promise<Response> {
  const platform = settings.fetch ?? globalThis.fetch;
  const fetch: typeof platform = (...parameters) => fromPlatform(name, () => platform(...parameters));
  const init: RequestInit & { readonly next: object } = {
    ...request,
    redirect: "manual",
    // Next.js stores responses in files, those to a POST too, and gives them to later callers. Not `cache: "no-store"`: some workers
    // refuse it, and polyfills of `fetch` add a query for it.
    next: { revalidate: 0 },
  };
  if (!isOnce) return fetch(address, init);
  const { Bun, Deno, process } = globalThis as Platforms;
  // Bun sends a GET again on another connection if a kept one breaks.
  if (Bun) return fetch(address, { ...init, keepalive: false });
  if (Deno) return sendOnceOnDeno(Deno, fetch, address, init);
  const undici = process?.versions?.undici;
  if (undici) return sendOnceOnNode(undici, fetch, address, init, settings.fetch !== undefined);
  // Browsers and React Native have no way to say it: a relay recognises the repeat.
  return fetch(address, init);
}

interface Platforms {
  readonly Bun?: object;
  readonly Deno?: DenoNamespace;
  readonly process?: { readonly versions?: { readonly undici?: string } };
}

/** The part of Deno that is used here. */
interface DenoNamespace {
  createHttpClient?(options: object): { close(): void };
}

/**
 * Deno sends a request again if a kept connection closes without a response, or if an HTTP/2 server refuses its stream: this client
 * keeps no connection, and speaks HTTP/1.1.
 */
async function sendOnceOnDeno(
  deno: DenoNamespace,
  fetch: typeof globalThis.fetch,
  address: string,
  init: RequestInit,
): Promise<Response> {
  const client = deno.createHttpClient?.({ poolMaxIdlePerHost: 0, http2: false });
  try {
    return await fetch(address, { ...init, client } as RequestInit);
  } finally {
    client?.close();
  }
}

/** @throws {BankError} `redirect_refused`: another address would get the API key and the password. */
function refuseRedirect({ settings, name }: BankRequest, response: Response): void {
  // Browsers hide a refused redirect behind an opaque response.
  const isRedirect = response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400);
  // React Native follows redirects in spite of `redirect: "manual"`, and has no `redirected`: only the address of the response shows it.
  const { redirected, url }: Partial<Response> = response;
  const isFollowed = redirected === undefined && url && readOrigin(url) !== readOrigin(name.baseUrl);
  if (!isRedirect && !isFollowed) return;
  discard(response.body);
  // Frameworks redirect a relay's paths that end in a slash.
  const detail = settings.kind === "service" ? undefined : relayFaults.slash_changed.advice;
  throw new BankError("redirect_refused", { ...name, httpStatus: response.status, detail });
}

/** React Native's `URL` keeps capital letters and default ports. */
function readOrigin(address: string): string | undefined {
  const origin = /^https?:\/\/[^/?#]*/i.exec(address)?.[0].toLowerCase();
  return origin?.replace(origin.startsWith("https:") ? /:443$/ : /:80$/, "");
}

/** An error of our own: nothing was sent, or a login may be at the bank. */
function toOwnFault(error: unknown, { name, isOnce }: BankRequest, isSent: boolean): BankError {
  const code = isSent && isOnce ? "outcome_unknown" : "unexpected_fault";
  return new BankError(code, { ...name, detail: describeThrown(error) });
}

/** Runs `fetch`, or the reading of its body: what they throw is the platform's fault. */
async function fromPlatform<Result>(name: BankRequest["name"], run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof BankError ? error : toPlatformFault(error, name);
  }
}

function toPlatformFault(error: unknown, name: BankRequest["name"]): BankError {
  const detail = readPlatformReason(error);
  // A code of zlib: the response came, but is not in its content encoding.
  if (detail?.startsWith("Z_")) return new BankError("response_unreadable", { ...name, detail });
  return new BankError("network_failed", { ...name, detail });
}

/** The platform's code of an error, such as `ECONNREFUSED`. Its message is not used: it contains the address. */
function readPlatformReason(error: unknown): string | undefined {
  let level = error;
  // An error can be its own cause.
  for (let depth = 0; depth < 8 && level instanceof Error; depth++, level = level.cause) {
    const { code } = level as { readonly code?: unknown };
    if (typeof code === "string" && /^[A-Z][A-Z0-9_]+$/.test(code)) return code;
  }
  return undefined;
}
