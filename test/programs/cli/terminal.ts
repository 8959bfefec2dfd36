import { spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { expect, onTestFinished } from "vitest";
import { installProgram } from "./installed-program.ts";
import { createEnvironment, ownFolder } from "./program.ts";

const keys = { Enter: "\r", Down: "\u001B[B", "Ctrl-C": "\u0003", "Ctrl-D": "\u0004" } as const;

/** A program in a real pseudo-terminal. */
export type Terminal = Awaited<ReturnType<typeof openTerminal>>;

/** Starts the built program in a terminal of its own, 40 lines high. */
export async function openTerminal(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  cols = 100,
) {
  const [folder, { main }] = await Promise.all([ownFolder(), installProgram()]);
  const size = { cols, rows: 40 };
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
  // The reply of the emulator to a question of the program, such as where the cursor is.
  emulator.onData((text) => program.write(text));
  let isRunning = true;
  const ended = new Promise<number>((resolve) => {
    program.onExit(({ exitCode, signal }) => {
      isRunning = false;
      // Resolves after the last output is on the screen. A shell reports a signal as 128 plus its number.
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
  const shows = async (text: string | RegExp) => {
    const matched = typeof text === "string" ? expect.stringContaining(text) : expect.stringMatching(text);
    await expect.poll(screen, { interval: 20 }).toEqual(matched);
    return screen();
  };
  const enter = async (label: string, text: string) => {
    // With the sign of an open prompt: the label alone may be the bank's text above it. Before the prompt is open the terminal is in
    // line mode, where Enter is another key.
    await shows(`◆  ${label}`);
    program.write(`${text}${keys.Enter}`);
  };
  return {
    folder,
    /** The text on the screen, including the lines above it. */
    screen,
    /** All output of the program, including control sequences. */
    written: () => written,
    /** Waits for a text on the screen. */
    shows,
    /** Types a text, without Enter. */
    type: (text: string) => program.write(text),
    press: (...names: (keyof typeof keys)[]) => {
      for (const name of names) program.write(keys[name]);
    },
    /** Waits for an open prompt with this label, types a text there and sends it. */
    enter,
    /** Fills in the two fields that every bank asks for. */
    fillIn: async (username: string, password: string) => {
      await enter("User name", username);
      await enter("Password", password);
    },
    signal: (name: NodeJS.Signals) => process.kill(program.pid, name),
    /** Resolves with the exit code of the program. */
    ended,
  };
}
