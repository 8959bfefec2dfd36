/**
 * Stores that several instances share, for single-use tokens and for hosted logins: in Redis, in Postgres, in a folder of one host.
 *
 * @packageDocumentation
 */

export { createFolderStore } from "./folder-store.ts";
export { createMemoryStore, type MemoryStoreOptions } from "./memory-store.ts";
export { createPostgresStore, type PostgresPool } from "./postgres-store.ts";
export { createRedisStore, type IoRedis, type NodeRedis } from "./redis-store.ts";
export type { Store } from "./store.ts";
