import { type FileHandle, open, truncate } from "node:fs/promises";
import { dirname } from "node:path";
import * as v from "valibot";
import { BankError } from "../../index.ts";
import { syncFolder, toFileFault } from "../settings/private-files.ts";

// How each line begins. It tells a line that was cut off from the text of another program.
const BEGINNING = '{"id":"';

/** A file of JSON lines that are only added. The process may end at any moment. Mode 600. */
export class LineFile<Line extends { readonly id: string }> {
  readonly lines: readonly Line[];
  readonly #file: FileHandle;
  readonly #field: string;
  #last: Promise<void> = Promise.resolve();

  private constructor(file: FileHandle, field: string, lines: readonly Line[]) {
    this.#file = file;
    this.#field = field;
    this.lines = lines;
  }

  /**
   * Opens the file and reads its lines. A last line without its end was being written when the process ended: it counts as not
   * written, and is cut off.
   *
   * @throws {BankError} `file_unusable`, also where a line has another shape: the file is another program's, and stays as it is.
   */
  static async open<Line extends { readonly id: string }>(
    path: string,
    field: string,
    shape: v.GenericSchema<Line>,
  ): Promise<LineFile<Line>> {
    const file = await open(path, "a+", 0o600).catch((error: unknown) => {
      throw toFileFault(field, error);
    });
    try {
      if (!(await file.stat()).isFile()) throw new BankError("file_unusable", { field, detail: "is no file" });
      const content = await file.readFile();
      const whole = content.lastIndexOf("\n") + 1;
      const lines = content
        .subarray(0, whole)
        .toString("utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map(parseLine);
      const last = content.subarray(whole).toString("utf8");
      const isOurs =
        parseLine(last) === undefined
          ? BEGINNING.startsWith(last.slice(0, BEGINNING.length))
          : v.is(shape, parseLine(last));
      if (!(isOurs && lines.every((line) => v.is(shape, line)))) {
        throw new BankError("file_unusable", { field, detail: "has what no batch writes there" });
      }
      // A file that was there already keeps its mode.
      await file.chmod(0o600);
      // By its name, because on Windows a file that is open for appending can't be cut.
      if (whole < content.length) await truncate(path, whole);
      await syncFolder(dirname(path));
      return new LineFile(file, field, lines);
    } catch (error) {
      await file.close();
      throw toFileFault(field, error);
    }
  }

  /** Adds a line; resolves when it would outlast a loss of power. */
  append({ id, ...line }: Line): Promise<void> {
    const written = this.#last.then(async () => {
      await this.#file.appendFile(`${JSON.stringify({ id, ...line })}\n`);
      await this.#file.datasync();
    });
    // After a line that could not be written, nothing may follow.
    this.#last = written;
    return written.catch((error: unknown) => {
      throw toFileFault(this.#field, error);
    });
  }

  async close(): Promise<void> {
    await this.#last.catch(() => {});
    await this.#file.close();
  }
}

/** The value of a line; `undefined` for what is no JSON. */
function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
