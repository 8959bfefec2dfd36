import type { Writable } from "node:stream";
import { styleText } from "node:util";
import { wrapThrown } from "../../../core/api/errors.ts";
import { commandTexts, findSpoken, locales } from "../../../core/texts/languages.ts";
import { type BankError, describeFailure, type FailureCode, type Locale } from "../../../index.ts";
import { flag, group, option } from "../arguments.ts";
import { type CommandResult, toState } from "../exit-codes.ts";
import { UsageFault } from "../usage-fault.ts";
import { printable, printableJson } from "./printable.ts";

export const commonOptions = group("Output", {
  json: flag("One JSON object per line on standard output, and nothing else"),
  locale: option("language", `${locales.join(", ")} (VENTANILLA_LOCALE, LANG)`, { choices: [...locales] }),
});

export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** The parts of a process that its output depends on. */
export interface OutputContext {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly environment: NodeJS.ProcessEnv;
}

type Colour = "green" | "red" | "yellow" | "cyan" | "dim" | "bold";

/** A result of a command as one JSON object of `--json`. Undefined members are left out. */
export type Line = Readonly<Record<string, unknown>>;

interface Painted {
  readonly colour: Colour;
  readonly text: string;
}

/** One line. Its texts are made printable when they are written, so that only `paint` can add colours. */
export type Text = string | Painted | readonly (string | Painted)[];

/** A text in a colour. The colour is left out if the stream is not a terminal, and with `NO_COLOR`. */
export function paint(colour: Colour, text: string): Painted {
  return { colour, text };
}

const toParts = (line: Text): readonly (string | Painted)[] =>
  typeof line === "string" || "colour" in line ? [line] : line;

const toPlain = (line: Text): string =>
  toParts(line)
    .map((part) => (typeof part === "string" ? part : part.text))
    .join("");

/**
 * Writes the results of a command to standard output and everything for people to standard error. Commands write nowhere else. All texts
 * are made printable, so that a bank's text can't control the terminal.
 */
export class Output {
  readonly json: boolean;
  readonly #locale: string | undefined;
  readonly #program: OutputContext;
  /** The language of the config file. */
  configured: Locale | undefined;
  /** Whether standard error is a log, in which each line is JSON. */
  logsJson = false;

  constructor({ locale, json }: { locale: string | undefined; json: boolean }, program: OutputContext) {
    this.json = json;
    this.#locale = locale;
    this.#program = program;
  }

  /** The first configured language that has texts, else English. */
  get locale(): string {
    const { VENTANILLA_LOCALE, LC_ALL, LC_MESSAGES, LANG } = this.#program.environment;
    const tags = [this.#locale, VENTANILLA_LOCALE, this.configured, LC_ALL || LC_MESSAGES || LANG];
    return tags.map(findSpoken).find((locale) => locale !== undefined) ?? "en";
  }

  /** Writes a result: the object with `--json`, else the lines. */
  result(line: Line, ...lines: readonly Text[]): void {
    this.#write(this.#program.stdout, this.json ? [printableJson(line)] : lines);
  }

  /** Writes a message for people; as an event, if standard error is a log in JSON. */
  say(line: Text): void {
    if (this.logsJson) this.event({ time: new Date().toISOString(), event: "notice", text: toPlain(line) });
    else this.#write(this.#program.stderr, [line]);
  }

  /** Writes an object for programs that read standard error. */
  event(event: object): void {
    this.#write(this.#program.stderr, [printableJson(event)]);
  }

  text(name: keyof ReturnType<typeof commandTexts>): string {
    return commandTexts(this.locale)[name];
  }

  /** The text of a failure: the command's own, or the library's. */
  failureText(
    failure: Pick<BankError, "code"> | { readonly code: FailureCode; readonly request?: string | undefined },
  ): string {
    const own: Readonly<Record<string, string>> = { ...commandTexts(this.locale) };
    return own[failure.code] ?? describeFailure(failure, this.locale).text;
  }

  /**
   * Reports a failure to people and to scripts: its code and its text. What the fault's message says to developers follows in
   * brackets.
   */
  failure(status: CommandResult, text: string, details: Line = {}, fault?: BankError): void {
    if (this.json) this.result({ ...toState(status), ...details, text });
    const known = [details["field"], details["missingFields"], details["detail"], details["wireStatus"]].flat();
    const about = fault
      ? fault.message.slice(`${fault.code}: `.length)
      : known.filter((part) => typeof part === "string").join(": ");
    this.say([paint("red", status), `: ${text}${about === "" ? "" : ` [${about}]`}`]);
  }

  /** Reports a thrown error: a fault by its code, anything else as `unexpected_fault`. */
  thrown(error: unknown): CommandResult {
    const fault = wrapThrown(error);
    const { code, field, request, httpStatus, retryAfter, detail } = fault;
    const details = { field, request, httpStatus, retryAfter, detail };
    if (fault instanceof UsageFault) {
      if (this.json) this.result({ ...toState(code), field, text: detail });
      this.say([detail ?? "", " [", paint("red", code), "]"]);
      return code;
    }
    this.failure(code, this.failureText(fault), details, fault);
    if (code === "secret_in_argument") this.say(this.text("howToGiveSecrets"));
    return code;
  }

  /** Reports an outcome of the failure table. */
  outcome(status: FailureCode, details: Line = {}): CommandResult {
    this.failure(status, this.failureText({ code: status }), details);
    return status;
  }

  #write(stream: OutputStream, lines: readonly Text[]): void {
    const isPainted = this.#isColoured(stream);
    const render = (part: string | Painted): string => {
      if (typeof part === "string") return printable(part);
      const text = printable(part.text);
      return isPainted ? styleText(part.colour, text, { validateStream: false }) : text;
    };
    stream.write(lines.map((line) => `${toParts(line).map(render).join("")}\n`).join(""));
  }

  /** Whether colours may go to a stream (https://no-color.org). */
  #isColoured(stream: OutputStream): boolean {
    const { NO_COLOR, TERM } = this.#program.environment;
    return stream.isTTY === true && !NO_COLOR && TERM !== "dumb";
  }
}
