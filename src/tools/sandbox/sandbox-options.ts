import * as v from "valibot";
import { BankError } from "../../core/api/errors.ts";
import { banks } from "./banks/index.ts";
import { ownBanks, type SandboxBank, toBank } from "./own-banks.ts";

/** The sandbox's source of time. Replace it to control the time in a test. */
export interface SandboxClock {
  /** The current time in milliseconds since the epoch. Decides whether a session or an interaction has expired. */
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

/** The API key that a sandbox expects in `X-API-Key` by default (contract, section 5). */
export const SANDBOX_API_KEY = "sandbox-api-key";

/** The options of a sandbox. Every member is optional. */
export interface SandboxOptions {
  /**
   * Your own banks, beside those of the sandbox.
   * @default none
   */
  banks?: readonly SandboxBank[];
  /**
   * The API key that every request must send in `X-API-Key` (contract, section 5).
   * @default SANDBOX_API_KEY
   */
  apiKey?: string;
  /**
   * The sandbox's source of time.
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
   * Whether the list of banks also has elements that break the contract (sections 2.1 and 2.2), as a real list had: an element without a name, and the
   * banks whose detail lacks members or has wrong ones. Otherwise those banks are only served by their codes. The client of `ventanilla` reads
   * both; many others can't.
   * @default false
   */
  malformed?: boolean;
  /**
   * Gets a line for each request that does not follow the contract, which says what to change: `POST /login/: The body is JSON: …`. It contains names of fields, and
   * no sent value.
   * @default none
   */
  log?: (line: string) => void;
}

export type SandboxSettings = ReturnType<typeof createSandboxSettings>;

const isFunction = (value: unknown) => typeof value === "function";

const sandboxOptions = v.strictObject({
  banks: v.optional(ownBanks, []),
  apiKey: v.optional(v.string(), SANDBOX_API_KEY),
  clock: v.optional(
    v.custom<SandboxClock>((clock) => isFunction((clock as SandboxClock | null)?.now)),
    () => systemClock,
  ),
  sessionLifetime: v.optional(v.number(), 30 * 60_000),
  interactionLifetime: v.optional(v.number(), 5 * 60_000),
  slowBankDelay: v.optional(v.number(), 3000),
  malformed: v.optional(v.boolean(), false),
  log: v.optional(v.custom<(line: string) => void>(isFunction)),
} satisfies Record<keyof SandboxOptions, v.GenericSchema>);

export function createSandboxSettings(options: SandboxOptions) {
  const { success, output, issues } = v.safeParse(sandboxOptions, options);
  if (!success) {
    const [issue] = issues;
    const field = v.getDotPath(issue) ?? "options";
    const isBank = field.startsWith("banks");
    const detail = isBank ? "is not as a bank of the sandbox has it" : `must be ${issue.expected}`;
    throw new BankError("invalid_input", { field, detail: issue.expected === "never" ? "is not an option" : detail });
  }
  const { banks: own, log, ...settings } = output;
  return {
    ...settings,
    banks: new Map([
      ...banks,
      ...(own as readonly SandboxBank[]).map(toBank).map((bank) => [bank.code, bank] as const),
    ]),
    /** Writes a mistake into the log, with the request without its query. */
    report({ method, url }: Request, mistake: string | undefined): void {
      if (mistake !== undefined) log?.(`${method} ${new URL(url).pathname.slice(0, 100)}: ${mistake}`);
    },
  };
}
