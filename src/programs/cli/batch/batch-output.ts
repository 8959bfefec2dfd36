import { rm, writeFile } from "node:fs/promises";
import * as v from "valibot";
import type { BatchJournal } from "../../../core/batch/index.ts";
import { type JournalRow, openJournalFile, type ResultLine, resultLine } from "../../../core/batch/journal-file.ts";
import { type LineFile, openLineFile } from "../../../core/batch/line-file.ts";
import { BankError, reveal, type Secret } from "../../../index.ts";
import { checkOwner, realPath, toFileFault } from "../settings/private-files.ts";

const keyLine = v.strictObject({ id: v.string(), attempt: v.number(), key: v.string() });

/** Bytes that are kept free in the journal and in the results for each running login. */
const RESERVE = 4096;

export type BatchOutput = Awaited<ReturnType<typeof openBatchOutput>>;

export interface EndedLogin {
  readonly line: ResultLine;
  readonly key?: Secret | undefined;
}

/**
 * Opens the files that a batch writes: the journal beside the results, which alone decides what was sent, the results and the session keys. Two names of one file are refused,
 * because the lines of one would be read as the other's. So is the file `input`, which contains the logins; `-` is standard input.
 *
 * @param concurrency the number of logins that run at a time.
 */
export async function openBatchOutput(
  input: string,
  { out: named, keysTo, concurrency }: { out: string; keysTo: string | undefined; concurrency: number },
) {
  // The journal is named after the real path. Under another name a login could be sent twice.
  const out = await realPath("--out", named);
  const journalPath = `${out}.journal`;
  const reserve = `${journalPath}.reserve`;
  const places = [
    ...(input === "-" ? [] : [{ field: "FILE", path: await realPath("FILE", input) }]),
    { field: "--out", path: out },
    ...(keysTo === undefined ? [] : [{ field: "--keys-to", path: await realPath("--keys-to", keysTo) }]),
  ];
  for (const [index, { field, path }] of places.entries()) {
    const other = places.slice(0, index).find((place) => place.path === path);
    if (other) throw new BankError("invalid_input", { field, detail: `is the same file as ${other.field}` });
    if (path === journalPath) throw new BankError("invalid_input", { field, detail: "is the journal of --out" });
  }
  const opened: { close(): Promise<unknown> }[] = [];
  // The journal last: it then lets the next process begin.
  const close = async () => {
    for (const part of opened.reverse()) await part.close();
  };
  const keep = async <Part extends { close(): Promise<unknown> }>(field: string, opening: Promise<Part>) => {
    const part = await opening.catch((error: unknown) => {
      throw toFileFault(field, error);
    });
    opened.push(part);
    return part;
  };
  const openLines = async <Line>(field: string, path: string, shape: v.GenericSchema<unknown, Line>) => {
    const check = (status: Parameters<typeof checkOwner>[1]) => checkOwner(field, status, 0o077);
    const file = await keep(field, openLineFile(path, { field, shape, check }));
    return { file, lines: file.read() };
  };
  try {
    const check = (status: Parameters<typeof checkOwner>[1]) => checkOwner("--out", status, 0o077);
    const journal = await keep("--out", openJournalFile(journalPath, { field: "--out", check }));
    const { file: results, lines } = await openLines("--out", out, resultLine);
    const keys = keysTo === undefined ? undefined : await openLines("--keys-to", keysTo, keyLine);
    // Refuses the file of another program.
    for await (const _ of keys?.lines ?? []);
    await addMissing(lines, journal.results(), results);
    opened.push({ close: () => rm(reserve, { force: true }) });
    await writeFile(reserve, Buffer.alloc(concurrency * RESERVE), { mode: 0o600 });
    return { ...createWriter({ journal, results, keys: keys?.file, reserve }), rows: journal.rows, close };
  } catch (error) {
    await close();
    throw toFileFault("--out", error);
  }
}

/** Adds the results that only the journal has, after the process was killed. A result that the journal does not have belongs to another batch, whose logins could be sent again. */
async function addMissing(
  lines: AsyncIterable<ResultLine>,
  known: AsyncIterable<ResultLine>,
  results: LineFile<ResultLine>,
): Promise<void> {
  const toName = ({ id, attempt }: ResultLine) => `${attempt} ${id}`;
  // Two runs may have written the result of one attempt.
  const written = new Map<string, number>();
  for await (const line of lines) written.set(toName(line), (written.get(toName(line)) ?? 0) + 1);
  const missing: ResultLine[] = [];
  for await (const line of known) {
    const count = written.get(toName(line)) ?? 0;
    if (count === 0) missing.push(line);
    else if (count === 1) written.delete(toName(line));
    else written.set(toName(line), count - 1);
  }
  if (written.size > 0) {
    throw new BankError("file_unusable", { field: "--out", detail: "has results that are not in its journal" });
  }
  await Promise.all(missing.map((line) => results.append(line)));
}

/** Writes how logins end. It waits for a slow disk. After a failed write no more logins are begun. */
function createWriter({
  journal,
  results,
  keys,
  reserve,
}: {
  readonly journal: Awaited<ReturnType<typeof openJournalFile>>;
  readonly results: LineFile<ResultLine>;
  readonly keys: LineFile<v.InferOutput<typeof keyLine>> | undefined;
  readonly reserve: string;
}) {
  const failed = new AbortController();
  let fault: BankError | undefined;
  let unwritten: { readonly id: string; readonly steps: (() => Promise<unknown>)[] }[] = [];

  const note = (error: unknown) => {
    fault ??= toFileFault("--out", error);
    failed.abort();
  };
  /** Runs the remaining steps. @returns whether all have succeeded. */
  const isWritten = async (steps: (() => Promise<unknown>)[]): Promise<boolean> => {
    try {
      for (let step = steps[0]; step; step = steps[0]) {
        await step();
        steps.shift();
      }
      return true;
    } catch (error) {
      note(error);
      return false;
    }
  };
  return {
    /** Begins no more logins after a failed write. */
    failed: failed.signal,
    fault: () => fault,
    async begin(attempt: Parameters<BatchJournal["begin"]>[0]): Promise<boolean> {
      try {
        return await journal.begin(attempt);
      } catch (error) {
        if (error instanceof BankError) throw error;
        note(error);
        return false;
      }
    },
    /** Writes how a login ended. It never rejects: what can't be written stays in memory. */
    async write({ line, key }: EndedLogin): Promise<void> {
      const { id, attempt } = line;
      const steps = [
        // The key first: a login with a result is not sent again, so its key would be lost.
        ...(key && keys ? [() => keys.append({ id, attempt, key: reveal(key) })] : []),
        () => journal.end(line),
        () => results.append(line),
      ];
      if (await isWritten(steps)) return;
      await rm(reserve, { force: true }).catch(() => {});
      if (!(await isWritten(steps))) unwritten.push({ id, steps });
    },
    /** Tries once more. @returns the ids of the logins that can't be written. */
    async finish(): Promise<readonly string[]> {
      const left = [];
      for (const login of unwritten) if (!(await isWritten(login.steps))) left.push(login);
      unwritten = left;
      return left.map(({ id }) => id);
    },
  };
}

/** Whether a file can't be written because its disk is full, or the quota of its user. */
export const isFull = ({ detail }: BankError): boolean => ["ENOSPC", "EDQUOT", "EFBIG"].includes(detail ?? "");

/** Whether a login has to be sent: it never was, or it ended with a code or state of `resend`. */
export const isOpen = (row: JournalRow | undefined, resend: readonly string[]): boolean =>
  row === undefined || row.sent === false || (row.end !== undefined && resend.includes(row.end));
