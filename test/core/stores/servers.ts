import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { findFreePort } from "../../free-port.ts";
import { sharedFolder } from "../../shared-folder.ts";

/** A server in a temporary folder, on a socket in it: another program can't take its port. */
export interface Server {
  readonly folder: string;
  stop(): Promise<void>;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
  /** Starts it again, with what it had written. */
  restart(): Promise<void>;
  /** Stops its process, which keeps its connections, and lets it go on. */
  pause(): void;
  resume(): void;
}

/** The environment of the servers. Debian keeps the programs of Postgres out of the path. */
function createEnvironment(): NodeJS.ProcessEnv {
  const postgres = "/usr/lib/postgresql";
  const versions = existsSync(postgres) ? readdirSync(postgres) : [];
  const folders = versions.map((version) => join(postgres, version, "bin"));
  return { ...process.env, PATH: [process.env["PATH"], ...folders].join(delimiter) };
}

/** Postgres refuses to run as root. */
function ordinaryUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (option: string) => Number(execFileSync("id", [option, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

const giveTo = ({ uid, gid }: ReturnType<typeof ordinaryUser>, path: string) =>
  uid !== undefined && gid !== undefined && chownSync(path, uid, gid);

/** Starts a program, and waits until it prints that it is ready. */
async function start(program: string, parameters: readonly string[], user: { uid?: number; gid?: number } = {}) {
  const env = createEnvironment();
  const child = spawn(program, parameters, { stdio: ["ignore", "pipe", "pipe"], cwd: tmpdir(), env, ...user });
  const output: string[] = [];
  await new Promise<void>((ready, failed) => {
    for (const input of [child.stdout, child.stderr]) {
      createInterface({ input }).on("line", (line) => {
        output.push(line);
        if (/ready to accept connections|process up: PgBouncer/i.test(line)) ready();
      });
    }
    child.once("error", failed);
    child.once("exit", () => failed(new Error(`${program} did not start:\n${output.join("\n")}`)));
  });
  return child;
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, "exit");
}

/** A server from the command that starts it. */
async function createServer(
  folder: string,
  run: () => Promise<ChildProcess>,
  signals: { readonly stop: NodeJS.Signals; readonly kill: NodeJS.Signals },
): Promise<Server> {
  let child = await run();
  return {
    folder,
    stop: async () => {
      await stop(child, signals.stop);
      await rm(folder, { recursive: true, force: true });
    },
    kill: () => stop(child, signals.kill),
    restart: async () => {
      child = await run();
    },
    pause: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
  };
}

/** `redis-server`, its socket in `folder` as `redis.sock`. It writes each command to the disk. */
export async function startRedis(): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), "ventanilla-redis-"));
  const socket = join(folder, "redis.sock");
  const disk = ["--dir", folder, "--save", "", "--appendonly", "yes", "--appendfsync", "always"];
  const run = () => start("redis-server", ["--port", "0", "--unixsocket", socket, ...disk]);
  return createServer(folder, run, { stop: "SIGTERM", kill: "SIGKILL" });
}

/** A cluster of one node, which refuses a command with keys of several slots as a larger one does. It needs ports. */
export async function startRedisCluster(): Promise<Server & { readonly port: number }> {
  const folder = await mkdtemp(join(tmpdir(), "ventanilla-cluster-"));
  const [port, bus] = [await findFreePort(), await findFreePort()];
  const ports = [
    "--bind",
    "127.0.0.1",
    "--port",
    `${port}`,
    "--cluster-enabled",
    "yes",
    "--cluster-port",
    `${bus}`,
    "--cluster-announce-ip",
    "127.0.0.1",
  ];
  const run = () => start("redis-server", [...ports, "--dir", folder, "--save", ""]);
  const server = await createServer(folder, run, { stop: "SIGTERM", kill: "SIGKILL" });
  return { ...server, port };
}

/**
 * An address for a Redis that listens on a socket alone. It stays while the Redis is away, and refuses connections then.
 *
 * @param isCut whether to close a connection in place of the next answer.
 */
export async function forwardRedis({ folder }: Server, isCut = () => false): Promise<string> {
  const forward = createTcpServer((socket) => {
    const redis = connect(join(folder, "redis.sock"));
    socket.pipe(redis);
    redis.on("data", (answer) => (isCut() ? socket.destroy() : socket.write(answer)));
    redis.on("end", () => socket.end());
    for (const [end, other] of [
      [socket, redis],
      [redis, socket],
    ] as const) {
      end.on("error", () => {}).on("close", () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => forward.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void forward.close());
  return `redis://127.0.0.1:${(forward.address() as AddressInfo).port}`;
}

/** `postgres` with an empty cluster whose superuser is `ventanilla`, its socket in `folder`. */
export async function startPostgres(): Promise<Server> {
  const user = ordinaryUser();
  const options = { cwd: tmpdir(), env: createEnvironment(), ...user };
  // A second of a core, so it is made once and copied.
  const cluster = await sharedFolder("ventanilla-cluster", async (fresh) => {
    giveTo(user, fresh);
    execFileSync("initdb", ["-D", join(fresh, "data"), "-U", "ventanilla", "-A", "trust", "--no-sync"], options);
  });
  const folder = await mkdtemp(join(tmpdir(), "ventanilla-postgres-"));
  giveTo(user, folder);
  const data = join(folder, "data");
  execFileSync("cp", ["-a", join(cluster, "data"), data], options);
  const settings = ["listen_addresses=", `unix_socket_directories=${folder}`, "fsync=off"];
  const run = () => start("postgres", ["-D", data, ...settings.flatMap((setting) => ["-c", setting])], user);
  // Fast shutdown: connections that a test left open are closed. Immediate shutdown: its processes end at once, and it recovers at the next start.
  return createServer(folder, run, { stop: "SIGINT", kill: "SIGQUIT" });
}

/** `pgbouncer` before a Postgres, in transaction mode, its socket in `folder`: each statement gets the next of three connections. */
export async function startPooler(postgres: Server): Promise<Server> {
  const user = ordinaryUser();
  const folder = await mkdtemp(join(tmpdir(), "ventanilla-pooler-"));
  const settings = join(folder, "pgbouncer.ini");
  await writeFile(
    settings,
    `[databases]
postgres = host=${postgres.folder} user=ventanilla
[pgbouncer]
unix_socket_dir = ${folder}
listen_port = 5432
auth_type = any
pool_mode = transaction
default_pool_size = 3
server_round_robin = 1
`,
  );
  for (const path of [folder, settings]) giveTo(user, path);
  return createServer(folder, () => start("pgbouncer", [settings], user), { stop: "SIGTERM", kill: "SIGKILL" });
}
