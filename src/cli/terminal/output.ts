import { styleText } from "node:util";
import { thrownBy } from "../../api/errors.ts";
import { BankError, type FailureCode, failureText, type Locale } from "../../index.ts";
import type { EndStatus } from "../exit-codes.ts";
import { printable } from "./printable.ts";
import { texts } from "./texts.ts";

type Colour = "green" | "red" | "yellow" | "cyan" | "dim" | "bold";

/** What a command found out, as one JSON object of `--json`. */
export type Line = Readonly<Record<string, unknown>>;

/** Where a command's results and messages go: results to standard output, everything for people to standard error. */
export class Output {
  readonly locale: Locale;
  readonly json: boolean;

  constructor({ locale, json }: { locale: Locale; json: boolean }) {
    this.locale = locale;
    this.json = json;
  }

  /** A result: an object with `--json`, else the text, which may hold colours. */
  result(line: Line, text: string): void {
    process.stdout.write(this.json ? `${JSON.stringify(line)}\n` : `${text}\n`);
  }

  /** A message for people. */
  say(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  text(name: keyof typeof texts): string {
    return texts[name][this.locale];
  }

  /** Coloured where the stream is a terminal and nobody asked for none. */
  paint(colour: Colour, text: string, stream: NodeJS.WriteStream = process.stdout): string {
    return isColoured(stream) ? styleText(colour, text, { validateStream: false }) : text;
  }

  /** The end of a command that did not reach what was asked: its code and its text, to people and to scripts. */
  failure(status: EndStatus, text: string, details: Line = {}): void {
    if (this.json) process.stdout.write(`${JSON.stringify({ status, ...details, text })}\n`);
    const about = [details["field"], details["detail"], details["wireStatus"]].filter(
      (part) => typeof part === "string",
    );
    const more = about.length > 0 ? ` [${printable(about.join(": "))}]` : "";
    this.say(`${this.paint("red", status, process.stderr)}: ${printable(text)}${more}`);
  }

  /** What was thrown: a fault with its code, or one that has no name. */
  thrown(error: unknown): EndStatus {
    const fault = error instanceof BankError ? error : new BankError("unexpected_fault", { detail: thrownBy(error) });
    const { code, field, request, httpStatus, retryAfter, detail } = fault;
    this.failure(code, failureText(code, this.locale), defined({ field, request, httpStatus, retryAfter, detail }));
    if (code === "secret_in_argument") this.say(this.text("howToGiveSecrets"));
    return code;
  }

  /** A refusal of the service's or another outcome of the failure table. */
  outcome(status: FailureCode, details: Line = {}): EndStatus {
    this.failure(status, failureText(status, this.locale), defined(details));
    return status;
  }
}

/** Whether colours may go to a stream (https://no-color.org). */
export function isColoured(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY === true && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb";
}

/** Without the members that are undefined. */
export function defined(members: Line): Line {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
