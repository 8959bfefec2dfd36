/**
 * Stores in which several instances remember which single-use tokens were taken: in Redis, in Postgres, in a folder of one host.
 *
 * @packageDocumentation
 */

export type { ClaimStore } from "./claim-store.ts";
export { createFolderClaimStore } from "./folder-claim-store.ts";
export { createPostgresClaimStore, type PostgresPool } from "./postgres-claim-store.ts";
export { createRedisClaimStore, type IoRedis, type NodeRedis, type NodeRedisOptions } from "./redis-claim-store.ts";
