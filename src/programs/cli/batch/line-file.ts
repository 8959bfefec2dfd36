import { open, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import * as v from "valibot";
import { syncFolder } from "../../../core/tokens/folder-store.ts";
import { BankError } from "../../../index.ts";
import { checkOwner, toFileFault } from "../settings/private-files.ts";

// The beginning of each line. A broken line without it was not cut off, but is the text of another program.
const BEGINNING = '{"id":"';

/**
 * Opens a file of JSON lines to add to, mode 600. Several processes may add to it. The power may fail at any moment: a line that was cut
 * off counts as not written. A file with a line of another shape is another program's: it is refused and not changed.
 */
export async function openLineFile<Line extends { readonly id: string }>(
  path: string,
  field: string,
  shape: v.GenericSchema<Line>,
) {
  const shapeOfLine = v.pipe(v.string(), v.parseJson(), shape);
  const refuse = (error: unknown): never => {
    throw toFileFault(field, error);
  };
  const parse = (text: string): readonly Line[] =>
    text.split("\n").flatMap((line) => {
      if (line === "") return [];
      const { success, output, issues } = v.safeParse(shapeOfLine, line);
      if (success) return [output];
      const isCutOff = issues[0].type === "parse_json" && BEGINNING.startsWith(line.slice(0, BEGINNING.length));
      if (isCutOff) return [];
      throw new BankError("file_unusable", { field, detail: "has what no batch writes there" });
    });
  const file = await open(path, "a+", 0o600).catch(refuse);
  let last: Promise<void> = Promise.resolve();
  try {
    const status = await file.stat();
    if (!status.isFile()) throw new BankError("file_unusable", { field, detail: "is no file" });
    checkOwner(field, status, 0o077);
    const text = await file.readFile("utf8");
    const lines = parse(text);
    // Not cut: another process may be about to end this line.
    if (text !== "" && !text.endsWith("\n")) await file.appendFile("\n");
    await syncFolder(dirname(path));
    return {
      /** The lines that the file had when it was opened. */
      lines,
      /** The lines that it has now. */
      read: () => readFile(path, "utf8").then(parse).catch(refuse),
      /** Adds a line; resolves when it would outlast a loss of power. */
      append({ id, ...line }: Line): Promise<void> {
        // Nothing may follow a line that could not be written.
        last = last.then(async () => {
          await file.appendFile(`${JSON.stringify({ id, ...line })}\n`);
          await file.datasync();
        });
        return last.catch(refuse);
      },
      async close() {
        await last.catch(() => {});
        await file.close();
      },
    };
  } catch (error) {
    await file.close();
    return refuse(error);
  }
}
