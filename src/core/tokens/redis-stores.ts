import type { ClaimStore } from "./claim-store.ts";
import { AFTER_ALL, type RecordStore } from "./record-store.ts";

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
  /** The command `DEL`. */
  del(key: string): Promise<unknown>;
  /** The command `ZADD`. */
  zAdd(key: string, member: { score: number; value: string }): Promise<unknown>;
  /** The command `ZREM`. */
  zRem(key: string, members: string[]): Promise<unknown>;
  /** The command `ZRANGEBYSCORE`. */
  zRangeByScore(key: string, lowest: number, highest: number, options: NodeRedisLimit): Promise<unknown>;
  /** The command `ZRANGEBYLEX`. */
  zRangeByLex(key: string, first: string, last: string, options: NodeRedisLimit): Promise<unknown>;
}

/** How many members a command returns. */
export interface NodeRedisLimit {
  readonly LIMIT: { offset: number; count: number };
}

/** What is needed of a client of the package `ioredis`; `call` sends any other command. */
export interface IoRedisRecords extends IoRedis {
  /** The command `GET`. */
  get(key: string): Promise<unknown>;
}

// Two sorted sets, and not SCAN: that walks through all keys of a database, and of a cluster it sees one node. In the first one each listed id has
// the same score, so it is sorted by ids; the second one has them by their expiry.
const LISTED = "ventanilla:listed";
const EXPIRIES = "ventanilla:listed:expiries";

/** Ids that have expired and are removed from both with one `list`. */
const REMOVED = 1_000;

/**
 * A record store in Redis, for any number of instances: `SET ventanilla:record:<id> <text> PX <milliseconds> NX`, and the listed ids in the
 * sorted sets `ventanilla:listed` and `ventanilla:listed:expiries`. Redis removes the texts that have expired, and `list` their ids.
 *
 * @param redis a connected client, of `redis` or `ioredis`. It stays yours to close.
 * @example
 * const store = createRedisRecordStore(await createClient({ url: process.env.REDIS_URL }).on("error", log).connect());
 */
export function createRedisRecordStore(redis: NodeRedisRecords | IoRedisRecords): RecordStore {
  const add = (key: string, score: number, id: string) =>
    "call" in redis ? redis.call("ZADD", key, String(score), id) : redis.zAdd(key, { score, value: id });
  const unlist = async (ids: string[]) => {
    if (ids.length === 0) return;
    // An id without an expiry would stay for ever, so that goes last.
    for (const key of [LISTED, EXPIRIES]) {
      await ("call" in redis ? redis.call("ZREM", key, ...ids) : redis.zRem(key, ids));
    }
  };
  return {
    ...createRedisClaimStore(redis),
    async write(id, text, expiresAt, isListed) {
      if (isListed) {
        // Before the text: an id without a text does no harm, a text that nobody finds would.
        await add(EXPIRIES, expiresAt.getTime(), id);
        await add(LISTED, 0, id);
      }
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
    async list(prefix, limit) {
      const now = Date.now();
      const [first, last] = [`[${prefix}`, `(${prefix}${AFTER_ALL}`];
      if ("call" in redis) {
        await unlist(
          (await redis.call("ZRANGEBYSCORE", EXPIRIES, "0", `${now}`, "LIMIT", "0", `${REMOVED}`)) as string[],
        );
        return (await redis.call("ZRANGEBYLEX", LISTED, first, last, "LIMIT", "0", `${limit}`)) as string[];
      }
      const removed = { LIMIT: { offset: 0, count: REMOVED } };
      await unlist((await redis.zRangeByScore(EXPIRIES, 0, now, removed)) as string[]);
      return (await redis.zRangeByLex(LISTED, first, last, { LIMIT: { offset: 0, count: limit } })) as string[];
    },
    async delete(id) {
      const key = `ventanilla:record:${id}`;
      await ("call" in redis ? redis.call("DEL", key) : redis.del(key));
      await unlist([id]);
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
