import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { join } from "node:path";
import { listen } from "../../core/http/loopback.ts";
import { BankError } from "../../index.ts";
import type { ProgramContext } from "./command.ts";
import { createPrivateFolder, readErrorCode } from "./settings/private-files.ts";
import { type Output, paint, type Text } from "./terminal/output.ts";
import { UsageFault } from "./usage-fault.ts";

export interface LocalServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Listens on the port of a command, 0 for a free one. @returns the origin. */
export const listenOnPort = (server: Server, port = 0, host?: string): Promise<string> =>
  listen(server, port, host).catch((error: unknown) => {
    throw createPortFault(port, error);
  });

/** Why a server can't listen on a port. */
export function createPortFault(port: number, error: unknown, field = "--port"): UsageFault {
  const code = error instanceof BankError ? error.detail : readErrorCode(error);
  if (code === "EADDRINUSE") return new UsageFault(`Port ${port} is taken. Give another one with ${field}.`, { field });
  return new UsageFault(`Port ${port} can't be used${code === undefined ? "" : `: ${code}`}.`, { field });
}

/** Prints the address of a server, and serves until the command is stopped. */
export async function serveUntilStopped(
  { url, close }: LocalServer,
  output: Output,
  { signal }: ProgramContext,
  details: object = {},
  ...lines: readonly Text[]
): Promise<"success"> {
  output.result({ state: "listening", url, ...details }, `${output.text("listening")} ${url}`, ...lines);
  output.say(paint("dim", output.text("stopWith")));
  if (!signal.aborted) await once(signal, "abort");
  await close();
  return "success";
}

const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: "open", win32: "explorer" };

// The variables that a browser needs, without keys and user names.
const browserVariables = new RegExp(
  `^(${[
    "PATH|HOME|USER|LOGNAME|SHELL|TMPDIR|TZ|LANG|LANGUAGE|LC_\\w+|BROWSER",
    "DISPLAY|XAUTHORITY|WAYLAND_DISPLAY|XDG_\\w+|DBUS_SESSION_BUS_ADDRESS|DESKTOP_SESSION|KDE_\\w+|GNOME_\\w+",
    "WSL_DISTRO_NAME|WSL_INTEROP|__CF_USER_TEXT_ENCODING",
    "SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|TEMP|TMP|USERNAME|USERPROFILE|HOMEDRIVE|HOMEPATH|APPDATA|LOCALAPPDATA",
    "PROGRAMDATA|PROGRAMFILES|PROGRAMFILES\\(X86\\)|PROGRAMW6432|SESSIONNAME",
  ].join("|")})$`,
  // Windows ignores the case of a name.
  process.platform === "win32" ? "i" : "",
);

/** Opens an address or a file in the person's browser or viewer. If that fails, the person has the printed address. */
export function openInBrowser(address: string, environment: NodeJS.ProcessEnv): void {
  const env = Object.fromEntries(Object.entries(environment).filter(([name]) => browserVariables.test(name)));
  const child = spawn(openers[process.platform] ?? "xdg-open", [address], { stdio: "ignore", detached: true, env });
  child.on("error", () => {});
  child.unref();
}

/**
 * Opens an address that contains a token. Any user of the machine can read the arguments of a program, so the browser gets a page of mode
 * 600 that redirects to the address. The page is deleted when this program ends.
 */
export function openPrivately(address: string, environment: NodeJS.ProcessEnv): void {
  try {
    const page = join(createPrivateFolder().path, "open.html");
    writeFileSync(page, createRedirectPage(address), { mode: 0o600, flag: "wx" });
    openInBrowser(page, environment);
  } catch {
    // If the file can't be written, the person has the printed address.
  }
}

function createRedirectPage(address: string): string {
  const target = address.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${target}"><a href="${target}">ventanilla</a>`;
}
