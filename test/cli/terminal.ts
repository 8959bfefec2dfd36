import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished } from "vitest";
import { builtProgram, environmentOf, ownFolder } from "./program.ts";

const exec = promisify(execFile);

/** A program in a real pseudo-terminal, as a person has it before them. */
export interface Terminal {
  readonly folder: string;
  /** What is on the screen, the lines above it included; with colours where asked. */
  screen(options?: { readonly colours?: boolean }): Promise<string>;
  /** Waits for a text on the screen. */
  shows(text: string | RegExp): Promise<string>;
  /** Types a text to the letter. */
  type(text: string): Promise<void>;
  /** Waits for a prompt, types a text there and sends it. */
  enter(prompt: string | RegExp, text: string): Promise<void>;
  /** Presses keys by tmux's names: Enter, Down, C-c. */
  press(...keys: string[]): Promise<void>;
  /** Sends the program a signal, as `kill` does. */
  signal(name: NodeJS.Signals): Promise<void>;
  /** The program's exit code, once it has ended. */
  ended(): Promise<number>;
}

/** Starts the built program in a terminal of its own, 100 by 40. */
export async function openTerminal(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Terminal> {
  const folder = await ownFolder();
  const server = `ventanilla-${randomUUID()}`;
  const tmux = async (...rest: string[]) => (await exec("tmux", ["-L", server, "-f", "/dev/null", ...rest])).stdout;
  const quoted = [process.execPath, builtProgram(), ...words].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  const variables = Object.entries({ ...environmentOf(environment), TERM: "xterm-256color" });
  const script = [
    // Ctrl-C is for the program alone.
    "trap : INT",
    `cd '${folder}'`,
    `env -i ${variables.map(([name, value]) => `${name}='${value}'`).join(" ")} ${quoted.join(" ")}`,
    'echo "ended with $?"',
    "exec sleep 600",
  ].join("\n");
  await writeFile(join(folder, "run.sh"), script);
  await tmux("new-session", "-d", "-x", "100", "-y", "40", `sh '${join(folder, "run.sh")}'`);
  onTestFinished(async () => {
    await tmux("kill-server").catch(() => {});
  });

  const screen: Terminal["screen"] = ({ colours = false } = {}) =>
    tmux("capture-pane", "-p", "-S", "-200", ...(colours ? ["-e"] : []));
  const shows: Terminal["shows"] = async (text) => {
    const matched = typeof text === "string" ? expect.stringContaining(text) : expect.stringMatching(text);
    await expect.poll(screen, { interval: 50 }).toEqual(matched);
    return screen();
  };
  const type: Terminal["type"] = async (text) => void (await tmux("send-keys", "-l", text));
  const press: Terminal["press"] = async (...keys) => void (await tmux("send-keys", ...keys));
  return {
    folder,
    screen,
    shows,
    type,
    press,
    enter: async (prompt, text) => {
      await shows(prompt);
      await type(text);
      await press("Enter");
    },
    signal: async (name) => {
      const shell = (await tmux("display-message", "-p", "#{pane_pid}")).trim();
      process.kill(Number((await exec("pgrep", ["-P", shell])).stdout), name);
    },
    ended: async () => Number(/ended with (\d+)/.exec(await shows(/ended with \d+/))?.[1]),
  };
}
