import { cut, DETAIL_LIMIT } from "../../../core/api/limits.ts";
import { createPostgresStore, type PostgresPool } from "../../../core/tokens/postgres-store.ts";
import { createRedisStore, type NodeRedis } from "../../../core/tokens/redis-store.ts";
import type { Store } from "../../../core/tokens/store.ts";
import { BankError } from "../../../index.ts";
import { openFolderStore } from "./private-files.ts";

export interface OpenStore {
  readonly store: Store;
  close(): Promise<unknown>;
}

/** The address of a store, from an option or its variable. One with a password in an argument is refused. */
export function findStore(
  option: string,
  variable: string,
  argument: string | undefined,
  environment: NodeJS.ProcessEnv,
): string | undefined {
  if (/:\/\/.*:.*@|[?&]password=/.test(argument ?? "")) {
    throw new BankError("secret_in_argument", { field: option, detail: `${variable} can hold a password` });
  }
  return argument ?? (environment[variable] || undefined);
}

/** Opens a store: `folder:PATH`, `redis://…` or `postgres://…`. The packages `redis` and `pg` are the user's own. */
export async function openStore(option: string, address: string): Promise<OpenStore> {
  const [, scheme = "", rest = ""] = /^(\w+):(.+)$/s.exec(address) ?? [];
  if (scheme === "folder") return { store: await openFolderStore(option, rest), close: async () => {} };
  if (/^rediss?$/.test(scheme)) {
    const { createClient } = (await loadPackage("redis", option)) as { createClient(options: object): RedisClient };
    let isConnected = false;
    const reconnectStrategy = (tries: number) => isConnected && Math.min(100 * tries, 3000);
    const client = createClient({ url: address, disableOfflineQueue: true, socket: { reconnectStrategy } });
    // Each command reports its own error.
    client.on("error", () => {});
    await client.connect();
    isConnected = true;
    return { store: createRedisStore(client), close: () => client.disconnect().catch(() => {}) };
  }
  if (/^postgres(ql)?$/.test(scheme)) {
    const { default: pg } = (await loadPackage("pg", option)) as { default: { Pool: new (options: object) => PgPool } };
    const pool = new pg.Pool({ connectionString: address, connectionTimeoutMillis: 10_000 });
    pool.on("error", () => {});
    return { store: createPostgresStore(pool), close: () => pool.end() };
  }
  throw new BankError("invalid_input", { field: option, detail: "must be folder:PATH, redis://… or postgres://…" });
}

interface RedisClient extends NodeRedis {
  on(event: "error", listen: () => void): unknown;
  connect(): Promise<unknown>;
  /** Versions 4 and later have it, `destroy` only 5 and later. */
  disconnect(): Promise<unknown>;
}

interface PgPool extends PostgresPool {
  on(event: "error", listen: () => void): unknown;
  end(): Promise<void>;
}

/**
 * What a database has said in its own words, such as `OOM command not allowed …`, on one line and without the password of an address. `undefined` for an error of the platform: its code says as much, and
 * its text has a path.
 */
export function readDatabaseWords(error: unknown): string | undefined {
  if (!(error instanceof Error) || error instanceof BankError || "syscall" in error) return undefined;
  const words = error.message
    .replaceAll(/\/\/[^\s/@]*@/g, "//…@")
    .replaceAll(/(password=)[^\s&]+/gi, "$1…")
    .replaceAll(/\s+/g, " ")
    .trim();
  return words === "" ? undefined : cut(words, DETAIL_LIMIT);
}

/** A package that the user has installed. Its name is not a literal here, or it would be bundled. */
export async function loadPackage(name: string, option: string): Promise<unknown> {
  try {
    return await import(/* @vite-ignore */ name);
  } catch {
    throw new BankError("invalid_setup", { field: option, detail: `needs the package ${name}: npm install ${name}` });
  }
}
