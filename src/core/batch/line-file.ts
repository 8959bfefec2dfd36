import * as v from "valibot";
import { BankError } from "../api/errors.ts";
import { createInputError } from "../api/input-checks.ts";

const LINE_FEED = 10;

/** Bytes that are read at a time. */
const PIECE = 65_536;

/** How each line begins. An incomplete line with another beginning was not cut off: another program has written it. */
const BEGINNING = '{"';

/** A file of JSON lines that is only added to. */
export type LineFile<Line> = Awaited<ReturnType<typeof openLineFile<Line>>>;

/** The file system of Node, Deno or Bun. Not imported, because a bundle for browsers has none. */
function findFileSystem(field: string) {
  const files = globalThis.process?.getBuiltinModule?.("node:fs/promises");
  if (!files) throw createInputError(field, "can be a file only on Node, Deno and Bun");
  return files;
}

/** Makes a new file's name survive a loss of power. */
async function syncFolder(path: string): Promise<void> {
  const { dirname } = process.getBuiltinModule("node:path");
  // Windows can't open folders.
  const folder = await findFileSystem("")
    .open(dirname(path), "r")
    .catch(() => undefined);
  await folder?.sync().finally(() => folder.close());
}

/** The fault of a file. Its path and content are left out, because either may be a misplaced secret. */
export function toFileFault(field: string, error: unknown): BankError {
  if (error instanceof BankError) return error;
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  return new BankError("file_unusable", { field, detail: typeof code === "string" ? code : "unreadable" });
}

/**
 * Opens a file of JSON lines to append to, mode 600. The power may fail at any moment: a line that was cut off counts as not written. If a line has another
 * shape, the file belongs to another program: reading fails, and the file is not changed.
 *
 * @param check refuses the file by its `stat` result, before it is read.
 * @param onLines gets the lines that another process has appended. Called after each write, before the next one.
 */
export async function openLineFile<Line>(
  path: string,
  {
    field,
    shape,
    check,
    onLines,
  }: {
    readonly field: string;
    readonly shape: v.GenericSchema<unknown, Line>;
    readonly check?: ((status: { uid: number; mode: number }) => void) | undefined;
    readonly onLines?: (lines: AsyncIterable<Line>) => Promise<void>;
  },
) {
  const { open, stat } = findFileSystem(field);
  const shapeOfLine = v.pipe(v.string(), v.parseJson(), shape);
  const file = await open(path, "a+", 0o600);
  const opened = await file.stat();
  /** The end of what was read and written here. */
  let size = 0;
  /** Whether the last line may have no end. */
  let isTorn = false;
  let waiting: { readonly text: string; settle(isThere: Promise<boolean>): void }[] = [];
  let writing: Promise<void> | undefined;

  function* parse(bytes: Buffer): Generator<Line> {
    // A loss of power can leave zeros.
    const line = bytes.toString("utf8").replaceAll("\0", "");
    if (line === "") return;
    const { success, output, issues } = v.safeParse(shapeOfLine, line);
    if (success) yield output;
    else if (issues[0].type !== "parse_json" || !line.startsWith(BEGINNING.slice(0, line.length))) {
      throw new BankError("file_unusable", { field, detail: "has lines that no batch has written" });
    }
  }

  async function readBytes(from: number, most: number): Promise<Buffer> {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(most), 0, most, from);
    return buffer.subarray(0, bytesRead);
  }

  /** Removes what could not be written completely, if it is the end of the file. */
  async function withdraw(text: string): Promise<void> {
    const written = Buffer.from(text);
    const rest = await readBytes(size, written.length + 1);
    if (rest.length > 0 && written.subarray(0, rest.length).equals(rest)) await file.truncate(size);
  }

  async function write(text: string): Promise<boolean> {
    const part = isTorn ? `\n${text}` : text;
    try {
      await file.appendFile(part);
      await file.datasync();
    } catch (error) {
      isTorn = true;
      await withdraw(part).catch(() => {});
      throw error;
    }
    isTorn = false;
    const end = size + Buffer.byteLength(part);
    const now = await file.stat();
    if (now.size !== end && onLines) await onLines(read(size));
    else size = now.size;
    return (await stat(path).catch(() => undefined))?.ino === opened.ino;
  }

  async function* read(from = 0): AsyncGenerator<Line> {
    let rest = Buffer.alloc(0);
    size = from;
    for (;;) {
      const piece = await readBytes(size, PIECE);
      size += piece.length;
      const bytes = Buffer.concat([rest, piece]);
      const end = piece.length === 0 ? bytes.length : bytes.lastIndexOf(LINE_FEED) + 1;
      for (let start = 0; start < end; ) {
        const found = bytes.indexOf(LINE_FEED, start);
        yield* parse(bytes.subarray(start, found < 0 ? end : found));
        start = found < 0 ? end : found + 1;
      }
      rest = bytes.subarray(end);
      if (piece.length > 0) isTorn = rest.length > 0;
      else return;
    }
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      const isThere = write(group.map(({ text }) => text).join(""));
      await isThere.catch(() => {});
      for (const { settle } of group) settle(isThere);
    }
    writing = undefined;
  }

  try {
    if (!opened.isFile()) throw new BankError("file_unusable", { field, detail: "is not a file" });
    check?.(opened);
    await syncFolder(path);
  } catch (error) {
    await file.close();
    throw error;
  }
  return {
    /** The lines from an offset on: the beginning of the file, or of a line. It reads in pieces, and fails at a line of another shape. */
    read,
    /** The end of what was read and written here. */
    end: () => size,
    /**
     * Appends a line. It resolves once the line would survive a loss of power; lines appended meanwhile are written together. After an error the line is not in the
     * file.
     *
     * @returns whether the file is still the one of its name.
     */
    append(line: Line): Promise<boolean> {
      const appended = new Promise<boolean>((settle) => {
        waiting.push({ text: `${JSON.stringify(line)}\n`, settle });
      });
      writing ??= writeAll();
      return appended;
    },
    async close(): Promise<void> {
      await writing;
      await file.close();
    },
  };
}
