import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { BankError } from "../../index.ts";
import { fileFault, syncFolder } from "../settings/files.ts";

/** A file of JSON lines that only grows, safe against the end of the process at any moment. Mode 600. */
export class LineFile {
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  readonly #file: FileHandle;
  readonly #field: string;
  #last: Promise<void> = Promise.resolve();

  private constructor(file: FileHandle, field: string, lines: LineFile["lines"]) {
    this.#file = file;
    this.#field = field;
    this.lines = lines;
  }

  /**
   * Opens the file and reads what is in it. A last line without its end was being written when the process ended: it counts
   * as not written, and is taken away.
   *
   * @throws {BankError} `file_unusable`, also for a line in its middle that is no JSON: somebody else wrote to it.
   */
  static async open(path: string, field: string): Promise<LineFile> {
    const file = await open(path, "a+", 0o600).catch((error: unknown) => {
      throw fileFault(field, error);
    });
    try {
      // A file that was there already keeps its mode.
      await file.chmod(0o600);
      const content = await file.readFile();
      const whole = content.lastIndexOf("\n") + 1;
      if (whole < content.length) await file.truncate(whole);
      const lines = content
        .subarray(0, whole)
        .toString("utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => parsed(line, field));
      await syncFolder(dirname(path));
      return new LineFile(file, field, lines);
    } catch (error) {
      await file.close();
      throw error instanceof BankError ? error : fileFault(field, error);
    }
  }

  /** Adds a line; resolves when it would outlast a loss of power. */
  append(line: Readonly<Record<string, unknown>>): Promise<void> {
    const written = this.#last.then(async () => {
      await this.#file.appendFile(`${JSON.stringify(line)}\n`);
      await this.#file.datasync();
    });
    // After a line that could not be written, whole or in part, nothing may follow.
    this.#last = written;
    return written.catch((error: unknown) => {
      throw fileFault(this.#field, error);
    });
  }

  async close(): Promise<void> {
    await this.#last.catch(() => {});
    await this.#file.close();
  }
}

function parsed(line: string, field: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Told below.
  }
  throw new BankError("file_unusable", { field, detail: "has a line that is no JSON object" });
}
