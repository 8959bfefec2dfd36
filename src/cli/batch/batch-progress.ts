import type { OutputStream } from "../command.ts";
import type { Output } from "../terminal/output.ts";
import { formatSeconds, StatusLine } from "../terminal/spinner.ts";

const WIDTH = 24;

/** Counts the outcomes of logins, and shows them on a terminal: a bar, the counts, the time left. */
export class BatchProgress {
  readonly #counts = new Map<string, number>();
  readonly #total: number;
  readonly #output: Output;
  readonly #line: StatusLine;
  readonly #since = performance.now();
  #done = 0;

  constructor(total: number, output: Output, stream: OutputStream) {
    this.#total = total;
    this.#output = output;
    this.#line = new StatusLine(stream);
    this.#draw();
  }

  add(status: string): void {
    this.#counts.set(status, (this.#counts.get(status) ?? 0) + 1);
    this.#done += 1;
    this.#draw();
  }

  /** The counts, as the last line. */
  finish(): void {
    this.clear();
    this.#output.say(this.#summary());
  }

  clear(): void {
    this.#line.clear();
  }

  #summary(): string {
    const counts = [...this.#counts].map(([status, count]) => `  ${status} ${count}`);
    return `${this.#done}/${this.#total}${counts.join("")}`;
  }

  #draw(): void {
    const share = this.#total === 0 ? 1 : this.#done / this.#total;
    const bar = "█".repeat(Math.round(share * WIDTH)).padEnd(WIDTH, "░");
    this.#line.show(`${bar} ${this.#summary()}${this.#timeLeft()}`);
  }

  #timeLeft(): string {
    if (this.#done === 0 || this.#done === this.#total) return "";
    const perLogin = (performance.now() - this.#since) / this.#done;
    const seconds = Math.ceil((perLogin * (this.#total - this.#done)) / 1000);
    return `  ${formatSeconds(seconds)} ${this.#output.text("left")}`;
  }
}
