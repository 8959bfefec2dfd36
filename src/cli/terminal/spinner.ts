import { printable } from "./printable.ts";

const frames = ["◒", "◐", "◓", "◑"];

/** Puts the cursor at the beginning of an empty line. */
export const CLEAR_LINE = "\r\u001B[2K";

/** A line on a terminal that shows what is waited for, and since when. */
export interface Spinner {
  /** Starts, or goes on with another text and a time of its own. */
  show(text: string): void;
  /** Takes the line away. */
  clear(): void;
}

/**
 * A spinner with the elapsed time. Unlike that of @clack/prompts it leaves Ctrl-C to the program, which has a request to
 * abort. Where the stream is no terminal it shows nothing.
 */
export function createSpinner(stream: NodeJS.WriteStream): Spinner {
  let timer: NodeJS.Timeout | undefined;
  let shown = "";
  let since = 0;
  let frame = 0;
  const draw = () => {
    frame = (frame + 1) % frames.length;
    const line = `${frames[frame]}  ${shown}  ${formatSeconds(Math.floor((performance.now() - since) / 1000))}`;
    stream.write(`${CLEAR_LINE}${printable(line).slice(0, (stream.columns ?? 80) - 1)}`);
  };
  return {
    show(text) {
      if (!stream.isTTY || (timer && shown === text)) return;
      shown = text;
      since = performance.now();
      timer ??= setInterval(draw, 120);
      draw();
    },
    clear() {
      if (timer) stream.write(CLEAR_LINE);
      clearInterval(timer);
      timer = undefined;
    },
  };
}

/** Whole seconds as a person reads them. */
export function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}
