import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { accessSync, chownSync, constants, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";

/** A server in a temporary folder, on a socket in it: another program can't take its port. */
export interface Server {
  readonly folder: string;
  stop(): Promise<void>;
}

/** Debian keeps Postgres's programs out of the path. */
function programFolders(): string[] {
  const postgres = "/usr/lib/postgresql";
  const installed = () => readdirSync(postgres).map((version) => join(postgres, version, "bin"));
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  try {
    return [...folders, ...installed()];
  } catch {
    return folders;
  }
}

function findProgram(name: string, debianPackage: string): string {
  for (const folder of programFolders()) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not in this folder.
    }
  }
  throw new Error(`npm run test:gate needs the program ${name}. On Debian: apt-get install ${debianPackage}`);
}

/** Postgres refuses to run as root. */
function ordinaryUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (option: string) => Number(execFileSync("id", [option, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

/** Starts a program, and waits until it prints that it is ready. */
async function start(path: string, parameters: readonly string[], user: { uid?: number; gid?: number } = {}) {
  const child = spawn(path, parameters, { stdio: ["ignore", "pipe", "pipe"], cwd: tmpdir(), ...user });
  const said: string[] = [];
  await new Promise<void>((ready, failed) => {
    for (const output of [child.stdout, child.stderr]) {
      createInterface({ input: output }).on("line", (line) => {
        said.push(line);
        if (/ready to accept connections/i.test(line)) ready();
      });
    }
    child.once("error", failed);
    child.once("exit", () => failed(new Error(`${path} did not start:\n${said.join("\n")}`)));
  });
  return child;
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await exited;
}

/** `redis-server`, its socket in `folder` as `redis.sock`. */
export async function startRedis(): Promise<Server> {
  const program = findProgram("redis-server", "redis-server");
  const folder = await mkdtemp(join(tmpdir(), "ventanilla-redis-"));
  const socket = join(folder, "redis.sock");
  const child = await start(program, ["--port", "0", "--unixsocket", socket, "--dir", folder, "--save", ""]);
  return {
    folder,
    stop: async () => {
      await stop(child, "SIGTERM");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** `postgres` with an empty cluster whose superuser is `ventanilla`, its socket in `folder`. */
export async function startPostgres(): Promise<Server> {
  const [initdb, postgres] = [findProgram("initdb", "postgresql"), findProgram("postgres", "postgresql")];
  const user = ordinaryUser();
  const folder = await mkdtemp(join(tmpdir(), "ventanilla-postgres-"));
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  execFileSync(initdb, ["-D", data, "-U", "ventanilla", "-A", "trust", "--no-sync"], { cwd: tmpdir(), ...user });
  const settings = ["listen_addresses=", `unix_socket_directories=${folder}`, "fsync=off"];
  const child = await start(postgres, ["-D", data, ...settings.flatMap((setting) => ["-c", setting])], user);
  return {
    folder,
    stop: async () => {
      // Fast shutdown: connections that a test left open are closed.
      await stop(child, "SIGINT");
      await rm(folder, { recursive: true, force: true });
    },
  };
}
