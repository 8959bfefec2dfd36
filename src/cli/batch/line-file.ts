import { open, truncate } from "node:fs/promises";
import { dirname } from "node:path";
import * as v from "valibot";
import { BankError } from "../../index.ts";
import { syncFolder, toFileFault } from "../settings/private-files.ts";

// The beginning of each line. A last line without it is not a line that was cut off, but the text of another program.
const BEGINNING = '{"id":"';

/**
 * Opens a file of JSON lines to add to, mode 600, and reads its lines. The process may end at any moment: a last line without a line
 * break counts as not written, and is cut off. A file with a line of another shape is another program's: it is refused and not changed.
 */
export async function openLineFile<Line extends { readonly id: string }>(
  path: string,
  field: string,
  shape: v.GenericSchema<Line>,
) {
  const line = v.pipe(v.string(), v.parseJson(), shape);
  const refuse = (error: unknown): never => {
    throw toFileFault(field, error);
  };
  const file = await open(path, "a+", 0o600).catch(refuse);
  let last: Promise<void> = Promise.resolve();
  try {
    if (!(await file.stat()).isFile()) throw new BankError("file_unusable", { field, detail: "is no file" });
    const content = await file.readFile();
    const whole = content.lastIndexOf("\n") + 1;
    const texts = content.subarray(0, whole).toString("utf8").split("\n");
    const lines = v.safeParse(
      v.array(line),
      texts.filter((text) => text !== ""),
    );
    const rest = content.subarray(whole).toString("utf8");
    const [issue] = v.safeParse(line, rest).issues ?? [];
    const isCutOff = issue?.type === "parse_json" && BEGINNING.startsWith(rest.slice(0, BEGINNING.length));
    if (!lines.success || (issue && !isCutOff)) {
      throw new BankError("file_unusable", { field, detail: "has what no batch writes there" });
    }
    // A file that was there already keeps its mode.
    await file.chmod(0o600);
    // By its name, because on Windows a file that is open for appending can't be cut.
    if (whole < content.length) await truncate(path, whole);
    await syncFolder(dirname(path));
    return {
      /** The lines that the file had when it was opened. */
      lines: lines.output,
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
