import * as v from "valibot";
import { BankError } from "../api/errors.ts";
import { createInputError } from "../api/input-checks.ts";

const LINE_FEED = 10;

/** How each line begins. A broken line with another beginning was not cut off: it is the text of another program. */
const BEGINNING = '{"';

/** A file of JSON lines that is only added to. */
export type LineFile<Line> = Awaited<ReturnType<typeof openLineFile<Line>>>;

/** The file system of Node, Deno or Bun. Not imported: a bundle for browsers has none. */
function findFileSystem(field: string) {
  const files = globalThis.process?.getBuiltinModule?.("node:fs/promises");
  if (!files) throw createInputError(field, "can be a file on Node, Deno and Bun alone");
  return files;
}

/** Makes the name of a new file outlast a loss of power. */
async function syncFolder(path: string): Promise<void> {
  const { dirname } = process.getBuiltinModule("node:path");
  // Windows opens no folders.
  const folder = await findFileSystem("")
    .open(dirname(path), "r")
    .catch(() => undefined);
  await folder?.sync().finally(() => folder.close());
}

/** The fault of a file. Path and content are left out, because either may be a misplaced secret. */
export function toFileFault(field: string, error: unknown): BankError {
  if (error instanceof BankError) return error;
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  return new BankError("file_unusable", { field, detail: typeof code === "string" ? code : "unreadable" });
}

/**
 * Opens a file of JSON lines to add to, mode 600. The power may fail at any moment: a line that was cut off counts as not written. A file with a line of another
 * shape is another program's: reading it is refused, and it is not changed.
 *
 * @param check refuses the file by its status, before it is read.
 */
export async function openLineFile<Line>(
  path: string,
  {
    field,
    shape,
    check,
  }: {
    readonly field: string;
    readonly shape: v.GenericSchema<unknown, Line>;
    readonly check?: ((status: { uid: number; mode: number }) => void) | undefined;
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
  let waiting: { readonly text: string; settle(isAlone: Promise<boolean>): void }[] = [];
  let writing: Promise<void> | undefined;

  function* parse(bytes: Buffer): Generator<Line> {
    for (let start = 0; start < bytes.length; ) {
      const found = bytes.indexOf(LINE_FEED, start);
      const end = found < 0 ? bytes.length : found;
      // A loss of power can leave zeros.
      const line = bytes.toString("utf8", start, end).replaceAll("\0", "");
      start = end + 1;
      if (line === "") continue;
      const { success, output, issues } = v.safeParse(shapeOfLine, line);
      if (success) yield output;
      else if (issues[0].type !== "parse_json" || !line.startsWith(BEGINNING.slice(0, line.length))) {
        throw new BankError("file_unusable", { field, detail: "has what no batch writes there" });
      }
    }
  }

  async function readBytes(from: number): Promise<Buffer> {
    const bytes = Buffer.alloc(Math.max(0, (await file.stat()).size - from));
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await file.read(bytes, length, bytes.length - length, from + length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return bytes.subarray(0, length);
  }

  /** Takes back what could not be written completely, if it is the end of the file. */
  async function withdraw(text: string): Promise<void> {
    const rest = await readBytes(size);
    if (rest.length > 0 && Buffer.from(text).subarray(0, rest.length).equals(rest)) await file.truncate(size);
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
    size += Buffer.byteLength(part);
    const now = await stat(path).catch(() => undefined);
    return now?.ino === opened.ino && now.size === size;
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      const isAlone = write(group.map(({ text }) => text).join(""));
      await isAlone.catch(() => {});
      for (const { settle } of group) settle(isAlone);
    }
    writing = undefined;
  }

  try {
    if (!opened.isFile()) throw new BankError("file_unusable", { field, detail: "is no file" });
    check?.(opened);
    await syncFolder(path);
  } catch (error) {
    await file.close();
    throw error;
  }
  return {
    /** The lines from a place on: the beginning of the file, or of a line. */
    async read(from = 0): Promise<readonly Line[]> {
      const bytes = await readBytes(from);
      size = from + bytes.length;
      isTorn = bytes.length > 0 && bytes.at(-1) !== LINE_FEED;
      return [...parse(bytes)];
    },
    /** The end of what was read and written here. */
    end: () => size,
    /**
     * Adds a line. It resolves when the line would outlast a loss of power; lines that come meanwhile are written together. After an error the line is not in the
     * file.
     *
     * @returns whether nobody else has written to the file, or put another one in its place.
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
