import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProgramContext } from "./command.ts";
import { createPrivateFolder } from "./settings/private-files.ts";
import { type Output, paint, type Text } from "./terminal/output.ts";

/** Something that listens on this machine. */
export interface LocalServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Says where something listens, and serves it until the command is stopped. */
export async function serveUntilStopped(
  { url, close }: LocalServer,
  output: Output,
  { signal }: ProgramContext,
  details: object = {},
  ...lines: readonly Text[]
): Promise<"success"> {
  output.result({ status: "listening", url, ...details }, `${output.text("listening")} ${url}`, ...lines);
  output.say(paint("dim", output.text("stopWith")));
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await close();
  return "success";
}

const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: "open", win32: "explorer" };

// What a browser needs: its path, the screen, the language. Variables with keys and user names are left out.
const needed = new RegExp(
  `^(${[
    "PATH|HOME|USER|LOGNAME|SHELL|TMPDIR|TZ|LANG|LANGUAGE|LC_\\w+|BROWSER",
    "DISPLAY|XAUTHORITY|WAYLAND_DISPLAY|XDG_\\w+|DBUS_SESSION_BUS_ADDRESS|DESKTOP_SESSION|KDE_\\w+|GNOME_\\w+",
    "WSL_DISTRO_NAME|WSL_INTEROP|__CF_USER_TEXT_ENCODING",
    "SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|TEMP|TMP|USERNAME|USERPROFILE|HOMEDRIVE|HOMEPATH|APPDATA|LOCALAPPDATA",
    "PROGRAMDATA|PROGRAMFILES|PROGRAMFILES\\(X86\\)|PROGRAMW6432|SESSIONNAME",
  ].join("|")})$`,
  // Windows doesn't tell the cases apart.
  process.platform === "win32" ? "i" : "",
);

/** Opens an address or a file in the person's browser or viewer. Where there is none, the person has the printed name. */
export function openInBrowser(address: string, environment: NodeJS.ProcessEnv): void {
  const env = Object.fromEntries(Object.entries(environment).filter(([name]) => needed.test(name)));
  const child = spawn(openers[process.platform] ?? "xdg-open", [address], { stdio: "ignore", detached: true, env });
  child.on("error", () => {});
  child.unref();
}

/**
 * Opens an address that holds a token. Everybody on the machine can read a program's arguments, so the browser is given a page
 * of mode 600 that leads on to the address. The page is deleted when this program ends.
 */
export function openPrivately(address: string, environment: NodeJS.ProcessEnv): void {
  try {
    const page = join(createPrivateFolder().path, "open.html");
    writeFileSync(page, createRedirectPage(address), { mode: 0o600, flag: "wx" });
    openInBrowser(page, environment);
  } catch {
    // No place for a file: the printed address does.
  }
}

function createRedirectPage(address: string): string {
  const target = address.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${target}"><a href="${target}">ventanilla</a>`;
}
