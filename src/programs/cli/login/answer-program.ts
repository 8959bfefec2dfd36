import { spawn } from "node:child_process";
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { addAbortSignal, type Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { BankError, type InteractionPrompt, type Secret, secret } from "../../../index.ts";
import type { ProgramContext } from "../command.ts";
import { readErrorCode, withPictureFile } from "../settings/private-files.ts";

const OPTION = "--answer-command";

const PLACEHOLDER = /\{(field|provider|id)\}/;

// The exit codes of `env`, `sh -c` and others if a program is not executable, or not found (POSIX).
const NOT_STARTED: readonly unknown[] = [126, 127];

// Characters. An answer is short; a longer output is not an answer.
const LONGEST_ANSWER = 4096;

/** An interaction, as an answer command gets it. */
export interface AnswerRequest {
  readonly provider: string;
  readonly interaction: InteractionPrompt;
  readonly id?: string;
  readonly signal: AbortSignal;
  /** Milliseconds until the command is stopped. */
  readonly timeout: number;
}

/** Checks that an answer command can be started, before a login waits for it. */
export async function checkAnswerProgram(
  command: string | undefined,
  { environment }: Pick<ProgramContext, "environment">,
): Promise<void> {
  if (command === undefined) return;
  const [program = ""] = splitWords(command, OPTION);
  // The interaction decides which program it is.
  if (PLACEHOLDER.test(program)) return;
  const isWindows = process.platform === "win32";
  const isPath = program.includes("/") || (isWindows && program.includes("\\"));
  const folders = isPath ? [""] : (environment["PATH"] ?? "/usr/bin:/bin").split(delimiter);
  const paths = folders.map((folder) => (isPath ? program : join(folder, program)));
  let code = "ENOENT";
  for (const path of isWindows ? paths.flatMap((path) => [path, `${path}.com`, `${path}.exe`]) : paths) {
    try {
      if ((await stat(path)).isFile()) return await access(path, constants.X_OK);
      code = "EACCES";
    } catch (error) {
      if (readErrorCode(error) === "EACCES") code = "EACCES";
    }
  }
  throw createStartFault(code);
}

/**
 * Answers interactions with a program, without a shell. `{field}`, `{provider}` and `{id}` in its words are replaced. It gets the
 * bank's text on its standard input and in its environment, and prints the answer, which becomes a secret immediately.
 */
export function createAnswerProgram(
  command: string,
  { environment }: Pick<ProgramContext, "environment">,
): (request: AnswerRequest) => Promise<Secret | undefined> {
  const words = splitWords(command, OPTION);
  return (request) => {
    const { interaction } = request;
    const answer = (picture: string) => runProgram(words, request, createEnvironment(request, picture, environment));
    const picture = interaction.kind === "picture" && interaction.picture;
    return picture ? withPictureFile(picture, answer) : answer("");
  };
}

async function runProgram(
  words: readonly string[],
  { provider, interaction, id = "", signal, timeout }: AnswerRequest,
  env: NodeJS.ProcessEnv,
): Promise<Secret | undefined> {
  const { field, context, expiresAt = Number.POSITIVE_INFINITY } = interaction;
  // The bank sends the field's name: it must not look like an option of the program.
  if (!/^\w[\w.-]*$/.test(field)) throw createFault("the bank's field name can't be put into a command");
  const values: Readonly<Record<string, string>> = { field, provider, id };
  const [program = "", ...rest] = words.map((word) =>
    word.replaceAll(new RegExp(PLACEHOLDER, "g"), (_, name) => values[name] ?? ""),
  );
  const child = spawn(program, rest, { stdio: ["pipe", "pipe", "inherit"], signal, env });
  // A program need not read its input.
  child.stdin.on("error", () => {});
  child.stdin.end(`${context}\n`);
  const stop = () => {
    child.kill("SIGKILL");
    child.stdout.destroy();
  };
  const output = collectOutput(addAbortSignal(signal, child.stdout), stop);
  let isLate = false;
  const stopLate = () => {
    isLate = true;
    stop();
  };
  // If the interaction expires first, the login's signal stops the program.
  const timer = Date.now() + timeout < expiresAt ? setTimeout(stopLate, timeout) : undefined;
  const failure = await new Promise<BankError | undefined>((resolve) => {
    child.on("error", (error) => resolve(createStartFault(readErrorCode(error) ?? "can't be started")));
    // Not "close": a child process of the program may keep its output open.
    child.on("exit", (code, killedBy) => {
      if (code === 0) resolve(undefined);
      else if (NOT_STARTED.includes(code)) resolve(createStartFault(`exit code ${code}`));
      else resolve(createFault(killedBy ? `ended by ${killedBy}` : `exit code ${code}`));
    });
  });
  clearTimeout(timer);
  const text = await output.finish();
  child.stdin.destroy();
  if (signal.aborted) return undefined;
  if (isLate) throw createFault("took too long");
  if (text === undefined) throw createFault("wrote too much");
  if (failure !== undefined) throw failure;
  return text === "" ? undefined : secret(text);
}

/** Collects the output of a program, and stops the program if the output is too long. */
function collectOutput(stream: Readable, stop: () => void) {
  const parts: Buffer[] = [];
  let length = 0;
  stream.on("data", (part: Buffer) => {
    length += part.length;
    if (length <= LONGEST_ANSWER) parts.push(part);
    else stop();
  });
  stream.on("error", () => {});
  return {
    /** Call it after the program has exited. @returns its output, or `undefined` if it was too long. */
    async finish(): Promise<string | undefined> {
      // The pipe may still hold output. It is empty once a complete turn of the event loop reads nothing.
      let before: number;
      do {
        before = length;
        await setImmediate();
        await setImmediate();
      } while (length > before);
      stream.destroy();
      return length > LONGEST_ANSWER ? undefined : Buffer.concat(parts).toString("utf8").trim();
    },
  };
}

/** The command is wrong, not its answer: it would fail at the next interaction, too. */
function createStartFault(detail: string): BankError {
  return new BankError("file_unusable", { field: OPTION, detail });
}

function createFault(detail: string): BankError {
  return new BankError("handler_failed", { field: OPTION, detail });
}

/** The environment of the program: the interaction, and none of our own settings, some of which are keys or contain a password. */
function createEnvironment(
  { provider, interaction, id = "" }: AnswerRequest,
  picture: string,
  environment: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const others = Object.entries(environment).filter(([name]) => !/^VENTANILLA_/i.test(name));
  return {
    ...Object.fromEntries(others),
    VENTANILLA_FIELD: interaction.field,
    VENTANILLA_PROVIDER: provider,
    VENTANILLA_KIND: interaction.kind,
    // Systems limit a variable's length, and end it at a null character.
    VENTANILLA_QUESTION: interaction.kind === "picture" ? "" : interaction.context.replaceAll("\0", ""),
    VENTANILLA_PICTURE: picture,
    VENTANILLA_ANSWERS_SENT: `${interaction.answersSent}`,
    VENTANILLA_LOGIN: id,
  };
}

/**
 * Splits a command into words as a shell does, with '…', "…" and \. Variables, patterns and pipes are not supported, and a value that
 * replaces a placeholder stays in its word.
 */
export function splitWords(command: string, field: string): string[] {
  const word = /(?:[^\s'"\\]|\\.?|'[^']*'|"(?:[^"\\]|\\.)*")+/gs;
  const quotedPart = /\\(.?)|'([^']*)'|"((?:[^"\\]|\\.)*)"/gs;
  const unquote = (_: string, escaped?: string, single?: string, double?: string) =>
    escaped ?? single ?? double?.replaceAll(/\\(.)/gs, "$1") ?? "";
  const words = (command.match(word) ?? []).map((text) => text.replaceAll(quotedPart, unquote));
  const isOurResponse = command.replaceAll(word, "").trim() === "";
  if (!isOurResponse || !words[0]) throw new BankError("invalid_input", { field, detail: "must be a command" });
  return words;
}
