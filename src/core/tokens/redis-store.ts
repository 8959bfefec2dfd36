import { LAST_CHARACTER, type Store } from "./store.ts";

/** The part of a client of the package `redis`, version 4 and later, that the store uses: single server, sentinel, cluster or pool. */
export interface NodeRedis {
  /** The command `EVAL`. */
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/** The part of a client of the package `ioredis` that the store uses: single server, sentinel or cluster. */
export interface IoRedis {
  /** Sends any command. This method distinguishes `ioredis` from `redis`. */
  call(command: string, ...rest: string[]): Promise<unknown>;
}

// Only scripts, because the two packages name commands differently. All keys of a script are in one slot of a cluster.
const READ = "return redis.call('GET', KEYS[1])";

// GET returns false for a missing key, and a missing parameter is nil.
const SWAP = `
  if (redis.call('GET', KEYS[1]) or nil) ~= ARGV[3] then return 0 end
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  return 1`;

const DELETE = "return redis.call('DEL', KEYS[1])";

// Two sorted sets instead of SCAN, which reads all keys of a database, and in a cluster sees one node. In the first set all listed ids have
// the same score, so it is sorted by id; the second one is sorted by expiry.
const INDEX = ["ventanilla:{listed}", "ventanilla:{listed}:expiries"];

const NOW = "local time = redis.call('TIME') local now = time[1] * 1000 + math.floor(time[2] / 1000)";

// A swap that fails must not shorten the lifetime of an existing id.
const ADD = `${NOW}
  local known = redis.call('ZSCORE', KEYS[2], ARGV[1])
  if not known or tonumber(known) < now + ARGV[2] then redis.call('ZADD', KEYS[2], now + ARGV[2], ARGV[1]) end
  return redis.call('ZADD', KEYS[1], 0, ARGV[1])`;

const REMOVE = "redis.call('ZREM', KEYS[2], ARGV[1]) return redis.call('ZREM', KEYS[1], ARGV[1])";

const LIST = `${NOW}
  local expired = redis.call('ZRANGEBYSCORE', KEYS[2], 0, now, 'LIMIT', 0, 1000)
  if #expired > 0 then
    redis.call('ZREM', KEYS[1], unpack(expired))
    redis.call('ZREM', KEYS[2], unpack(expired))
  end
  return redis.call('ZRANGEBYLEX', KEYS[1], ARGV[1], ARGV[2], 'LIMIT', 0, ARGV[3])`;

/**
 * The store in Redis 5 and later, or one that understands it, for any number of instances: the text of an id is the key `ventanilla:record:<id>`, which Redis
 * removes when it expires. The listed ids are in the sorted sets `ventanilla:{listed}` and `ventanilla:{listed}:expiries`; `list` removes those that
 * have expired.
 *
 * @param redis a connected client, of `redis` or `ioredis`. It needs the commands `EVAL`, `GET`, `SET`, `DEL`, `TIME` and those of sorted sets. You close it.
 * @example
 * const store = createRedisStore(await createClient({ url: process.env.REDIS_URL }).on("error", log).connect());
 */
export function createRedisStore(redis: NodeRedis | IoRedis): Store {
  const run = (script: string, keys: string[], ...rest: string[]) =>
    "call" in redis
      ? redis.call("eval", script, String(keys.length), ...keys, ...rest)
      : redis.eval(script, { keys, arguments: rest });
  const toKey = (id: string) => [`ventanilla:record:${id}`];
  return {
    async read(id) {
      const text = await run(READ, toKey(id));
      if (text === null) return undefined;
      if (typeof text === "string") return text;
      throw new TypeError("neither a text nor null");
    },
    async swap(id, expected, text, lifetime, isListed) {
      const milliseconds = String(Math.max(1, Math.ceil(lifetime)));
      // Before the text, which is in another slot: an id without a text is harmless, but a text that is not listed would be lost.
      if (isListed) await run(ADD, INDEX, id, milliseconds);
      const swapped = await run(SWAP, toKey(id), text, milliseconds, ...(expected === undefined ? [] : [expected]));
      if (swapped === 1) return true;
      if (swapped === 0) return false;
      throw new TypeError("neither 1 nor 0");
    },
    async delete(id) {
      await run(DELETE, toKey(id));
      await run(REMOVE, INDEX, id);
    },
    list: async (prefix, limit) =>
      (await run(LIST, INDEX, `[${prefix}`, `(${prefix}${LAST_CHARACTER}`, String(limit))) as string[],
  };
}
