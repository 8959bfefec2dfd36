import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { findFreePort } from "../../free-port.ts";
import { repository } from "./repository.ts";

/** A real Restate server. */
export type RestateServer = Awaited<ReturnType<typeof startRestate>>;

export interface RestateServerOptions {
  /** How many partitions share the logins. Default 4. */
  readonly partitions?: number;
  /** Store everything uncompressed, so that files can be searched. Default false. */
  readonly uncompressed?: boolean;
}

// The package's command is a wrapper: a kill -9 would hit that, and leave the server alive.
const binary = `${repository}test/servers/restate/server/node_modules/@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`;

/** Starts the server of `server/package.json`, with its data in a folder of its own, and waits until it takes calls. */
export async function startRestate(options: RestateServerOptions = {}) {
  if (!existsSync(binary)) throw new Error("The server is not installed: npm run restate");
  const folder = await mkdtemp(join(tmpdir(), "ventanilla-restate-"));
  const [ingressPort, adminPort, nodePort] = await Promise.all([findFreePort(), findFreePort(), findFreePort()]);
  const [ingress, admin] = [`http://127.0.0.1:${ingressPort}`, `http://127.0.0.1:${adminPort}`];
  const env = {
    PATH: process.env["PATH"] ?? "",
    RESTATE_DISABLE_TELEMETRY: "true",
    RESTATE_LISTEN_MODE: "tcp",
    RESTATE_BIND_IP: "127.0.0.1",
    RESTATE_BIND_PORT: `${nodePort}`,
    RESTATE_INGRESS__BIND_PORT: `${ingressPort}`,
    RESTATE_ADMIN__BIND_PORT: `${adminPort}`,
    RESTATE_NODE_NAME: "ventanilla",
    RESTATE_BASE_DIR: folder,
    RESTATE_DEFAULT_NUM_PARTITIONS: `${options.partitions ?? 4}`,
    RESTATE_LOG_FILTER: "error",
    ...(options.uncompressed && {
      RESTATE_ROCKSDB_DISABLE_WAL_COMPRESSION: "true",
      RESTATE_ROCKSDB_DISABLE_L0_L1_COMPRESSION: "true",
    }),
  };
  const launch = async () => {
    const launched = spawn(binary, ["--no-logo"], { env, stdio: ["ignore", "ignore", "ignore"] });
    await ready(`${ingress}/restate/health`);
    await ready(`${admin}/health`);
    return launched;
  };
  let child = await launch();
  const killAtExit = () => child.kill("SIGKILL");
  process.once("exit", killAtExit);
  return {
    ingress,
    admin,
    folder,
    pid: () => child.pid ?? 0,
    /** Registers a worker, or a newer one at another address. */
    async register(uri: string) {
      await post(`${admin}/deployments`, { uri, force: true });
    },
    /** Reads what it stores. */
    async query<Row>(sql: string) {
      const { rows } = (await post(`${admin}/query`, { query: sql })) as { rows: Row[] };
      return rows;
    },
    /** Cancels the invocation of a handler that runs, as an operator does. */
    async cancel(key: string, handler: string) {
      const running = `target_service_key = '${key}' AND target_handler_name = '${handler}' AND status = 'running'`;
      const [invocation] = await this.query<{ id: string }>(`SELECT id FROM sys_invocation WHERE ${running}`);
      await fetch(`${admin}/invocations/${invocation?.id}/cancel`, { method: "PATCH" });
    },
    /** kill -9, and a new start on the same data. */
    async crash() {
      await kill(child);
      child = await launch();
    },
    async stop() {
      process.off("exit", killAtExit);
      await kill(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** kill -9, where the process has not ended before. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

async function post(url: string, body: unknown): Promise<unknown> {
  const headers = { "content-type": "application/json", accept: "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function ready(url: string): Promise<void> {
  for (const end = Date.now() + 120_000; Date.now() < end; await pause(50)) {
    const isReady = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
  }
  throw new Error(`${url} is not ready after two minutes`);
}
