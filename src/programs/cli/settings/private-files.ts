import { randomUUID } from "node:crypto";
import { accessSync, constants, existsSync, mkdtempSync, rmSync, type Stats, statSync, writeFileSync } from "node:fs";
import { mkdir, open, readFile, readlink, realpath, rename, rm, stat, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, isAbsolute, join } from "node:path";
import { buffer } from "node:stream/consumers";
import type { Picture } from "../../../core/api/picture.ts";
import { toFileFault } from "../../../core/batch/line-file.ts";
import { createFolderStore, syncFolder } from "../../../core/tokens/folder-store.ts";
import type { Store } from "../../../core/tokens/store.ts";
import { BankError } from "../../../index.ts";
import type { ProgramContext } from "../command.ts";
import type { Output } from "../terminal/output.ts";

export { toFileFault };

/** The code of an error of the platform, such as `ENOENT`. */
export function readErrorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** The text of a file; `-` is standard input. */
export async function readText(field: string, path: string, program: ProgramContext): Promise<string> {
  try {
    return path === "-" ? await readInput(program) : decodeText(await untilStopped(readFile(path), program));
  } catch (error) {
    throw toFileFault(field, error);
  }
}

/** All of standard input, which can be read once. */
export async function readInput(program: ProgramContext): Promise<string> {
  const { stdin } = program;
  if (stdin.readableDidRead) throw new BankError("file_unusable", { field: "stdin", detail: "is read twice" });
  return decodeText(await untilStopped(buffer(stdin), program));
}

/** The decoder removes the byte-order mark that editors and shells of Windows write. PowerShell 5 writes UTF-16. */
function decodeText(bytes: Uint8Array): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isUtf16 ? "utf-16le" : "utf-8").decode(bytes);
}

/** Waits for what is read. A pipe may never end: a signal of the program ends the wait. */
function untilStopped<Value>(reading: Promise<Value>, { signal }: ProgramContext): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new BankError("request_aborted"));
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop);
    reading.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** The first line of a text, without the line break that an editor or `echo` adds. */
export function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? "";
}

/** Several secrets of one kind: one in each line, or with blanks between them. The first one is the current one. */
export const splitSecrets = (text: string): readonly string[] => text.split(/\s+/).filter((part) => part !== "");

/** The name of a file with all links resolved. The file need not exist. */
export function realPath(field: string, path: string): Promise<string> {
  return followLinks(path).catch((error: unknown) => {
    throw toFileFault(field, error);
  });
}

async function followLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (readErrorCode(error) !== "ENOENT") throw error;
  }
  // The file does not exist, or is a link to one that does not. (A link to itself has failed with ELOOP.)
  const folder = await realpath(dirname(path));
  const target = await readlink(path).catch(() => undefined);
  if (target === undefined) return join(folder, basename(path));
  // Not `join`: it would resolve `..` before the links.
  return followLinks(isAbsolute(target) ? target : `${folder}/${target}`);
}

/** The text of a file that holds secrets. A file that others can read brings a warning. */
export async function readSecretText(
  field: string,
  path: string,
  program: ProgramContext,
  output: Output,
): Promise<string> {
  const text = await readText(field, path, program);
  if (path !== "-") warnIfReadable(path, output);
  return text;
}

/** Refuses a file or a folder of another user, and one that others may use in a way of `forbidden`, as ssh does. Root may own it. */
export function checkOwner(field: string, { uid, mode }: Pick<Stats, "uid" | "mode">, forbidden: 0o022 | 0o077): void {
  // Windows has neither user numbers nor modes.
  const own = process.geteuid?.();
  if (own === undefined) return;
  const refuse = (detail: string) => new BankError("file_unusable", { field, detail });
  if (uid !== own && uid !== 0) throw refuse("belongs to another user");
  const rights = forbidden === 0o077 ? "read or change" : "change";
  if (mode & forbidden) throw refuse(`others can ${rights} it; chmod go-${forbidden === 0o077 ? "rwx" : "w"} helps`);
}

/** The store in a folder, which is made if it is missing. A user who can delete a claim can have a login sent twice. */
export async function openFolderStore(field: string, path: string): Promise<Store> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    checkOwner(field, await stat(path), 0o022);
  } catch (error) {
    throw toFileFault(field, error);
  }
  return createFolderStore(path);
}

/** Warns of a file with secrets that its group or others can read, if this user could change that: a secret that a container mounts stays as it is. */
export function warnIfReadable(path: string, output: Output): void {
  if (process.platform === "win32") return;
  const status = statSync(path, { throwIfNoEntry: false });
  if (!status?.isFile() || !(status.mode & 0o044) || status.uid !== process.geteuid?.()) return;
  try {
    accessSync(path, constants.W_OK);
  } catch {
    return;
  }
  output.say(`${output.text("readableByOthers")} ${path}`);
}

/** Checks that a file can be written, and that its disk is not full, before there is something to write. */
export async function checkWritable(field: string, path: string | undefined): Promise<void> {
  if (path === undefined) return;
  const probe = `${path}.${randomUUID()}.new`;
  try {
    if (existsSync(path) && !statSync(path).isFile())
      throw new BankError("file_unusable", { field, detail: "is not a file" });
    await writeFile(probe, Buffer.alloc(4096), { mode: 0o600, flag: "wx" }).finally(() => rm(probe, { force: true }));
  } catch (error) {
    throw toFileFault(field, error);
  }
}

/** Writes a file that only its owner reads (mode 600), whole or not at all. If `release` throws, there is no file. */
export async function writePrivate(
  field: string,
  path: string,
  text: string,
  release?: () => Promise<void>,
): Promise<void> {
  const temporary = `${path}.${randomUUID()}.new`;
  try {
    // A new file, because an existing one would keep its mode.
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await release?.();
    await rename(temporary, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw toFileFault(field, error);
  }
}

/** A new folder that only its owner can list, whatever the umask. It is deleted when this program ends, if not before. */
export function createPrivateFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "ventanilla-"));
  const remove = () => {
    process.off("exit", remove);
    rmSync(path, { recursive: true, force: true });
  };
  process.once("exit", remove);
  return { path, remove };
}

/** Runs `use` with a picture as a private file, which is deleted afterwards, also when this program is interrupted. */
export async function withPictureFile<Value>(
  { mediaType, base64 }: Picture,
  use: (path: string) => Promise<Value>,
): Promise<Value> {
  const name = `picture.${mediaType.slice("image/".length)}`;
  let folder: ReturnType<typeof createPrivateFolder> | undefined;
  try {
    folder = createPrivateFolder();
    writeFileSync(join(folder.path, name), Buffer.from(base64, "base64"), { mode: 0o600, flag: "wx" });
  } catch (error) {
    folder?.remove();
    throw toFileFault("picture", error);
  }
  return use(join(folder.path, name)).finally(folder.remove);
}
