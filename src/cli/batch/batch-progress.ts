import type { Output } from "../terminal/output.ts";
import { CLEAR_LINE, formatSeconds } from "../terminal/spinner.ts";

const WIDTH = 24;

/** Counts how logins end, and shows it on a terminal: a bar, the counts, the time left. */
export class BatchProgress {
  readonly #counts = new Map<string, number>();
  readonly #total: number;
  readonly #output: Output;
  readonly #since = performance.now();
  #done = 0;

  constructor(total: number, output: Output) {
    this.#total = total;
    this.#output = output;
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
    this.#output.say(`${this.#done}/${this.#total}  ${this.#summary()}`.trimEnd());
  }

  clear(): void {
    if (process.stderr.isTTY) process.stderr.write(CLEAR_LINE);
  }

  #summary(): string {
    return [...this.#counts].map(([status, count]) => `${status} ${count}`).join("  ");
  }

  #draw(): void {
    if (!process.stderr.isTTY) return;
    const share = this.#total === 0 ? 1 : this.#done / this.#total;
    const bar = "█".repeat(Math.round(share * WIDTH)).padEnd(WIDTH, "░");
    const elapsed = performance.now() - this.#since;
    const left =
      this.#done > 0 && this.#done < this.#total
        ? `  ${formatSeconds(Math.ceil(((elapsed / this.#done) * (this.#total - this.#done)) / 1000))} ${this.#output.text("left")}`
        : "";
    const line = `${bar} ${this.#done}/${this.#total}  ${this.#summary()}${left}`;
    process.stderr.write(`${CLEAR_LINE}${line.slice(0, (process.stderr.columns ?? 80) - 1)}`);
  }
}
