import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { vi } from "vitest";

/** A screen without a monitor, with a window manager: one window at a time is the active one, as for a person. */
export interface Display {
  /** The environment of a program whose windows are on it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Puts the window of another program in front, as an app that shows a bank's code. @returns what closes it. */
  openOtherWindow(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** How long a program or a page may take until it is ready, on a busy machine. */
export const patience = { timeout: 100_000 };

/** Starts a program. One that is not installed is an error. */
export async function start(command: string, parameters: readonly string[], env = process.env): Promise<ChildProcess> {
  const program = spawn(command, parameters, { env, stdio: ["ignore", "pipe", "ignore"] });
  await once(program, "spawn");
  return program;
}

export async function end(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return;
  const ended = once(program, "exit");
  program.kill();
  await ended;
}

export async function openDisplay(): Promise<Display> {
  // Of two that start at once one has stayed without a window manager, seen once. A second time fails the tests.
  return startDisplay(20_000).catch(() => startDisplay(patience.timeout));
}

async function startDisplay(timeout: number): Promise<Display> {
  // It chooses a free number and prints it.
  const server = await start("Xvfb", ["-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"]);
  const [number] = (await once(createInterface({ input: server.stdout ?? process.stdin }), "line")) as [string];
  const environment = { ...process.env, DISPLAY: `:${number}` };
  const read = async (command: string, ...parameters: string[]) =>
    (await promisify(execFile)(command, parameters, { env: environment })).stdout;
  const manager = await start("openbox", [], environment);
  const close = async () => {
    await end(manager);
    await end(server);
  };
  const isManaged = async () => /window id/.test(await read("xprop", "-root", "_NET_SUPPORTING_WM_CHECK"));
  try {
    await vi.waitUntil(isManaged, { timeout });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    environment,
    openOtherWindow: async () => {
      const other = await start("xmessage", ["-name", "another program", "8888"], environment);
      await read(
        "xdotool",
        "search",
        "--sync",
        "--onlyvisible",
        "--name",
        "another program",
        "windowactivate",
        "--sync",
      );
      return () => end(other);
    },
    close,
  };
}
