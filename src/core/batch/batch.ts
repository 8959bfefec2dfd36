import type { BankClient } from "../api/client.ts";
import { BankError, createHandlerError } from "../api/errors.ts";
import {
  checkClient,
  checkObject,
  checkWellFormed,
  createInputError,
  type OptionNames,
  parseObject,
  parseWholeNumber,
  refuseUnknown,
} from "../api/input-checks.ts";
import { type RefusalMemory, rememberRefusals } from "../login/known-refusals.ts";
import { checkStore, type Store } from "../tokens/store.ts";
import { type BatchResult, type BatchRow, createJudge, logInOnce } from "./batch-login.ts";
import { runAll } from "./batch-schedule.ts";

/** The options of `batch()`. */
export interface BatchOptions {
  /** Where all runs of the batch claim each login just before it is sent. */
  readonly claimStore: Store;
  /** Milliseconds for which a claim is kept: as long as the batch may be run again. Default a year. */
  readonly claimLifetime?: number;
  /** Tells apart the batches whose claims are in one store. Default empty. */
  readonly name?: string;
  /** Logins at a time. Default 8. */
  readonly concurrency?: number;
  /** Logins at a time at the same bank. Default 2. */
  readonly perProvider?: number;
  /** So many logins in a row that end with a fault end the batch. Default 20. */
  readonly maxFaults?: number;
  /**
   * After so many in a row at the same bank, or refusals with `provider_unavailable`, its rows wait: one is tried after 10, 30 and 90 seconds, and after the
   * last one the rest is left, without results. Default 5.
   */
  readonly maxProviderFaults?: number;
  /** Begins no more logins; those that are running go on to their end. */
  readonly drain?: AbortSignal;
  /** As of `login()`: what the bank has refused is not sent again, in any batch that shares the store. `ignoreKnownRefusal` is a member of a row. Default none. */
  readonly refusals?: RefusalMemory;
  /** Begins no more logins and aborts those that are running: their results follow, `outcome_unknown`, or `cancelled` with `sent: false` if nothing had left. */
  readonly signal?: AbortSignal;
}

/** How long a claim is kept by default, in milliseconds. */
export const CLAIM_LIFETIME = 365 * 24 * 60 * 60 * 1000;

const names: OptionNames<BatchOptions> = {
  claimStore: true,
  claimLifetime: true,
  name: true,
  concurrency: true,
  perProvider: true,
  maxFaults: true,
  maxProviderFaults: true,
  drain: true,
  refusals: true,
  signal: true,
};

/**
 * Logs in many users, each once: a row that this batch has claimed before, in any process, is not sent. The results come in the order in
 * which the logins end. A passing fault costs its row alone; after a result with `stop` no more logins are begun. If the service takes no more requests
 * (`rate_limited`), the next login waits as long as it says, up to ten minutes. Leaving the loop begins no more logins, and aborts those that
 * are running: their results are lost. No more rows are read than needed, up to 10 000 ahead if a bank is at its limit.
 *
 * @throws {BankError} `invalid_input`, naming the option, or the `id` or `attempt` of a row.
 * @throws {BankError} `handler_failed` naming `claimStore` or `rows`, after the results of the logins that were sent.
 * @example
 * for await (const { id, outcome, fault } of batch(client, rows, { claimStore })) {
 *   await save(id, outcome?.status ?? fault.code);
 * }
 */
export async function* batch(
  client: BankClient,
  rows: Iterable<BatchRow> | AsyncIterable<BatchRow>,
  options: BatchOptions,
): AsyncGenerator<BatchResult, void, undefined> {
  checkClient(client);
  refuseUnknown(options, names);
  checkWellFormed("name", options.name ?? "");
  const {
    claimStore,
    name = "",
    concurrency = 8,
    perProvider = 2,
    maxFaults = 20,
    maxProviderFaults = 5,
    refusals,
  } = options;
  checkStore("claimStore", claimStore);
  const lifetime = parseWholeNumber("claimLifetime", options.claimLifetime ?? CLAIM_LIFETIME, 1);
  // Checked before the first row is claimed.
  if (refusals !== undefined) rememberRefusals(client, refusals);
  const schedule = {
    concurrency: parseWholeNumber("concurrency", concurrency, 1),
    perProvider: parseWholeNumber("perProvider", perProvider, 1),
    maxFaults: parseWholeNumber("maxFaults", maxFaults, 1),
    maxProviderFaults: parseWholeNumber("maxProviderFaults", maxProviderFaults, 1),
    signal: options.signal,
    drain: options.drain,
    judge: createJudge(),
  };
  const send = (row: BatchRow, signal: AbortSignal) =>
    logInOnce(client, row, { claimStore, name, lifetime, refusals }, signal);
  for await (const { result, stop } of runAll(parseRows(rows), schedule, send)) {
    yield stop === undefined ? result : { ...result, stop };
  }
}

async function* parseRows(rows: Iterable<BatchRow> | AsyncIterable<BatchRow>) {
  checkObject("rows", rows);
  try {
    for await (const row of rows) {
      const { id, attempt } = parseObject("rows", row);
      if (typeof id !== "string" || id === "") throw createInputError("id", "must be a text that is not empty");
      checkWellFormed("id", id);
      if (attempt !== undefined) parseWholeNumber("attempt", attempt, 1);
      yield row;
    }
  } catch (error) {
    throw error instanceof BankError ? error : createHandlerError("rows", error);
  }
}
