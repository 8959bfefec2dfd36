import type { ClaimStore } from "./claim-store.ts";

/** What is needed of a `Pool` of the package `pg`. */
export interface PostgresPool {
  /** Sends one statement with its parameters. */
  query(text: string, values: unknown[]): Promise<{ rowCount: number | null }>;
}

// Rows that another claim removes now are passed over, so that neither waits. An instance's clock may be behind that of Postgres.
const CLAIM = `
  WITH expired AS (
    DELETE FROM ventanilla_claims WHERE id IN (
      SELECT id FROM ventanilla_claims WHERE expires_at <= now() LIMIT 100 FOR UPDATE SKIP LOCKED
    )
  )
  INSERT INTO ventanilla_claims (id, expires_at) VALUES ($1, now() + $2 * interval '1 ms') ON CONFLICT (id) DO NOTHING`;

/**
 * A claim store in Postgres, for any number of instances. Each claim also removes up to 100 rows that have expired. It needs
 * this table:
 *
 * ```sql
 * CREATE TABLE ventanilla_claims (id text PRIMARY KEY, expires_at timestamptz NOT NULL);
 * CREATE INDEX ON ventanilla_claims (expires_at);
 * ```
 *
 * @param pool a `Pool` of `pg`, not a client with a transaction open: a claim that is rolled back is none. It stays yours to close.
 * @example
 * const claimStore = createPostgresClaimStore(new Pool({ connectionString: process.env.DATABASE_URL }).on("error", log));
 */
export function createPostgresClaimStore(pool: PostgresPool): ClaimStore {
  return {
    async claim(id, expiresAt) {
      const { rowCount } = await pool.query(CLAIM, [id, expiresAt.getTime() - Date.now()]);
      return isOneRow(rowCount);
    },
  };
}

/** Whether a statement has inserted its row. */
export function isOneRow(rowCount: number | null): boolean {
  if (rowCount === 1) return true;
  if (rowCount === 0) return false;
  throw new TypeError("neither one row nor none");
}
