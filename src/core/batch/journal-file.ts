import * as v from "valibot";
import { BankError, wrapThrown } from "../api/errors.ts";
import { createRandomId } from "../api/random-id.ts";
import { stateNames } from "../login/login-state.ts";
import type { BatchJournal, BatchResult } from "./batch-login.ts";
import { openLineFile, toFileFault } from "./line-file.ts";
import { findStart } from "./process-start.ts";

/** A line of the results: how an attempt ended. With `sent: false` it can't have reached the bank. */
export const resultLine = v.looseObject({
  id: v.string(),
  attempt: v.number(),
  state: v.string(),
  /** The code of a failure. */
  code: v.exactOptional(v.string()),
  sent: v.exactOptional(v.literal(false)),
});
export type ResultLine = v.InferOutput<typeof resultLine>;

/** A run locks the journal with its process, and unlocks it with a line without one. */
const runLine = v.strictObject({
  run: v.string(),
  process: v.exactOptional(v.number()),
  since: v.exactOptional(v.string()),
});
const begunLine = v.strictObject({ begun: v.string(), attempt: v.number() });

/** What is known of a row: its last attempt, and how that ended: the code of a failure, or a state. Without an `end` it may be at the bank. */
export interface JournalRow {
  readonly attempt: number;
  readonly end?: string;
  readonly sent?: false;
}

/** Whether a row was sent, or may have been. */
export const isSent = (row: JournalRow | undefined): boolean => row !== undefined && row.sent !== false;

export type JournalFile = Awaited<ReturnType<typeof openJournalFile>>;

/**
 * Opens the journal of a batch: which rows were begun, in any run of it, and how they ended. A run locks the journal while its process lives.
 *
 * @param field names the file in an error.
 * @throws {BankError} `file_unusable`: another process has locked it, or the file is not a journal.
 */
export async function openJournalFile(
  path: string,
  { field, check }: { readonly field: string; readonly check?: Parameters<typeof openLineFile>[1]["check"] },
) {
  const shape = v.union([runLine, begunLine, resultLine]);
  const rows = new Map<string, JournalRow>();
  const run = createRandomId();
  let owner: v.InferOutput<typeof runLine> | undefined;

  const record = ({ id, attempt, state, code = state, sent }: ResultLine) =>
    rows.set(id, { attempt, end: code, ...(sent === false && { sent }) });
  const onLines = async (lines: AsyncIterable<v.InferOutput<typeof shape>>) => {
    for await (const line of lines) {
      if ("begun" in line) rows.set(line.begun as string, { attempt: line.attempt as number });
      else if ("state" in line) record(line as ResultLine);
      else if (line.process !== undefined) owner = line as typeof owner;
      else if (line.run === owner?.run) owner = undefined;
    }
  };
  const file = await openLineFile(path, { field, shape, check, onLines });
  const refuse = () => {
    throw new BankError("file_unusable", { field, detail: `process ${owner?.process} uses it` });
  };
  /** If two runs begin at the same time, the one whose line is the last has the lock. */
  const lock = async () => {
    await onLines(file.read());
    if (owner && (await findStart(owner.process ?? 0)) === owner.since) refuse();
    owner = { run, process: process.pid, since: (await findStart(process.pid)) ?? "" };
    await file.append(owner);
    if (owner.run !== run) refuse();
  };
  try {
    await lock();
  } catch (error) {
    await file.close();
    throw error;
  }
  return {
    rows: rows as ReadonlyMap<string, JournalRow>,
    /** Reads again how each attempt ended, before anything is begun. */
    async *results(): AsyncGenerator<ResultLine> {
      for await (const line of file.read()) if ("state" in line) yield line as ResultLine;
    },
    /**
     * Records that an attempt is about to be sent. It resolves once the line would survive a loss of power.
     *
     * @returns `false` if it may have been sent before, so it must not be sent now.
     * @throws {BankError} `file_unusable`: another process has locked the journal, so nothing may be sent.
     */
    async begin({ id, attempt }: Pick<ResultLine, "id" | "attempt">): Promise<boolean> {
      const before = rows.get(id);
      if (before && before.attempt >= attempt && isSent(before)) return false;
      rows.set(id, { attempt });
      try {
        // Read after the flush: a run that has locked the journal meanwhile will send this row.
        if ((await file.append({ begun: id, attempt })) && owner?.run === run) return true;
      } catch (error) {
        if (before) rows.set(id, before);
        else rows.delete(id);
        throw error;
      }
      throw new BankError("file_unusable", { field, detail: "another process has taken it" });
    },
    async end({ id, attempt, state, ...line }: ResultLine): Promise<void> {
      await file.append({ id, attempt, state, ...line });
      record({ id, attempt, state, ...line });
    },
    /** Unlocks the journal. */
    async close(): Promise<void> {
      // If it can't be written, the lock ends with the process.
      if (owner?.run === run) await file.append({ run }).catch(() => {});
      await file.close();
    },
  };
}

/** The journal of a program in a file, without keys. */
export async function openBatchJournal(path: string): Promise<BatchJournal & { close(): Promise<void> }> {
  const refuse = (error: unknown): never => {
    throw toFileFault("journal", error);
  };
  const file = await openJournalFile(path, { field: "journal" }).catch(refuse);
  return {
    begin: (attempt) => file.begin(attempt).catch(refuse),
    end: ({ id, attempt, sent, ...ended }) =>
      file.end({ id, attempt, ...toResultState(ended), ...(!sent && { sent }) }).catch(refuse),
    close: () => file.close(),
  };
}

function toResultState({ outcome, fault }: Pick<BatchResult, "outcome" | "fault">): Pick<ResultLine, "state" | "code"> {
  if (!outcome) return { state: stateNames.failed, code: wrapThrown(fault).code };
  const state = stateNames[outcome.state];
  return outcome.state === "failed" ? { state, code: outcome.failure.code } : { state };
}
