import { PassThrough } from "node:stream";
import { spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { expect, onTestFinished } from "vitest";
import { installProgram } from "./installed-program.ts";
import { createEnvironment, ownFolder, startHere } from "./program.ts";

const keys = { Enter: "\r", Down: "\u001B[B", "Ctrl-C": "\u0003", "Ctrl-D": "\u0004" } as const;

/** A terminal, real or not, and the program in it. */
export type Terminal = Awaited<ReturnType<typeof openTerminal | typeof openTerminalHere>>;

const ROWS = 40;

/** Starts the built program in a real pseudo-terminal of its own, 40 lines high. */
export async function openTerminal(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  cols = 100,
) {
  const [folder, { main }] = await Promise.all([ownFolder(), installProgram()]);
  const program = spawn(process.execPath, [main, ...words], {
    cols,
    rows: ROWS,
    name: "xterm-256color",
    cwd: folder,
    env: createEnvironment(environment),
  });
  let isRunning = true;
  const exited = new Promise<number>((resolve) => {
    program.onExit(({ exitCode, signal }) => {
      isRunning = false;
      // A shell reports a signal as 128 plus its number.
      resolve(signal ? 128 + signal : exitCode);
    });
  });
  const stop = () => isRunning && program.kill("SIGKILL");
  const terminal = emulate(cols, { onData: program.onData, write: (text) => program.write(text), exited, stop });
  return { ...terminal, folder, signal: (name: NodeJS.Signals) => process.kill(program.pid, name) };
}

/**
 * The same in this process, on streams that say they are a terminal: for what is asked, said and sent. What a system's terminal does itself, such
 * as its echo and its signals, is not here. A process of its own takes half a second of the machine.
 */
export async function openTerminalHere(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  cols = 100,
) {
  const createStream = () =>
    Object.assign(new PassThrough(), { isTTY: true, columns: cols, rows: ROWS, setRawMode: () => {} });
  const [stdin, stdout, stderr] = [createStream(), createStream(), createStream()];
  const { ended: exited, stop } = startHere(words, environment, { stdin, stdout, stderr });
  const onData = (take: (text: string) => void) => {
    // As a terminal writes the end of a line.
    for (const stream of [stdout, stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => take(text.replaceAll("\n", "\r\n")));
    }
  };
  return emulate(cols, { onData, write: (text) => stdin.write(text), exited, stop });
}

/** A program, as a terminal has it. */
interface Program {
  readonly onData: (take: (text: string) => void) => unknown;
  readonly write: (text: string) => unknown;
  readonly exited: Promise<number>;
  readonly stop: () => unknown;
}

/** What a terminal shows of a program, and what is typed there. */
function emulate(cols: number, { onData, write, exited, stop }: Program) {
  const emulator = new xterm.Terminal({ cols, rows: ROWS, scrollback: 1000, allowProposedApi: true });
  let written = "";
  onData((text) => {
    written += text;
    emulator.write(text);
  });
  // The reply of the emulator to a question of the program, such as where the cursor is.
  emulator.onData(write);
  // Resolves after the last output is on the screen.
  const ended = exited.then((code) => new Promise<number>((resolve) => emulator.write("", () => resolve(code))));
  onTestFinished(async () => {
    stop();
    await ended;
    emulator.dispose();
  });

  const screen = () => {
    const { active } = emulator.buffer;
    return Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true)).join("\n");
  };
  const shows = async (text: string | RegExp) => {
    const matched = typeof text === "string" ? expect.stringContaining(text) : expect.stringMatching(text);
    await expect.poll(screen, { interval: 20 }).toEqual(matched);
    return screen();
  };
  const enter = async (label: string, text: string) => {
    // With the sign of an open prompt: the label alone may be the bank's text above it. Before the prompt is open the terminal is in
    // line mode, where Enter is another key.
    await shows(`◆  ${label}`);
    write(`${text}${keys.Enter}`);
  };
  return {
    /** The text on the screen, including the lines above it. */
    screen,
    /** All output of the program, including control sequences. */
    written: () => written,
    /** Waits for a text on the screen. */
    shows,
    /** Types a text, without Enter. */
    type: (text: string) => write(text),
    press: (...names: (keyof typeof keys)[]) => {
      for (const name of names) write(keys[name]);
    },
    /** Waits for an open prompt with this label, types a text there and sends it. */
    enter,
    /** Fills in the two fields that every bank asks for. */
    fillIn: async (username: string, password: string) => {
      await enter("User name", username);
      await enter("Password", password);
    },
    /** Resolves with the exit code of the program. */
    ended,
  };
}
