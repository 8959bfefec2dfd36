import type { Output, OutputStream } from "../terminal/output.ts";
import { formatSeconds, StatusLine } from "../terminal/spinner.ts";

const WIDTH = 24;

/** Counts the outcomes of logins, and shows them on a terminal: a bar, the rate, the time left, the counts. A narrow terminal cuts the counts off. */
export function createBatchProgress(total: number, output: Output, stream: OutputStream) {
  const counts = new Map<string, number>();
  const line = new StatusLine(stream);
  const since = performance.now();
  let done = 0;

  const formatCounts = () => [...counts].map(([status, count]) => `  ${status} ${count}`).join("");
  const formatTimeLeft = () => {
    if (done === 0 || done === total) return "";
    const rate = done / ((performance.now() - since) / 1000);
    const seconds = Math.ceil((total - done) / rate);
    return `  ${rate.toFixed(1)}/s  ${formatSeconds(seconds)} ${output.text("left")}`;
  };
  const draw = () => {
    const share = total === 0 ? 1 : done / total;
    const bar = "█".repeat(Math.round(share * WIDTH)).padEnd(WIDTH, "░");
    line.show(`${bar} ${done}/${total}${formatTimeLeft()}${formatCounts()}`);
  };
  draw();
  return {
    add(status: string) {
      counts.set(status, (counts.get(status) ?? 0) + 1);
      done += 1;
      draw();
    },
    clear: () => line.clear(),
    finish() {
      line.clear();
      output.say(`${done}/${total}${formatCounts()}`);
    },
  };
}
