import { spawn } from "node:child_process";

const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: "open", win32: "explorer" };

/** Opens an address of this machine's in the person's browser; where there is none, the printed address does. */
export function openInBrowser(url: string): void {
  const child = spawn(openers[process.platform] ?? "xdg-open", [url], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
