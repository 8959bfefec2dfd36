import { spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { expect, onTestFinished } from "vitest";
import { buildProgram } from "./build.ts";
import { createEnvironment, ownFolder } from "./program.ts";

const keys = { Enter: "\r", Down: "\u001B[B", "Ctrl-C": "\u0003" } as const;

/** A program in a real pseudo-terminal, as a person has it before them. */
export interface Terminal {
  readonly folder: string;
  /** What is on the screen, the lines above it included. */
  screen(): string;
  /** All that the program wrote, control sequences included. */
  written(): string;
  /** Waits for a text on the screen. */
  shows(text: string | RegExp): Promise<string>;
  /** Types a text to the letter. */
  type(text: string): void;
  /** Waits for an open prompt with this label, types a text there and sends it. */
  enter(label: string, text: string): Promise<void>;
  press(...names: (keyof typeof keys)[]): void;
  /** Fills in the two fields that every bank asks for. */
  fillIn(username: string, password: string): Promise<void>;
  /** Sends the program a signal, as `kill` does. */
  signal(name: NodeJS.Signals): void;
  /** The program's exit code, once it has ended. */
  readonly ended: Promise<number>;
}

/** Starts the built program in a terminal of its own, 100 by 40. */
export async function openTerminal(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Terminal> {
  const [folder, { main }] = await Promise.all([ownFolder(), buildProgram()]);
  const size = { cols: 100, rows: 40 };
  const emulator = new xterm.Terminal({ ...size, scrollback: 1000, allowProposedApi: true });
  const program = spawn(process.execPath, [main, ...words], {
    ...size,
    name: "xterm-256color",
    cwd: folder,
    env: createEnvironment(environment),
  });
  let written = "";
  program.onData((text) => {
    written += text;
    emulator.write(text);
  });
  // The program asks the terminal where its cursor is: the emulator's reply is typed in.
  emulator.onData((text) => program.write(text));
  let isRunning = true;
  const ended = new Promise<number>((resolve) => {
    program.onExit(({ exitCode, signal }) => {
      isRunning = false;
      // What was written last is on the screen before the test looks. A shell counts a signal as 128 and its number.
      emulator.write("", () => resolve(signal ? 128 + signal : exitCode));
    });
  });
  onTestFinished(async () => {
    if (isRunning) program.kill("SIGKILL");
    await ended;
    emulator.dispose();
  });

  const screen = () => {
    const { active } = emulator.buffer;
    return Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true)).join("\n");
  };
  const shows: Terminal["shows"] = async (text) => {
    const matched = typeof text === "string" ? expect.stringContaining(text) : expect.stringMatching(text);
    await expect.poll(screen, { interval: 20 }).toEqual(matched);
    return screen();
  };
  const enter = async (label: string, text: string) => {
    // The label alone may be the bank's text above the prompt. What is typed before the prompt is open arrives in the terminal's line
    // mode, where Enter is another key.
    await shows(`◆  ${label}`);
    program.write(`${text}${keys.Enter}`);
  };
  return {
    folder,
    screen,
    written: () => written,
    shows,
    type: (text) => program.write(text),
    press: (...names) => {
      for (const name of names) program.write(keys[name]);
    },
    enter,
    fillIn: async (username, password) => {
      await enter("User name", username);
      await enter("Password", password);
    },
    signal: (name) => process.kill(program.pid, name),
    ended,
  };
}
