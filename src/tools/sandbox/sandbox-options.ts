import { BankError } from "../../core/api/errors.ts";
import { banks } from "./banks/index.ts";
import { readOwnBanks, type SandboxBank } from "./own-banks.ts";

/** Where the sandbox takes its time from. Replace it to let a test decide what time it is. */
export interface SandboxClock {
  /** The current time in milliseconds since the epoch. Decides when a session or an interaction has expired. */
  now(): number;
  /** Resolves after `milliseconds`; rejects when `signal` aborts. Only the slow bank waits. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

const systemClock: SandboxClock = {
  now: () => Date.now(),
  wait: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const timer = setTimeout(resolve, milliseconds);
      signal.addEventListener("abort", () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
    }),
};

/** The API key that a sandbox expects in `X-API-Key` unless told otherwise (contract, section 5). */
export const SANDBOX_API_KEY = "sandbox-api-key";

/** What can be set about a sandbox. Every member is optional. */
export interface SandboxOptions {
  /**
   * Banks of your own, beside those of the sandbox.
   * @default none
   */
  banks?: readonly SandboxBank[];
  /**
   * The API key that every request must carry in `X-API-Key` (contract, section 5).
   * @default SANDBOX_API_KEY
   */
  apiKey?: string;
  /**
   * Makes the session keys predictable: the same seed and the same requests give the same keys.
   * @default undefined, which gives random keys
   */
  seed?: string | number;
  /**
   * Where the sandbox takes its time from.
   * @default the system's clock and timers
   */
  clock?: SandboxClock;
  /**
   * How long a session lives after its login, in milliseconds. The contract shows no lifetime (section 5).
   * @default 1_800_000 (30 minutes)
   */
  sessionLifetime?: number;
  /**
   * How long an interaction waits for its answer, in milliseconds. The contract shows no lifetime (section 5).
   * @default 300_000 (5 minutes)
   */
  interactionLifetime?: number;
  /**
   * How long the slow bank `tortuga_ec` takes to answer a login, in milliseconds.
   * @default 3000
   */
  slowBankDelay?: number;
  /**
   * The longest login form that is read, in bytes; a longer one answers HTTP 413. The contract shows no limit (section 8).
   * @default 65_536 (64 KiB)
   */
  bodyLimit?: number;
  /**
   * Whether the list of banks has what breaks the contract too (sections 2.1 and 2.2), as a real list has had: an element without a name, and the
   * banks whose detail lacks members or has wrong ones. Those banks are otherwise served by their codes alone. The client of `ventanilla` reads
   * both; many others can't.
   * @default false
   */
  malformed?: boolean;
  /**
   * Gets a line for each request that is not as the contract has it, which says what to change: `POST /login/: The body is JSON: …`. It has names of fields, and
   * no value that was sent.
   * @default none
   */
  log?: (line: string) => void;
}

export type SandboxSettings = ReturnType<typeof createSandboxSettings>;

const names = {
  banks: true,
  apiKey: true,
  seed: true,
  clock: true,
  sessionLifetime: true,
  interactionLifetime: true,
  slowBankDelay: true,
  bodyLimit: true,
  malformed: true,
  log: true,
} satisfies Record<keyof SandboxOptions, true>;

export function createSandboxSettings(options: SandboxOptions) {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(names, name));
  if (unknown !== undefined) throw new BankError("invalid_input", { field: unknown, detail: "is no option" });
  const {
    banks: ownBanks = [],
    apiKey = SANDBOX_API_KEY,
    seed,
    clock = systemClock,
    sessionLifetime = 30 * 60_000,
    interactionLifetime = 5 * 60_000,
    slowBankDelay = 3000,
    bodyLimit = 64 * 1024,
    malformed = false,
    log,
  } = options;
  const all = new Map([...banks, ...readOwnBanks(ownBanks).map((bank) => [bank.code, bank] as const)]);
  return {
    banks: all,
    apiKey,
    seed,
    clock,
    sessionLifetime,
    interactionLifetime,
    slowBankDelay,
    bodyLimit,
    malformed,
    /** Writes a mistake into the log, with the request without its query. */
    report({ method, url }: Request, mistake: string | undefined): void {
      if (mistake !== undefined) log?.(`${method} ${new URL(url).pathname.slice(0, 100)}: ${mistake}`);
    },
  };
}
