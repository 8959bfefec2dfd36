import type { BankClient } from "../api/client.ts";
import { BankError, createHandlerError } from "../api/errors.ts";
import { createInputError, parseObject, parseWholeNumber, refuseUnknown } from "../api/input-checks.ts";
import { type ClaimStore, checkClaimStore } from "../tokens/claim-store.ts";
import { type BatchResult, type BatchRow, logInOnce } from "./batch-login.ts";
import { runAll } from "./batch-schedule.ts";

/** The options of `batch()`. */
export interface BatchOptions {
  /** Where all runs of the batch claim each login just before it is sent. A claim is kept for a year. */
  readonly claimStore: ClaimStore;
  /** Tells apart the batches whose claims are in one store. Default empty. */
  readonly name?: string;
  /** Logins at a time. Default 8. */
  readonly concurrency?: number;
  /** Logins at a time at the same bank. Default 2. */
  readonly perProvider?: number;
  /** Begins no more logins and aborts those that are running: their results follow, `outcome_unknown`. */
  readonly signal?: AbortSignal;
}

const names = { claimStore: true, name: true, concurrency: true, perProvider: true, signal: true } as const;

/**
 * Logs in many users, each once: a row that this batch has claimed before, in any process, is not sent. The results come in the order in
 * which the logins end. After a result that is about the set-up no more logins are begun. Leaving the loop begins no more either, and
 * aborts those that are running: their results are lost. No more rows are read than needed, up to 10 000 ahead if a bank is at its limit.
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
  refuseUnknown(options, names);
  const { claimStore, name = "", concurrency = 8, perProvider = 2, signal } = options;
  checkClaimStore(claimStore);
  const schedule = {
    concurrency: parseWholeNumber("concurrency", concurrency, 1),
    perProvider: parseWholeNumber("perProvider", perProvider, 1),
    signal,
    isLast: (result: BatchResult) => result.isAboutSetUp,
  };
  yield* runAll(parseRows(rows), schedule, (row, signal) => logInOnce(client, row, { claimStore, name }, signal));
}

async function* parseRows(rows: Iterable<BatchRow> | AsyncIterable<BatchRow>) {
  try {
    for await (const row of rows) {
      const { id, attempt } = parseObject("rows", row);
      if (typeof id !== "string" || id === "") throw createInputError("id", "must be a text that is not empty");
      if (attempt !== undefined) parseWholeNumber("attempt", attempt, 1);
      yield row;
    }
  } catch (error) {
    throw error instanceof BankError ? error : createHandlerError("rows", error);
  }
}
