import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Redis } from "ioredis";
import pg from "pg";
import { createClient, createClientPool, createCluster, createSentinel } from "redis";
import {
  type ClaimStore,
  createPostgresClaimStore,
  createPostgresRecordStore,
  createRedisClaimStore,
  createRedisRecordStore,
  type RecordStore,
} from "ventanilla/tokens";
import { type Server, startPostgres, startRedis } from "./servers.ts";

/** A claim store over a connection of its own. */
export interface Connection {
  readonly claimStore: ClaimStore;
  readonly recordStore: RecordStore;
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
      claimStore: createRedisClaimStore(client),
      recordStore: createRedisRecordStore(client),
      lifetimes: async () => Promise.all((await client.keys("ventanilla:claim:*")).map((key) => client.pTTL(key))),
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
      claimStore: createRedisClaimStore(client),
      recordStore: createRedisRecordStore(client),
      lifetimes: async () => Promise.all((await client.keys("ventanilla:claim:*")).map((key) => client.pttl(key))),
      close: async () => client.disconnect(),
    };
  },
};

/** The tables that the documentation tells users to make. */
async function documentedTables(): Promise<string> {
  const page = await readFile(new URL("../../../docs/stores.md", import.meta.url), "utf8");
  const [, tables = "no table is documented"] = /```sql\n([^`]*)/.exec(page) ?? [];
  return tables;
}

export const createPool = ({ folder }: Server) =>
  new pg.Pool({ host: folder, user: "ventanilla", database: "postgres" });

export const postgres: Kind = {
  start: startPostgres,
  async prepare(server) {
    const pool = createPool(server);
    await pool.query(await documentedTables());
    await pool.end();
  },
  async connect(server) {
    const pool = createPool(server);
    pool.on("error", () => undefined);
    return {
      claimStore: createPostgresClaimStore(pool),
      recordStore: createPostgresRecordStore(pool),
      lifetimes: async () => {
        const { rows } = await pool.query<{ lifetime: string }>(
          "SELECT extract(epoch FROM expires_at - now()) * 1000 AS lifetime FROM ventanilla_claims",
        );
        return rows.map(({ lifetime }) => Number(lifetime));
      },
      close: () => pool.end(),
    };
  },
};

export const kinds: readonly (readonly [name: string, kind: Kind])[] = [
  ["Redis, by the package redis", nodeRedis],
  ["Redis, by the package ioredis", ioRedis],
  ["Postgres, by the package pg", postgres],
];

/** Compiled, never called: each kind of client of these packages fits without a cast. */
export const otherClients = () => [
  createRedisClaimStore(createClientPool()),
  createRedisClaimStore(createCluster({ rootNodes: [] })),
  createRedisClaimStore(createSentinel({ name: "main", sentinelRootNodes: [] })),
  createRedisClaimStore(new Redis.Cluster([])),
  createRedisRecordStore(createClientPool()),
  createRedisRecordStore(createCluster({ rootNodes: [] })),
  createRedisRecordStore(createSentinel({ name: "main", sentinelRootNodes: [] })),
  createRedisRecordStore(new Redis.Cluster([])),
];
