import type { RecordStore } from "./record-store.ts";
import { createRedisClaimStore, type IoRedis, type NodeRedis, setOnce } from "./redis-claim-store.ts";

/** What is needed of a client of the package `redis`, version 4 and later. */
export interface NodeRedisRecords extends NodeRedis {
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
 * expiry in the sorted set `ventanilla:records`. Redis removes the texts that have expired, and `list` their ids.
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
