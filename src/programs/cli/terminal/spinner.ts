import type { OutputStream } from "./output.ts";
import { printable } from "./printable.ts";

const frames = ["◒", "◐", "◓", "◑"];

// Moves the cursor to the beginning of an empty line.
const CLEAR_LINE = "\r\u001B[2K";

/** The last line of a terminal, drawn again as it changes. It draws nothing if the stream is not a terminal. */
export class StatusLine {
  readonly #stream: OutputStream;

  constructor(stream: OutputStream) {
    this.#stream = stream;
  }

  show(text: string): void {
    if (this.#stream.isTTY) {
      this.#stream.write(CLEAR_LINE + printable(text).slice(0, (this.#stream.columns ?? 80) - 1));
    }
  }

  clear(): void {
    if (this.#stream.isTTY) this.#stream.write(CLEAR_LINE);
  }
}

/** Shows what the command waits for, and how long. Unlike the spinner of @clack/prompts it leaves Ctrl-C to the program, which aborts its request. */
export class Spinner {
  readonly #line: StatusLine;
  #timer: NodeJS.Timeout | undefined;
  #text = "";

  constructor(stream: OutputStream) {
    this.#line = new StatusLine(stream);
  }

  /** Starts, or changes the text and counts from zero. */
  show(text: string): void {
    if (this.#timer && this.#text === text) return;
    clearInterval(this.#timer);
    this.#text = text;
    const since = performance.now();
    let frame = 0;
    const draw = () => {
      frame = (frame + 1) % frames.length;
      this.#line.show(`${frames[frame]}  ${text}  ${formatSeconds(Math.floor((performance.now() - since) / 1000))}`);
    };
    this.#timer = setInterval(draw, 120);
    draw();
  }

  clear(): void {
    if (this.#timer) this.#line.clear();
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

export function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}
