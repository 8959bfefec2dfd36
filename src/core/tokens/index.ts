/**
 * Stores that several instances share, for single-use tokens and for hosted logins: in Redis, in Postgres, in a folder of one host.
 *
 * @packageDocumentation
 */

export type { ClaimStore } from "./claim-store.ts";
export { createFolderClaimStore, createFolderRecordStore } from "./folder-stores.ts";
export {
  createPostgresClaimStore,
  createPostgresRecordStore,
  type PostgresPool,
  type PostgresRecordPool,
} from "./postgres-stores.ts";
export { createMemoryRecordStore, type RecordStore } from "./record-store.ts";
export {
  createRedisClaimStore,
  createRedisRecordStore,
  type IoRedis,
  type IoRedisRecords,
  type NodeRedis,
  type NodeRedisOptions,
  type NodeRedisRecords,
} from "./redis-stores.ts";
