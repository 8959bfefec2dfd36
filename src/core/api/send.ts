import { type BankRequest, createQuery, type RequestName } from "./bank-request.ts";
import type { RequestEvent } from "./client-options.ts";
import { BankError, createHandlerError, describeThrown } from "./errors.ts";
import { relayFaults } from "./relay-faults.ts";
import { discard, type ReceivedResponse, readText } from "./response-body.ts";
import { MASK, reveal } from "./reveal.ts";
import { sendOnceOnNode } from "./send-once-node.ts";
import { toOutcomeUnknown } from "./wire-response.ts";

/** What ofetch hands on of the request that a try is of. */
export interface Try {
  readonly call: BankRequest;
  /** Only those of this try. */
  readonly headers: Headers;
  readonly body?: string | null;
  /** Ends the request. */
  readonly signal: AbortSignal;
}

/**
 * One try: the `fetch` below ofetch. It has what ofetch lacks: a new connection for what is sent once, no redirects, a limit of the body.
 *
 * @param attempt 1 for the first one.
 * @param signal ends the try.
 * @throws {BankError} `network_failed`, or what a further try can't change.
 */
export async function sendTry(
  address: string,
  attempt: number,
  { call, headers, body = null }: Pick<Try, "call" | "headers" | "body">,
  signal: AbortSignal,
): Promise<ReceivedResponse> {
  const { settings, name, method, isOnce } = call;
  const { onRequest, onResponse, readHeaders, responseLimit } = settings;
  let isSent = false;
  const refuse = (error: unknown) => {
    throw toPlatformFault(error, name);
  };
  try {
    if (readHeaders)
      for (const [header, value] of Object.entries(await readHeaders())) headers.set(header, reveal(value));
    // A given `fetch` may ignore the signal.
    if (signal.aborted) throw new BankError("request_aborted", name);
    const describe = (): RequestEvent => ({ method, url: maskAddress(call), attempt });
    notify("onRequest", onRequest, describe);
    const started = performance.now();
    isSent = true;
    const response = await send(call, address, { method, headers, body, signal }).catch(refuse);
    refuseRedirect(call, response);
    const { ok, status: httpStatus } = response;
    const text = await readText(response, responseLimit, { ...name, httpStatus }).catch(refuse);
    const duration = performance.now() - started;
    const describeResponse = () => ({ ...describe(), httpStatus, duration });
    notify("onResponse", onResponse, describeResponse);
    notify("onResponse", call.onResponse, describeResponse);
    return { ok, status: httpStatus, headers: response.headers, text };
  } catch (error) {
    const isUnknown = isSent && isOnce;
    if (!(error instanceof BankError)) {
      // An error of our own code: nothing was sent, or a login may be at the bank.
      const code = isUnknown ? "outcome_unknown" : "unexpected_fault";
      throw new BankError(code, { ...name, detail: describeThrown(error) });
    }
    throw isUnknown && error.code.startsWith("response_") ? toOutcomeUnknown(error, name) : error;
  }
}

/** The address of a request for its hooks. */
function maskAddress(call: BankRequest): string {
  const query = Object.keys(createQuery(call) ?? {}).map((member) => `${member}=${MASK}`);
  return `${call.name.baseUrl}${call.path}${query.length > 0 ? "?" : ""}${query.join("&")}`;
}

/** Calls a hook, if there is one. A promise is not awaited. */
function notify<Event>(name: string, hook: ((event: Event) => void) | undefined, describe: () => Event): void {
  try {
    hook?.(describe());
  } catch (error) {
    throw createHandlerError(name, error);
  }
}

/** Sends by `fetch`. The global one is looked up at each call, so that an instrumentation can replace it later. */
async function send({ settings, isOnce }: BankRequest, address: string, request: RequestInit): Promise<Response> {
  const fetch = settings.fetch ?? globalThis.fetch;
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

/** What `fetch`, or the reading of its body, throws is the fault of the platform. */
function toPlatformFault(error: unknown, name: RequestName): BankError {
  if (error instanceof BankError) return error;
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
