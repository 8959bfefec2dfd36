import type { Output } from "../terminal/output.ts";

const WIDTH = 24;

/** Counts how logins end, and shows it on a terminal: a bar, the counts, the time left. */
export class Progress {
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
  end(): void {
    this.clear();
    this.#output.say(`${this.#done}/${this.#total}  ${this.#summary()}`.trimEnd());
  }

  clear(): void {
    if (process.stderr.isTTY) process.stderr.write("\r\u001B[2K");
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
        ? `  ${timeOf((elapsed / this.#done) * (this.#total - this.#done))} ${this.#output.text("left")}`
        : "";
    const line = `${bar} ${this.#done}/${this.#total}  ${this.#summary()}${left}`;
    process.stderr.write(`\r\u001B[2K${line.slice(0, (process.stderr.columns ?? 80) - 1)}`);
  }
}

function timeOf(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}
