import { styleText } from "node:util";
import { describeThrown } from "../../api/errors.ts";
import { BankError, type FailureCode, failureText, type Locale } from "../../index.ts";
import type { EndStatus } from "../exit-codes.ts";
import { texts } from "./command-texts.ts";
import { printable, printableJson } from "./printable.ts";

type Colour = "green" | "red" | "yellow" | "cyan" | "dim" | "bold";

/** What a command found out, as one JSON object of `--json`. */
export type Line = Readonly<Record<string, unknown>>;

/** A piece of a line in a colour of ours. */
interface Painted {
  readonly colour: Colour;
  readonly text: string;
}

/** One line. Whatever is in it, only `paint` and the end of a line bring colours and line breaks: see `Output`. */
export type Text = string | Painted | readonly (string | Painted)[];

/** A text in a colour, where it is written to a terminal and nobody asked for no colours. */
export function paint(colour: Colour, text: string): Painted {
  return { colour, text };
}

/**
 * Where a command's results and messages go: results to standard output, everything for people to standard error. It is the
 * only writer of the commands, and makes all texts printable: no text of a bank's can steer the terminal.
 */
export class Output {
  readonly locale: Locale;
  readonly json: boolean;

  constructor({ locale, json }: { locale: Locale; json: boolean }) {
    this.locale = locale;
    this.json = json;
  }

  /** A result: an object with `--json`, else the lines. */
  result(line: Line, ...lines: readonly Text[]): void {
    if (this.json) write(process.stdout, [printableJson(line)]);
    else write(process.stdout, lines);
  }

  /** A message for people. */
  say(line: Text): void {
    write(process.stderr, [line]);
  }

  /** An object for programs that read standard error. */
  event(event: object): void {
    write(process.stderr, [printableJson(event)]);
  }

  text(name: keyof typeof texts): string {
    return texts[name][this.locale];
  }

  /**
   * The end of a command that did not reach what was asked: its code and its text, to people and to scripts. What an error's message
   * says to developers follows in brackets.
   */
  failure(status: EndStatus, text: string, details: Line = {}, fault?: BankError): void {
    if (this.json) this.result({ status, ...details, text });
    const known = [details["field"], details["detail"], details["wireStatus"]];
    const about = fault
      ? fault.message.slice(`${fault.code}: `.length)
      : known.filter((part) => typeof part === "string").join(": ");
    this.say([paint("red", status), `: ${text}${about === "" ? "" : ` [${about}]`}`]);
  }

  /** What was thrown: a fault with its code, or one that has no name. */
  thrown(error: unknown): EndStatus {
    const fault =
      error instanceof BankError ? error : new BankError("unexpected_fault", { detail: describeThrown(error) });
    const { code, field, request, httpStatus, retryAfter, detail } = fault;
    const details = defined({ field, request, httpStatus, retryAfter, detail });
    this.failure(code, failureText(code, this.locale), details, fault);
    if (code === "secret_in_argument") this.say(this.text("howToGiveSecrets"));
    return code;
  }

  /** A refusal of the service's or another outcome of the failure table. */
  outcome(status: FailureCode, details: Line = {}): EndStatus {
    this.failure(status, failureText(status, this.locale), defined(details));
    return status;
  }
}

function write(stream: NodeJS.WriteStream, lines: readonly Text[]): void {
  const isPainted = isColoured(stream);
  const rendered = (part: string | Painted): string => {
    if (typeof part === "string") return printable(part);
    const text = printable(part.text);
    return isPainted ? styleText(part.colour, text, { validateStream: false }) : text;
  };
  const toParts = (line: Text): readonly (string | Painted)[] =>
    typeof line === "string" || "colour" in line ? [line] : line;
  stream.write(lines.map((line) => `${toParts(line).map(rendered).join("")}\n`).join(""));
}

/** Whether colours may go to a stream (https://no-color.org). */
function isColoured(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY === true && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb";
}

/** Without the members that are undefined. */
export function defined(members: Line): Line {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
