/**
 * Stores that several instances share, for single-use tokens and for hosted logins: in Redis, in Postgres, in a folder of one host.
 *
 * @packageDocumentation
 */

export type { ClaimStore } from "./claim-store.ts";
export { createFolderClaimStore } from "./folder-claim-store.ts";
export { createFolderRecordStore } from "./folder-record-store.ts";
export { createPostgresClaimStore, type PostgresPool } from "./postgres-claim-store.ts";
export { createPostgresRecordStore, type PostgresRecordPool } from "./postgres-record-store.ts";
export { createMemoryRecordStore, type RecordStore } from "./record-store.ts";
export { createRedisClaimStore, type IoRedis, type NodeRedis, type NodeRedisOptions } from "./redis-claim-store.ts";
export { createRedisRecordStore, type IoRedisRecords, type NodeRedisRecords } from "./redis-record-store.ts";
