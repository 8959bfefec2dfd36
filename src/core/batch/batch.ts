import { createCallbackError } from "../api/callbacks.ts";
import type { BankClient } from "../api/client.ts";
import { BankError, createHandlerError } from "../api/errors.ts";
import {
  checkClient,
  checkObject,
  checkWellFormed,
  createInputError,
  type OptionParsers,
  parseObject,
  parseOptions,
  parseWholeNumber,
  unchecked,
  withDefault,
} from "../api/input-checks.ts";
import { login } from "../login/login.ts";
import {
  type BatchJournal,
  type BatchResult,
  type BatchRow,
  createBegunBefore,
  createClassifier,
  logInRow,
  type RowLogin,
} from "./batch-login.ts";
import { runAll } from "./batch-schedule.ts";

/** The options of `batch()`. */
export interface BatchOptions {
  /** Which rows were begun, and how they ended: the path of a file, or two functions. All runs of the batch have the same one. */
  readonly journal: string | BatchJournal;
  /** Logins at a time. Default 8. */
  readonly concurrency?: number;
  /** Logins at a time at the same bank. Default 2. */
  readonly perProvider?: number;
  /** This many logins in a row that end with a fault end the batch. Default 20. */
  readonly maxFaults?: number;
  /** Begins no more logins; running logins are finished. */
  readonly drain?: AbortSignal;
  /** Begins no more logins and aborts the running ones: their results follow, `outcome_unknown`, or `cancelled` with `sent: false` if nothing was sent. */
  readonly signal?: AbortSignal;
}

const parseCount = (field: string, value: number) => parseWholeNumber(field, value, 1);

/** Checks the limits of a batch. */
const limitParsers = {
  concurrency: withDefault(8, parseCount),
  perProvider: withDefault(2, parseCount),
  maxFaults: withDefault(20, parseCount),
  drain: unchecked,
  signal: unchecked,
} satisfies OptionParsers<Omit<BatchOptions, "journal">>;

const batchOptions = { journal: parseJournal, ...limitParsers } satisfies OptionParsers<BatchOptions>;

/**
 * Logs in many users, each once: a row that this batch has begun before, in any process, is not sent. The results come in the order in
 * which the logins end. After a passing fault the batch continues; after a result with `stop` no more logins are begun. After five faults in a row at the same bank, or refusals with
 * `provider_unavailable`, its rows wait: one is tried after 10, 30 and 90 seconds, and after that the remaining rows are skipped, without results. If the service limits requests
 * (`rate_limited`), the next login waits as long as it says, up to ten minutes. If the journal fails, no more logins are begun, and running logins are
 * finished. Leaving the loop begins no more logins and aborts the running ones: their results are lost. Up to 10 000 rows are read ahead, if a bank is at
 * its limit.
 *
 * @throws {BankError} `invalid_input`, naming the option, or the `id` or `attempt` of a row.
 * @throws {BankError} `handler_failed` naming `journal` or `rows`, or `file_unusable` naming `journal`, after the results of the logins that were sent.
 * @example
 * for await (const { id, outcome, fault } of batch(client, rows, { journal: "june.journal" })) {
 *   await save(id, outcome?.state ?? fault.code);
 * }
 */
export async function* batch(
  client: BankClient,
  rows: Iterable<BatchRow> | AsyncIterable<BatchRow>,
  options: BatchOptions,
): AsyncGenerator<BatchResult, void, undefined> {
  checkClient(client);
  const { journal, ...schedule } = parseOptions(options, batchOptions);
  const logIn: RowLogin = (credentials, options) => login(client, credentials, options);
  if (typeof journal !== "string") return yield* logInRows(logIn, rows, { ...schedule, journal });
  // Loaded only for a journal in a file.
  const { openBatchJournal } = await import("./journal-file.ts");
  const file = await openBatchJournal(journal);
  try {
    yield* logInRows(logIn, rows, { ...schedule, journal: file });
  } finally {
    await file.close();
  }
}

/** Checks the limits of a batch, and completes them. */
export const toSchedule = (limits: Omit<BatchOptions, "journal">) => parseOptions(limits, limitParsers);

/** Logs in by each row with the given function. */
export async function* logInRows(
  logIn: RowLogin,
  rows: Iterable<BatchRow> | AsyncIterable<BatchRow>,
  { journal, drain, ...limits }: ReturnType<typeof toSchedule> & { readonly journal: BatchJournal },
): AsyncGenerator<BatchResult, void, undefined> {
  const errors: unknown[] = [];
  const failed = new AbortController();
  /** Whether a row may be sent. */
  const begin = async ({ id, attempt = 1 }: BatchRow) => {
    const isNew: unknown = await journal.begin({ id, attempt });
    if (typeof isNew === "boolean") return isNew;
    throw createCallbackError("journal", "returned neither true nor false");
  };
  const send = async (row: BatchRow, signal: AbortSignal) => {
    const isNew = await begin(row).catch(refuse);
    if (!isNew) return createBegunBefore(row);
    const result = await logInRow(logIn, row, signal);
    try {
      await journal.end(result);
    } catch (error) {
      // The bank's result still goes to the loop.
      errors.push(error);
      failed.abort();
    }
    return result;
  };
  const schedule = {
    ...limits,
    drain: drain ? AbortSignal.any([drain, failed.signal]) : failed.signal,
    classify: createClassifier(),
  };
  for await (const { result, stop } of runAll(parseRows(rows), schedule, send)) {
    yield stop === undefined ? result : { ...result, stop };
  }
  if (errors.length > 0) refuse(errors[0]);
}

/** Rethrows an error of a journal. */
function refuse(error: unknown): never {
  throw error instanceof BankError ? error : createHandlerError("journal", error);
}

function parseJournal(field: string, journal: string | BatchJournal): string | BatchJournal {
  if (typeof journal === "string" && journal !== "") return journal;
  const { begin, end } = (journal ?? {}) as Partial<BatchJournal>;
  if (typeof begin === "function" && typeof end === "function") return journal;
  throw createInputError(field, "must be the path of a file, or have the functions begin and end");
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
