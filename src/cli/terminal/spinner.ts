import { printable } from "./printable.ts";

const frames = ["◒", "◐", "◓", "◑"];

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
export function spinnerOn(stream: NodeJS.WriteStream): Spinner {
  let timer: NodeJS.Timeout | undefined;
  let shown = "";
  let since = 0;
  let frame = 0;
  const draw = () => {
    const seconds = Math.floor((performance.now() - since) / 1000);
    const time = seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
    frame = (frame + 1) % frames.length;
    const line = `${frames[frame]}  ${shown}  ${time}`;
    stream.write(`\r\u001B[2K${printable(line).slice(0, (stream.columns ?? 80) - 1)}`);
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
      if (timer) stream.write("\r\u001B[2K");
      clearInterval(timer);
      timer = undefined;
    },
  };
}
