import { connect, HttpCallError, Opts } from "@restatedev/restate-sdk-clients";
import { BankError } from "../../core/api/errors.ts";
import {
  createInputError,
  type OptionParsers,
  optional,
  parseDuration,
  parseFunction,
  parseMilliseconds,
  parseOptions,
  parseValid,
  unchecked,
  withDefault,
} from "../../core/api/input-checks.ts";
import { doublePause, retry } from "../../core/api/repetition.ts";
import { parseKeys, type SealKeys } from "../../core/tokens/sealed-token.ts";
import { SEAL_TTL } from "./durable-seals.ts";
import type { DurableState } from "./durable-state.ts";
import { DURABLE_LOGIN_VERSION, durableLoginName, parseVersion, readVersion } from "./login-id.ts";

type Handler = "start" | "answer" | "choose" | "cancel" | "state" | "settled" | "wait";

export interface DurableLoginClientOptions {
  /** The address of Restate's ingress: `http://localhost:8080`. */
  readonly ingress: string;
  /** Seals credentials and answers and opens session keys: the workers' key. */
  readonly sealKey: SealKeys;
  /** Further headers of each call, such as an authorization. Restate journals them with the call, as they are. Default none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the platform's. */
  readonly fetch?: typeof globalThis.fetch;
  /** Milliseconds for which the credentials and answers can be opened. A login must not take longer. Default 3 600 000, an hour. */
  readonly sealTtl?: number;
  /** The version of new logins. Default the current one. Existing logins keep theirs. */
  readonly version?: string;
  /** Milliseconds for which a call is retried while Restate can't be reached; a repeated call has no further effect. Default 30 000. */
  readonly retryTimeout?: number;
}

type IngressCall = (
  id: string,
  handler: Handler,
  message?: unknown,
  options?: {
    readonly signal?: AbortSignal | undefined;
    readonly headers?: Readonly<Record<string, string>> | undefined;
  },
) => Promise<DurableState>;

const durableClientOptions = {
  ingress: parseValid((url: string) => /^https?:\/\/./.test(url), "must be an absolute address, http or https"),
  sealKey: parseKeys,
  headers: unchecked,
  fetch: optional(parseFunction),
  sealTtl: withDefault(SEAL_TTL, parseMilliseconds),
  version: withDefault(DURABLE_LOGIN_VERSION, parseVersion),
  retryTimeout: withDefault(30_000, parseDuration),
} satisfies OptionParsers<DurableLoginClientOptions>;

export const parseDurableClientOptions = (options: DurableLoginClientOptions) =>
  parseOptions(options, durableClientOptions);

/**
 * Creates the function that calls a handler of a login, by the login's id. While Restate can't be reached it retries: a repeated
 * call has no further effect.
 */
export function createIngressCall({
  ingress: url,
  headers,
  fetch,
  retryTimeout,
}: ReturnType<typeof parseDurableClientOptions>): IngressCall {
  const ingress = connect({ url, ...(headers && { headers }), ...(fetch && { fetch: fetch as never }) });

  const call: IngressCall = async (id, handler, message, { signal, headers } = {}) => {
    const version = readVersion(id);
    if (version === undefined)
      throw createInputError("id", "must be the id of a durable login: a version, a dot and a name");
    const login = ingress.objectClient({ name: durableLoginName(version) }, id) as unknown as Readonly<
      Record<Handler, (...parameters: unknown[]) => Promise<DurableState>>
    >;
    // A late repeat of these could reach the same question again: in the session that replaced the first, or after a refused choice.
    const idempotencyKey = handler === "answer" || handler === "choose" ? crypto.randomUUID() : undefined;
    const parameters = [
      ...(message === undefined ? [] : [message]),
      Opts.from({ ...(signal && { signal }), ...(headers && { headers }), ...(idempotencyKey && { idempotencyKey }) }),
    ];
    // A start waits, too, but a login that was not started has no state.
    const mayWait = handler !== "start" && handler !== "state";
    let retriedUntil = Date.now() + retryTimeout;
    let began = 0;
    const send = () => {
      began = Date.now();
      return login[handler](...parameters);
    };
    return retry(send, async (error, tries) => {
      const fault = toCallError(error, handler, signal);
      if (fault.code !== "network_failed" && fault.code !== "service_unavailable") throw fault;
      // It waited for the login, or for a connection: reading the state shows which.
      if (mayWait && Date.now() - began > 1000) {
        await call(id, "state", undefined, { signal, headers });
        retriedUntil = Date.now() + retryTimeout;
      }
      const pause = doublePause(tries, 50, 2000);
      if (Date.now() + pause > retriedUntil) throw fault;
      return pause;
    });
  };
  return call;
}

/** The errors of the platform and of Restate quote the request: only their code is passed on. */
function toCallError(error: unknown, handler: string, signal: AbortSignal | undefined): BankError {
  const request = `durable login: ${handler}`;
  if (signal?.aborted) return new BankError("request_aborted", { request });
  if (!(error instanceof HttpCallError)) {
    return error instanceof TypeError
      ? new BankError("network_failed", { request })
      : new BankError("unexpected_fault", { request });
  }
  const { status: httpStatus, responseText } = error;
  const field = /invalid_input: ([\w.]{1,64})/.exec(responseText)?.[1];
  if (field) return new BankError("invalid_input", { request, field, httpStatus });
  // The worker has another key, or another version: the question stays open.
  const refused = /token_invalid: ([\w ]{1,64})/.exec(responseText)?.[1];
  if (refused) return new BankError("token_invalid", { request, detail: refused, httpStatus });
  if (httpStatus === 429) return new BankError("rate_limited", { request, httpStatus });
  if (httpStatus >= 500) return new BankError("service_unavailable", { request, httpStatus });
  const detail = httpStatus === 404 ? "is this the ingress, and is a worker of this version registered?" : undefined;
  return new BankError("http_failed", { request, httpStatus, detail });
}
