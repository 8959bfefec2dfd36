import { ATTEMPT_LIFETIME } from "../../core/api/bank-request.ts";
import { toHexadecimal } from "../../core/tokens/sealed-token.ts";
import { attemptIdReused, outcomeUnknown, type RelayResponse, requestAborted } from "./relay-responses.ts";

/** Names one attempt of a browser's client: a request that must reach the bank once, however often the browser sends it. */
export const ATTEMPT_HEADER = "x-attempt-id";

/** Whether a text is an id as the browser's client writes it: a UUID; with `.2` for a login that is sent again after it closed another session. */
export const isAttemptId = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}(\.2)?$/.test(text);

/**
 * Milliseconds until a request to the bank is aborted after its browser has gone: the browser may repeat it. That of a user goes on: the
 * page may ask how it ended.
 */
const REPEAT_GRACE = 2_000;

/** Bytes that all responses may take. A repeat whose response is forgotten still finds its id claimed: it is not sent. */
const MEMORY_LIMIT = 32 * 1024 * 1024;

/** Bytes of an attempt beside the characters of its response. */
const ATTEMPT_SIZE = 1_000;

/** What the memory holds, in the words of `docs/relay-operate.md`. */
export const MEMORY_FULL =
  "One process keeps the responses of ten minutes at up to about 30 logins and answers a second (32 MiB). Beyond that it forgets the oldest, and a page that is " +
  "reloaded later gets `outcome_unknown`: give the relay a `responseStore`.";

/** One attempt, as its request names it. */
interface AttemptName {
  readonly id: string;
  /** Of the whole request. The same id with another request is no repeat. */
  readonly digest: string;
  /** What `readUser` returned. */
  readonly user: string | undefined;
}

interface Attempt extends AttemptName {
  readonly response: Promise<RelayResponse>;
  /** Aborts the request to the bank, while there is no response. */
  upstream?: AbortController | undefined;
  /** How many connections wait for the response. */
  waiting: number;
  /** Bytes that it takes, roughly; 0 while there is no response. */
  size: number;
  timer?: ReturnType<typeof setTimeout>;
  expiresAt: number;
}

/** The attempts that this process has begun, with their responses. */
export class Attempts {
  readonly #attempts = new Map<string, Attempt>();
  readonly #warn: () => void;
  #size = 0;
  // Of this process alone, and not in its heap: nobody can try a list of passwords against the digest of a form.
  #key: Promise<CryptoKey> | undefined;

  /** @param warn called whenever a response is forgotten before its time. */
  constructor(warn: () => void) {
    this.#warn = warn;
  }

  has(id: string): boolean {
    return this.#attempts.has(id);
  }

  /** The response to an attempt of this user, as soon as there is one; `undefined` for an attempt that is not known here. */
  find(id: string, user: string | undefined): Promise<RelayResponse> | undefined {
    const attempt = this.#attempts.get(id);
    return attempt && attempt.user === user && attempt.expiresAt > Date.now() ? attempt.response : undefined;
  }

  /** Tells requests apart; nothing of them can be read from it. */
  async createDigest(request: unknown): Promise<string> {
    // Made at the first request: some edge platforms have no random numbers before.
    this.#key ??= crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    const bytes = new TextEncoder().encode(JSON.stringify(request));
    return toHexadecimal(await crypto.subtle.sign("HMAC", await this.#key, bytes));
  }

  /**
   * Sends an attempt, or gives a repeat the response of the first.
   *
   * @param signal of the browser's connection. Without a user, the request to the bank is aborted some seconds after the last one has gone.
   */
  async respond(
    name: AttemptName,
    signal: AbortSignal,
    send: (upstream: AbortSignal) => Promise<RelayResponse>,
  ): Promise<RelayResponse> {
    const attempt = this.#attempts.get(name.id) ?? this.#begin(name, send);
    if (attempt.digest !== name.digest) return attemptIdReused;
    attempt.waiting += 1;
    clearTimeout(attempt.timer);
    let leave = () => {};
    const left = new Promise<RelayResponse>((resolve) => {
      leave = () => {
        attempt.waiting -= 1;
        const { upstream } = attempt;
        const isOver = attempt.waiting === 0 && attempt.user === undefined;
        if (isOver && upstream) attempt.timer = setTimeout(() => upstream.abort(), REPEAT_GRACE);
        resolve(requestAborted);
      };
      signal.addEventListener("abort", leave, { once: true });
      if (signal.aborted) leave();
    });
    try {
      return await Promise.race([attempt.response, left]);
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  #begin(name: AttemptName, send: (upstream: AbortSignal) => Promise<RelayResponse>): Attempt {
    const upstream = new AbortController();
    const sent = send(upstream.signal).then((response) => {
      clearTimeout(attempt.timer);
      attempt.upstream = undefined;
      attempt.expiresAt = Date.now() + ATTEMPT_LIFETIME;
      attempt.size = ATTEMPT_SIZE + JSON.stringify(response.body ?? "").length;
      this.#size += attempt.size;
      this.#forgetOld();
      // A repeat needs the login's outcome, not what became of the first connection.
      return response.reason === requestAborted.reason ? { ...response, ...outcomeUnknown } : response;
    });
    const attempt: Attempt = {
      ...name,
      response: sent,
      upstream,
      waiting: 0,
      size: 0,
      expiresAt: Number.POSITIVE_INFINITY,
    };
    this.#attempts.set(name.id, attempt);
    return attempt;
  }

  /** Running requests are kept, however long they take. */
  #forgetOld(): void {
    for (const [id, { expiresAt, size }] of this.#attempts) {
      if (expiresAt === Number.POSITIVE_INFINITY) continue;
      const isFresh = expiresAt > Date.now();
      if (isFresh && this.#size <= MEMORY_LIMIT) return;
      if (isFresh) this.#warn();
      this.#attempts.delete(id);
      this.#size -= size;
    }
  }
}
