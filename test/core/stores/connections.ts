import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Redis } from "ioredis";
import pg from "pg";
import { createClient, createClientPool, createCluster, createSentinel } from "redis";
import { createPostgresStore, createRedisStore, type Store } from "ventanilla/tokens";
import { type Server, startPostgres, startRedis, startRedisCluster } from "./servers.ts";

/** A store over a connection of its own. */
export interface Connection {
  readonly store: Store;
  /** Milliseconds until the server forgets each of its ids, as the server says. */
  lifetimes(): Promise<number[]>;
  close(): Promise<unknown>;
}

export interface Kind {
  start(): Promise<Server>;
  /** Done once for a server, as the guide tells users. */
  prepare?(server: Server): Promise<void>;
  connect(server: Server): Promise<Connection>;
}

const nodeRedis: Kind = {
  start: startRedis,
  async connect({ folder }) {
    const socket = { path: join(folder, "redis.sock"), tls: false as const, reconnectStrategy: false as const };
    const client = createClient({ socket, disableOfflineQueue: true });
    client.on("error", () => undefined);
    await client.connect();
    return {
      store: createRedisStore(client),
      lifetimes: async () => Promise.all((await client.keys("ventanilla:record:*")).map((key) => client.pTTL(key))),
      close: async () => client.destroy(),
    };
  },
};

const ioRedis: Kind = {
  start: startRedis,
  async connect({ folder }) {
    const client = new Redis({ path: join(folder, "redis.sock"), maxRetriesPerRequest: 0, lazyConnect: true });
    client.on("error", () => undefined);
    await client.connect();
    return {
      store: createRedisStore(client),
      lifetimes: async () => Promise.all((await client.keys("ventanilla:record:*")).map((key) => client.pttl(key))),
      close: async () => client.disconnect(),
    };
  },
};

/** The table that the documentation tells users to make. */
async function documentedTable(): Promise<string> {
  const page = await readFile(new URL("../../../docs/production.md", import.meta.url), "utf8");
  const [, table = "no table is documented"] = /```sql\n([^`]*)/.exec(page) ?? [];
  return table;
}

/** The name of a test's own connections at Postgres. */
export const TEST = "test";

export const createPool = ({ folder }: Server) =>
  new pg.Pool({ host: folder, user: "ventanilla", database: "postgres", application_name: TEST });

export const postgres: Kind = {
  start: startPostgres,
  async prepare(server) {
    const pool = createPool(server);
    await pool.query(await documentedTable());
    await pool.end();
  },
  async connect(server) {
    const pool = createPool(server);
    pool.on("error", () => undefined);
    return {
      store: createPostgresStore(pool),
      lifetimes: async () => {
        const { rows } = await pool.query<{ lifetime: string }>(
          "SELECT extract(epoch FROM expires_at - now()) * 1000 AS lifetime FROM ventanilla_records",
        );
        return rows.map(({ lifetime }) => Number(lifetime));
      },
      close: () => pool.end(),
    };
  },
};

/** A cluster by each of the packages. */
export async function startCluster() {
  const server = await startRedisCluster();
  const node = { host: "127.0.0.1", port: server.port };
  const setUp = new Redis(node);
  await setUp.call("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
  while (!String(await setUp.call("CLUSTER", "INFO")).includes("cluster_state:ok")) await wait(20);
  setUp.disconnect();
  const cluster = await createCluster({ rootNodes: [{ socket: { ...node, tls: false } }] }).connect();
  const other = new Redis.Cluster([node]);
  return {
    stores: [createRedisStore(cluster), createRedisStore(other)] as const,
    async stop() {
      cluster.destroy();
      other.disconnect();
      await server.stop();
    },
  };
}

export const kinds: readonly (readonly [name: string, kind: Kind])[] = [
  ["Redis, by the package redis", nodeRedis],
  ["Redis, by the package ioredis", ioRedis],
  ["Postgres, by the package pg", postgres],
];

/** Compiled, never called: each kind of client of these packages fits without a cast. */
export const otherClients = () => [
  createRedisStore(createClientPool()),
  createRedisStore(createSentinel({ name: "main", sentinelRootNodes: [] })),
];
