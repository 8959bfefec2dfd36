import type { ClaimStore } from "./claim-store.ts";

/** What is needed of a client of the package `redis`, version 4 and later: single server, sentinel, cluster or pool. */
export interface NodeRedis {
  /** The command `SET`. */
  set(key: string, value: string, options: NodeRedisOptions): Promise<unknown>;
}

/** The options of `SET`. Version 4 knows the first two, later ones prefer the others. */
export interface NodeRedisOptions {
  readonly NX: true;
  readonly PX: number;
  readonly condition: "NX";
  readonly expiration: { type: "PX"; value: number };
}

/** What is needed of a client of the package `ioredis`: single server, sentinel or cluster. */
export interface IoRedis {
  /** The command `SET`. */
  set(key: string, value: string, unit: "PX", milliseconds: number, condition: "NX"): Promise<unknown>;
  /** Tells `ioredis` from `redis`. */
  call(command: string, ...rest: string[]): Promise<unknown>;
}

/**
 * A claim store in Redis, for any number of instances: `SET ventanilla:claim:<id> 1 PX <milliseconds> NX`. Redis removes what
 * has expired.
 *
 * @param redis a connected client, of `redis` or `ioredis`. It stays yours to close.
 * @example
 * const claimStore = createRedisClaimStore(await createClient({ url: process.env.REDIS_URL }).on("error", log).connect());
 */
export function createRedisClaimStore(redis: NodeRedis | IoRedis): ClaimStore {
  return {
    claim: (id, expiresAt) => setOnce(redis, `ventanilla:claim:${id}`, "1", expiresAt),
  };
}

/** Sets a key that is not there yet. @returns whether it was not. */
export async function setOnce(
  redis: NodeRedis | IoRedis,
  key: string,
  value: string,
  expiresAt: Date,
): Promise<boolean> {
  const lifetime = Math.max(1, expiresAt.getTime() - Date.now());
  const response =
    "call" in redis
      ? await redis.set(key, value, "PX", lifetime, "NX")
      : await redis.set(key, value, {
          NX: true,
          PX: lifetime,
          condition: "NX",
          expiration: { type: "PX", value: lifetime },
        });
  if (response === "OK") return true;
  if (response === null) return false;
  throw new TypeError("neither OK nor null");
}
