import { randomUUID } from "node:crypto";
import type { ClaimStore } from "../../../core/tokens/claim-store.ts";
import { createPostgresClaimStore, type PostgresPool } from "../../../core/tokens/postgres-claim-store.ts";
import { createRedisClaimStore, type NodeRedis } from "../../../core/tokens/redis-claim-store.ts";
import { BankError } from "../../../index.ts";
import { openClaimFolder, toFileFault } from "../settings/private-files.ts";

const FIELD = "--claims";

/** The claims of a batch: which logins were begun, by any run of it. */
export type BatchClaims = Awaited<ReturnType<typeof openBatchClaims>>;

/** Where the claims are. An address with a password in an argument is refused: `VENTANILLA_CLAIMS` has it. */
export function findClaims(argument: string | undefined, environment: NodeJS.ProcessEnv): string | undefined {
  if (/:\/\/.*:.*@|[?&]password=/.test(argument ?? "")) {
    throw new BankError("secret_in_argument", { field: FIELD, detail: "VENTANILLA_CLAIMS can hold a password" });
  }
  return argument ?? (environment["VENTANILLA_CLAIMS"] || undefined);
}

/**
 * Opens the claims of a batch: `folder:PATH`, or the address of a database with the name of the batch, `redis://…#NAME`. It fails here, and
 * not at the first login, if they can't be used.
 */
export async function openBatchClaims(place: string) {
  const [address = "", name = ""] = place.startsWith("folder:") ? [place] : place.split("#");
  /** The fault of a store that fails. */
  const toFault = (error: unknown) => toFileFault(FIELD, error);
  const { store, close } = await openStore(address).catch((error: unknown) => {
    throw toFault(error);
  });
  try {
    await store.claim(`batch-${randomUUID()}`, new Date(Date.now() + 1000));
  } catch (error) {
    await close();
    throw toFault(error);
  }
  return { claimStore: store, name, toFault, close };
}

interface OpenStore {
  readonly store: ClaimStore;
  close(): Promise<unknown>;
}

async function openStore(address: string): Promise<OpenStore> {
  const [, scheme = "", rest = ""] = /^(\w+):(.+)$/s.exec(address) ?? [];
  if (scheme === "folder") return { store: await openClaimFolder(FIELD, rest), close: async () => {} };
  if (/^rediss?$/.test(scheme)) {
    const { createClient } = (await load("redis")) as { createClient(options: object): RedisClient };
    // A batch that has lost its claims stops, and the same command goes on.
    const client = createClient({ url: address, socket: { reconnectStrategy: false } });
    // Each claim fails by itself.
    client.on("error", () => {});
    await client.connect();
    return { store: createRedisClaimStore(client), close: () => client.disconnect().catch(() => {}) };
  }
  if (/^postgres(ql)?$/.test(scheme)) {
    const { default: pg } = (await load("pg")) as { default: { Pool: new (options: object) => PgPool } };
    const pool = new pg.Pool({ connectionString: address, connectionTimeoutMillis: 10_000 });
    pool.on("error", () => {});
    return { store: createPostgresClaimStore(pool), close: () => pool.end() };
  }
  throw new BankError("invalid_input", { field: FIELD, detail: "must be folder:PATH, redis://… or postgres://…" });
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

/** A package that the user has installed. Its name is no literal here, or it would be bundled. */
async function load(name: string): Promise<unknown> {
  try {
    return await import(/* @vite-ignore */ name);
  } catch {
    throw new BankError("part_missing", { field: FIELD, detail: `needs the package ${name}: npm install ${name}` });
  }
}
