import { wrapThrown } from "../api/errors.ts";
import type { BatchResult } from "./batch-login.ts";

/**
 * Remembers which rows of a batch were begun, for all runs of it, and how they ended. A file is one. With your own, in a database, several processes may run the
 * same batch at the same time.
 */
export interface BatchJournal {
  /**
   * Notes that an attempt of a row is about to be sent. Nothing is sent before it has resolved, however long it takes.
   *
   * @returns whether it may be sent: `false` if it was noted before, atomically for all runs.
   */
  begin(attempt: Pick<BatchResult, "id" | "attempt">): boolean | Promise<boolean>;
  /** Keeps how an attempt ended, for example with its session key. The loop gets the result after that, also if it throws. */
  end(result: BatchResult): unknown;
}

/** The journal in a file, without keys. */
export async function openBatchJournal(path: string): Promise<BatchJournal & { close(): Promise<void> }> {
  // Loaded by those alone who have a file.
  const [{ openJournalFile }, { toFileFault }] = await Promise.all([
    import("./journal-file.ts"),
    import("./line-file.ts"),
  ]);
  const refuse = (error: unknown): never => {
    throw toFileFault("journal", error);
  };
  const file = await openJournalFile(path, { field: "journal" }).catch(refuse);
  return {
    begin: (attempt) => file.begin(attempt).catch(refuse),
    end: ({ id, attempt, sent, ...ended }) =>
      file.end({ id, attempt, status: readStatus(ended), ...(!sent && { sent }) }).catch(refuse),
    close: () => file.close(),
  };
}

function readStatus({ outcome, fault }: Pick<BatchResult, "outcome" | "fault">): string {
  if (!outcome) return wrapThrown(fault).code;
  return outcome.status === "failed" ? outcome.failure.code : outcome.status;
}
