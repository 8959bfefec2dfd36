import type { ClaimStore } from "./claim-store.ts";
import type { RecordStore } from "./record-store.ts";

/** What is needed of a client of the package `redis`, version 4 and later: single server, sentinel, cluster or pool. */
export interface NodeRedis {
  /** The command `SET`. */
  set(key: string, value: string, options: NodeRedisOptions): Promise<unknown>;
}

/** The options of `SET … NX`. Version 4 knows the first two, later ones prefer the others. */
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

/** What is needed of a client of the package `redis`, version 4 and later. */
export interface NodeRedisRecords extends NodeRedis {
  /** The command `PSETEX`. */
  pSetEx(key: string, milliseconds: number, value: string): Promise<unknown>;
  /** The command `GET`. */
  get(key: string): Promise<unknown>;
  /** The command `ZADD`. */
  zAdd(key: string, member: { score: number; value: string }): Promise<unknown>;
  /** The command `ZREMRANGEBYSCORE`. */
  zRemRangeByScore(key: string, lowest: number, highest: number): Promise<unknown>;
  /** The command `ZRANGE`. */
  zRange(key: string, first: number, last: number): Promise<unknown>;
}

/** What is needed of a client of the package `ioredis`; `call` sends any other command. */
export interface IoRedisRecords extends IoRedis {
  /** The command `GET`. */
  get(key: string): Promise<unknown>;
}

// A sorted set, and not SCAN: that walks through all keys of a database, and of a cluster it sees one node.
const INDEX = "ventanilla:records";

/**
 * A record store in Redis, for any number of instances: `SET ventanilla:record:<id> <text> PX <milliseconds> NX`, and the ids by their
 * expiry in the sorted set `ventanilla:records`, which has none of a sign of life. Redis removes the texts that have expired, and `list` their ids.
 *
 * @param redis a connected client, of `redis` or `ioredis`. It stays yours to close.
 * @example
 * const store = createRedisRecordStore(await createClient({ url: process.env.REDIS_URL }).on("error", log).connect());
 */
export function createRedisRecordStore(redis: NodeRedisRecords | IoRedisRecords): RecordStore {
  return {
    ...createRedisClaimStore(redis),
    async write(id, text, expiresAt) {
      const score = expiresAt.getTime();
      // Before the text: an id without a text does no harm, a text that nobody finds would.
      if ("call" in redis) await redis.call("ZADD", INDEX, String(score), id);
      else await redis.zAdd(INDEX, { score, value: id });
      return setOnce(redis, `ventanilla:record:${id}`, text, expiresAt);
    },
    async replace(id, text, expiresAt) {
      const lifetime = Math.max(1, expiresAt.getTime() - Date.now());
      const key = `ventanilla:record:${id}`;
      if ("call" in redis) await redis.call("PSETEX", key, String(lifetime), text);
      else await redis.pSetEx(key, lifetime, text);
    },
    async read(id) {
      const text = await redis.get(`ventanilla:record:${id}`);
      if (text === null) return undefined;
      if (typeof text === "string") return text;
      throw new TypeError("neither a text nor null");
    },
    async list() {
      if ("call" in redis) {
        await redis.call("ZREMRANGEBYSCORE", INDEX, "0", String(Date.now()));
        return (await redis.call("ZRANGE", INDEX, "0", "-1")) as string[];
      }
      await redis.zRemRangeByScore(INDEX, 0, Date.now());
      return (await redis.zRange(INDEX, 0, -1)) as string[];
    },
  };
}

/** Sets a key that is not there yet. @returns whether it was not. */
async function setOnce(redis: NodeRedis | IoRedis, key: string, value: string, expiresAt: Date): Promise<boolean> {
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
