/**
 * The stores: in memory, in a folder, in Redis, in Postgres. The keys that seal.
 *
 * @packageDocumentation
 */

export { createFolderStore } from "./folder-store.ts";
export { createMemoryStore, type MemoryStoreOptions } from "./memory-store.ts";
export { createPostgresStore } from "./postgres-store.ts";
export { createRedisStore } from "./redis-store.ts";
export type { SealKeys } from "./sealed-token.ts";
export type { Store } from "./store.ts";
