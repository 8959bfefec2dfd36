import type { Account, Bank } from "./bank.ts";
import type { SandboxClock } from "./clock.ts";
import type { ClientsStep, InteractionStep, KeyPolicy } from "./script.ts";

/** Whose session it is. */
export interface Holder {
  readonly bank: Bank;
  readonly account: Account;
}

/** An interaction that waits for its answer. */
export interface OpenInteraction extends Holder {
  readonly stage: "interaction";
  readonly asked: InteractionStep;
  /** Where the script goes on after the right answer. */
  readonly next: number;
  readonly wrongAnswers: number;
}

/** A login that is done, or done but for the choice of a client. */
export interface OpenSession extends Holder {
  readonly stage: "selecting" | "open";
  readonly selection?: ClientsStep;
}

export type Session = OpenInteraction | OpenSession;

export interface Lifetimes {
  readonly sessionLifetime: number;
  readonly interactionLifetime: number;
}

interface Entry {
  readonly session: Session;
  readonly expires: number;
  /** The one that was told last comes first. */
  readonly keys: readonly string[];
}

/** The sessions of one sandbox, by their keys. */
export class Sessions {
  readonly #clock: SandboxClock;
  readonly #lifetimes: Lifetimes;
  readonly #nextKey: () => string;
  readonly #entries = new Map<string, Entry>();
  #sweepAt = 1024;

  constructor(clock: SandboxClock, lifetimes: Lifetimes, nextKey: () => string) {
    this.#clock = clock;
    this.#lifetimes = lifetimes;
    this.#nextKey = nextKey;
  }

  /** Starts a session and gives its key: one of its own, or that which the client holds. What it holds goes on working in any case. */
  start(session: Session, held: readonly string[] = [], policy: KeyPolicy = "same"): string {
    const key = (policy === "same" ? held[0] : undefined) ?? this.#nextKey();
    if (this.#entries.size >= this.#sweepAt) this.#sweep();
    const { interactionLifetime, sessionLifetime } = this.#lifetimes;
    const lifetime = session.stage === "interaction" ? interactionLifetime : sessionLifetime;
    this.#set({ session, expires: this.#clock.now() + lifetime, keys: [...new Set([key, ...held])] });
    return key;
  }

  find(key: string): Session | undefined {
    const entry = this.#entries.get(key);
    return entry && entry.expires > this.#clock.now() ? entry.session : undefined;
  }

  /** A session that the client held too long; remembered for as long as a session lives. */
  findExpired(key: string): Session | undefined {
    return this.find(key) ? undefined : this.#entries.get(key)?.session;
  }

  /** Puts a session in the place of another without giving it more time. */
  replace(key: string, session: Session): void {
    const entry = this.#entries.get(key);
    if (entry) this.#set({ ...entry, session });
  }

  /** Ends a session under each of its keys, and gives them: the one at hand comes first. */
  end(key: string): readonly string[] {
    const keys = new Set([key, ...(this.#entries.get(key)?.keys ?? [])]);
    for (const each of keys) this.#entries.delete(each);
    return [...keys];
  }

  /** The keys of the sessions that an account has open, the oldest first. */
  keysOf(account: Account): string[] {
    const now = this.#clock.now();
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

  // Keeps a sandbox under load from growing for ever, at a constant cost per session.
  #sweep(): void {
    const forgotten = this.#clock.now() - this.#lifetimes.sessionLifetime;
    for (const [key, { expires }] of this.#entries) if (expires <= forgotten) this.#entries.delete(key);
    this.#sweepAt = Math.max(1024, 2 * this.#entries.size);
  }
}
