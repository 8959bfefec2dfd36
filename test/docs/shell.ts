import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify, stripVTControlCharacters } from "node:util";
import { expect, onTestFinished } from "vitest";
import { sharedFolder } from "../shared-folder.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const execute = promisify(execFile);

/** An empty folder with the packed package, as README.md tells to make it. It is packed once for all. */
export async function packInto(): Promise<string> {
  const packed = await sharedFolder("ventanilla-packed", (fresh) =>
    execute("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", fresh], { cwd: root }),
  );
  const folder = await mkdtemp(join(tmpdir(), "ventanilla-pages-"));
  await cp(packed, folder, { recursive: true });
  return folder;
}

/** Gives packages the versions that this repository has: a release of theirs must not turn a test red. */
export async function pin(command: string, names: readonly string[]): Promise<string> {
  const versions = names.map(async (name) => {
    const { version } = JSON.parse(await readFile(join(root, "node_modules", name, "package.json"), "utf8"));
    return [name, `${name}@${version}`] as const;
  });
  const pinned = new Map(await Promise.all(versions));
  return command.replaceAll(/(?<= )[\w@/-]+(?=\s|$)/g, (word) => pinned.get(word) ?? word);
}

interface Place {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Runs commands as a person would, and returns what they print. Throws if one of them fails. */
export async function run(commands: string, place: Place): Promise<string> {
  const running = execute("bash", ["-euc", commands], place);
  running.child.stdin?.end();
  return (await running).stdout;
}

/** Starts a command that serves, and waits until it prints a text, in colours or not. It ends with the test, and so do the processes that it has started. */
export async function start(command: string, place: Place, ready: string) {
  const child = spawn("bash", ["-euc", command], { ...place, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "close");
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (printed += data));
  onTestFinished(() => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) process.kill(-child.pid);
  });
  const fail = async () => expect.fail(`${command} ended with ${(await ended).join(" ")}: ${printed}`);
  await Promise.race([fail(), expect.poll(() => stripVTControlCharacters(printed)).toContain(ready)]);
  return () => printed;
}
