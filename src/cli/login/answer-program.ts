import { spawn } from "node:child_process";
import { addAbortSignal } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { type AskedInteraction, HandlerError, type Secret, secret } from "../../index.ts";
import { readErrorCode } from "../settings/private-files.ts";
import { splitWords } from "./command-words.ts";
import { withPictureFile } from "./picture-file.ts";

const OPTION = "--answer-command";

// An answer is a short text; what writes more is no answer.
const LONGEST_ANSWER = 4096;

/** What an answer command is told of the interaction. */
export interface AnswerRequest {
  readonly provider: string;
  readonly interaction: AskedInteraction;
  /** The id of a batch's login. */
  readonly id?: string;
  readonly signal: AbortSignal;
  /** Milliseconds until the command is stopped. */
  readonly timeout: number;
}

/**
 * Answers questions with a program: no shell, `{field}`, `{provider}` and `{id}` put into its words, the question on its
 * standard input and in its environment, the answer on its standard output. The answer is wrapped at once and never shown.
 *
 * @throws {InputError} `invalid_input` for a text that is no command.
 */
export function createAnswerProgram(command: string): (request: AnswerRequest) => Promise<Secret | undefined> {
  const words = splitWords(command, OPTION);
  const answer = async (
    { provider, interaction, id = "", signal, timeout }: AnswerRequest,
    picture?: string,
  ): Promise<Secret | undefined> => {
    const { kind, field, context, answersSent, expiresAt } = interaction;
    // The bank names its field: it must not read like an option of the program.
    if (!/^\w[\w.-]*$/.test(field)) throw createFault("the bank's field name can't be put into a command");
    const filled: Record<string, string> = { field, provider, id };
    const [program, ...rest] = words.map((word) =>
      word.replaceAll(/\{(field|provider|id)\}/g, (_, name) => filled[name] ?? ""),
    );
    const child = spawn(program as string, rest, {
      stdio: ["pipe", "pipe", "inherit"],
      signal,
      env: {
        ...withoutSecrets(process.env),
        VENTANILLA_FIELD: field,
        VENTANILLA_PROVIDER: provider,
        VENTANILLA_KIND: kind,
        // Systems limit a variable's length.
        VENTANILLA_QUESTION: kind === "picture" ? "" : context,
        VENTANILLA_PICTURE: picture ?? "",
        VENTANILLA_ANSWERS_SENT: `${answersSent}`,
        VENTANILLA_LOGIN: id,
      },
    });
    const stop = () => {
      child.kill("SIGKILL");
      child.stdout.destroy();
    };
    addAbortSignal(signal, child.stdout).on("error", () => {});
    let isLate = false;
    // Where the question's own time is no longer, that is what ends both, by the signal: the login has expired.
    const isFirst = Date.now() + timeout < (expiresAt ?? Number.POSITIVE_INFINITY);
    const late = () => {
      isLate = true;
      stop();
    };
    const timer = isFirst ? setTimeout(late, timeout) : undefined;
    const parts: Buffer[] = [];
    let length = 0;
    child.stdout.on("data", (part: Buffer) => {
      length += part.length;
      if (length <= LONGEST_ANSWER) parts.push(part);
      else stop();
    });
    // A program that reads no question closes its end.
    child.stdin.on("error", () => {});
    child.stdin.end(`${context}\n`);
    const ending = await new Promise<string | undefined>((resolve) => {
      child.on("error", (error) => resolve(readErrorCode(error) ?? "can't be started"));
      // Not "close": what it has started may hold its output open.
      child.on("exit", (code, killedBy) =>
        resolve(code === 0 ? undefined : killedBy ? `ended by ${killedBy}` : `exit code ${code}`),
      );
    });
    clearTimeout(timer);
    // What was written before the end may still be in the pipe: it is empty once a whole turn of the event loop reads nothing.
    let before: number;
    do {
      before = length;
      await setImmediate();
      await setImmediate();
    } while (length > before);
    child.stdin.destroy();
    child.stdout.destroy();
    if (signal.aborted) return undefined;
    if (isLate) throw createFault("took too long");
    if (length > LONGEST_ANSWER) throw createFault("wrote too much");
    if (ending !== undefined) throw createFault(ending);
    const written = Buffer.concat(parts).toString("utf8").trim();
    return written === "" ? undefined : secret(written);
  };
  return (request) => {
    const picture = request.interaction.kind === "picture" && request.interaction.picture;
    return picture ? withPictureFile(picture, (path) => answer(request, path)) : answer(request);
  };
}

function createFault(detail: string): HandlerError {
  return new HandlerError("handler_failed", { field: OPTION, detail });
}

/** The environment for a program that has no business with our keys. */
function withoutSecrets(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { VENTANILLA_API_KEY, VENTANILLA_SEAL_KEY, VENTANILLA_SESSION_KEY, VENTANILLA_USERNAME, ...rest } = environment;
  return rest;
}
