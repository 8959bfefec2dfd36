import type * as v from "valibot";
import { InputError } from "../../index.ts";
import { realPath } from "../settings/private-files.ts";
import { journalLine, keyLine, resultLine } from "./batch-history.ts";
import { openLineFile } from "./line-file.ts";
import { lock } from "./lock.ts";

/** The files that a batch writes to, locked against other batches. */
export type BatchOutput = Awaited<ReturnType<typeof openBatchOutput>>;

/**
 * Opens the files that a batch writes to. Two names of one file are refused, because what is added to one would be read as another. So is
 * the file `input`, which the logins are read from; `-` is standard input.
 */
export async function openBatchOutput(
  input: string,
  { out: named, keysTo, force }: { out: string; keysTo: string | undefined; force: boolean },
) {
  // Lock and journal are named after the file itself. Under another name a login could be sent twice.
  const out = await realPath("--out", named);
  const places = [
    ...(input === "-" ? [] : [{ field: "FILE", path: await realPath("FILE", input) }]),
    { field: "--out", path: out },
    { field: "--out.journal", path: `${out}.journal` },
    ...(keysTo === undefined ? [] : [{ field: "--keys-to", path: await realPath("--keys-to", keysTo) }]),
  ];
  for (const [index, { field, path }] of places.entries()) {
    const other = places.slice(0, index).find((place) => place.path === path);
    if (other) throw new InputError("invalid_input", { field, detail: `is the same file as ${other.field}` });
  }
  const held = await lock(`${out}.lock`, { force });
  const opened: { close(): Promise<void> }[] = [];
  const close = async () => {
    for (const file of opened) await file.close();
    await held.release();
  };
  const open = async <Line extends { id: string }>(field: string, name: string, shape: v.GenericSchema<Line>) => {
    const file = await openLineFile(name, field, shape);
    opened.push(file);
    return file;
  };
  try {
    const results = await open("--out", out, resultLine);
    const journal = await open("--out.journal", `${out}.journal`, journalLine);
    const keys = keysTo === undefined ? undefined : await open("--keys-to", keysTo, keyLine);
    return { results, journal, keys, checkLock: held.check, close };
  } catch (error) {
    await close();
    throw error;
  }
}
