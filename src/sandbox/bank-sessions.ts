import type { Account, Bank, ClientsStep, InteractionStep, KeyPolicy } from "./bank-model.ts";
import type { SandboxSettings } from "./sandbox-options.ts";

/** The owner of a session. */
export interface Holder {
  readonly bank: Bank;
  readonly account: Account;
}

/** An interaction that waits for its answer. */
export interface OpenInteraction extends Holder {
  readonly stage: "interaction";
  readonly step: InteractionStep;
  /** Where the script goes on after the right answer. */
  readonly next: number;
  readonly wrongAnswers: number;
}

/** A finished login, or one that only lacks the choice of a client. */
export interface OpenSession extends Holder {
  readonly stage: "selecting" | "open";
  readonly selection?: ClientsStep;
}

export type Session = OpenInteraction | OpenSession;

interface Entry {
  readonly session: Session;
  readonly expires: number;
  /** The newest one first. */
  readonly keys: readonly string[];
}

/** The sessions of one sandbox, by their keys. */
export class Sessions {
  readonly #settings: SandboxSettings;
  readonly #createKey: () => string;
  readonly #entries = new Map<string, Entry>();
  #sweepAt = 1024;

  constructor(settings: SandboxSettings) {
    this.#settings = settings;
    this.#createKey = createKeySource(settings.seed);
  }

  /** Starts a session. @returns its key: a new one, or the one in `held`; all of those stay valid. */
  start(session: Session, held: readonly string[] = [], policy: KeyPolicy = "same"): string {
    const key = (policy === "same" ? held[0] : undefined) ?? this.#createKey();
    if (this.#entries.size >= this.#sweepAt) this.#sweep();
    const { interactionLifetime, sessionLifetime } = this.#settings;
    const lifetime = session.stage === "interaction" ? interactionLifetime : sessionLifetime;
    this.#set({ session, expires: this.#settings.clock.now() + lifetime, keys: [...new Set([key, ...held])] });
    return key;
  }

  find(key: string): Session | undefined {
    const entry = this.#entries.get(key);
    return entry && entry.expires > this.#settings.clock.now() ? entry.session : undefined;
  }

  /** An expired session, which is remembered for the lifetime of a session. */
  findExpired(key: string): Session | undefined {
    return this.find(key) ? undefined : this.#entries.get(key)?.session;
  }

  /** Replaces a session by another, which expires at the same time. */
  replace(key: string, session: Session): void {
    const entry = this.#entries.get(key);
    if (entry) this.#set({ ...entry, session });
  }

  /** Ends a session under each of its keys. @returns the keys, `key` first. */
  end(key: string): readonly string[] {
    const keys = new Set([key, ...(this.#entries.get(key)?.keys ?? [])]);
    for (const each of keys) this.#entries.delete(each);
    return [...keys];
  }

  /** The keys of the sessions that an account has open, the oldest first. */
  findKeys(account: Account): string[] {
    const now = this.#settings.clock.now();
    return [...this.#entries]
      .filter(
        ([key, { session, expires, keys }]) =>
          key === keys[0] && session.account === account && session.stage !== "interaction" && expires > now,
      )
      .map(([key]) => key);
  }

  #set(entry: Entry): void {
    for (const key of entry.keys) this.#entries.set(key, entry);
  }

  /** Removes forgotten sessions, at a constant cost per session. */
  #sweep(): void {
    const forgotten = this.#settings.clock.now() - this.#settings.sessionLifetime;
    for (const [key, { expires }] of this.#entries) if (expires <= forgotten) this.#entries.delete(key);
    this.#sweepAt = Math.max(1024, 2 * this.#entries.size);
  }
}

/** Makes the session keys, UUID-shaped (contract, section 2.3): random ones, or a fixed sequence of a seed. */
function createKeySource(seed: string | number | undefined): () => string {
  if (seed === undefined) return () => uuid(crypto.getRandomValues(new Uint32Array(4)));
  const next = seededNumbers(String(seed));
  return () => uuid(Uint32Array.of(next(), next(), next(), next()));
}

// Not crypto.randomUUID(), which browsers have on secure origins only.
function uuid(words: Uint32Array): string {
  const digits = [...words].map((word) => word.toString(16).padStart(8, "0")).join("");
  const variant = "89ab"[Number.parseInt(digits.charAt(16), 16) % 4];
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, `$1-$2-4$3-${variant}$4-$5`);
}

// FNV-1a makes a number of the seed, SplitMix32 a sequence of that. It is repeatable and not secret.
function seededNumbers(seed: string): () => number {
  let state = 0x811c9dc5;
  for (let index = 0; index < seed.length; index++) state = Math.imul(state ^ seed.charCodeAt(index), 0x01000193);
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
}
