import type { Account, Bank, KeyPolicy } from "./bank-model.ts";
import type { SandboxSettings } from "./sandbox-options.ts";

/** A login from its first request on, until its session ends. */
export interface Session {
  readonly bank: Bank;
  readonly account: Account;
  /** All of them are valid. The first one is sent. */
  keys: readonly string[];
  /** What it waits for: the end of its script, an answer, the choice of a client, or nothing more. */
  stage: "running" | "interaction" | "selecting" | "open";
  /** The position in the script of its account. */
  step: number;
  wrongAnswers: number;
  expires: number;
}

export function createSession(bank: Bank, account: Account): Session {
  return { bank, account, keys: [], stage: "running", step: 0, wrongAnswers: 0, expires: 0 };
}

/** The sessions of one sandbox, by their keys. */
export class Sessions {
  readonly #settings: SandboxSettings;
  readonly #sessions = new Map<string, Session>();

  constructor(settings: SandboxSettings) {
    this.#settings = settings;
  }

  /** Makes a session wait, for a lifetime from now. @returns its key: a new one, or the current one. */
  wait(session: Session, stage: Exclude<Session["stage"], "running">, policy: KeyPolicy = "same"): string {
    const { interactionLifetime, sessionLifetime, clock } = this.#settings;
    this.#forget(clock.now() - sessionLifetime);
    const key = (policy === "same" ? session.keys[0] : undefined) ?? createKey();
    session.stage = stage;
    session.keys = [...new Set([key, ...session.keys])];
    session.expires = clock.now() + (stage === "interaction" ? interactionLifetime : sessionLifetime);
    this.#sessions.set(key, session);
    return key;
  }

  find(key: string): Session | undefined {
    const session = this.#sessions.get(key);
    return session && this.#isLive(session) ? session : undefined;
  }

  /** A session whose interaction has expired. It is kept for the lifetime of a session. */
  findExpired(key: string): Session | undefined {
    const session = this.#sessions.get(key);
    return session?.stage === "interaction" && !this.#isLive(session) ? session : undefined;
  }

  /** The sessions that an account has open, the oldest first. */
  findOpen(account: Account): Session[] {
    const sessions = new Set(this.#sessions.values());
    return [...sessions].filter(
      (session) => session.account === account && session.stage !== "interaction" && this.#isLive(session),
    );
  }

  /** Ends a session under each of its keys. */
  end(session: Session): void {
    for (const key of session.keys) this.#sessions.delete(key);
    session.keys = [];
  }

  #isLive({ stage, expires }: Session): boolean {
    return stage !== "running" && expires > this.#settings.clock.now();
  }

  /** Deletes the oldest sessions that expired before a time. */
  #forget(time: number): void {
    for (const [key, { expires }] of this.#sessions) {
      if (expires > time) break;
      this.#sessions.delete(key);
    }
  }
}

/** A session key, UUID-shaped (contract, section 2.3). */
function createKey(): string {
  // Not crypto.randomUUID(), which browsers have only on secure origins.
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))];
  const digits = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-8$4-$5");
}
