import type { ClaimStore } from "./claim-store.ts";
import { AFTER_ALL, type RecordStore } from "./record-store.ts";

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

/** What is needed of a `Pool` of the package `pg`. */
export interface PostgresRecordPool {
  /** Sends one statement with its parameters. */
  query(
    text: string,
    values: unknown[],
  ): Promise<{ rowCount: number | null; rows: readonly Readonly<Record<string, unknown>>[] }>;
}

// As a claim does.
const WRITE = `
  WITH expired AS (
    DELETE FROM ventanilla_records WHERE id IN (
      SELECT id FROM ventanilla_records WHERE expires_at <= now() LIMIT 100 FOR UPDATE SKIP LOCKED
    )
  )
  INSERT INTO ventanilla_records (id, text, expires_at) VALUES ($1, $2, now() + $3 * interval '1 ms')
  ON CONFLICT (id) DO NOTHING`;

const REPLACE = `
  INSERT INTO ventanilla_records (id, text, expires_at) VALUES ($1, $2, now() + $3 * interval '1 ms')
  ON CONFLICT (id) DO UPDATE SET text = excluded.text, expires_at = excluded.expires_at`;

const READ = "SELECT text FROM ventanilla_records WHERE id = $1 AND expires_at > now()";

// Of a table whose ids are sorted by a language, too.
const LIST = `
  SELECT id FROM ventanilla_records WHERE id COLLATE "C" >= $1 AND id COLLATE "C" < $2 AND expires_at > now()
  ORDER BY id COLLATE "C" LIMIT $3`;

const DELETE = "DELETE FROM ventanilla_records WHERE id = $1";

/**
 * A record store in Postgres, for any number of instances. Each text also removes up to 100 rows that have expired. Beside the table of
 * `createPostgresClaimStore` it needs this one:
 *
 * ```sql
 * CREATE TABLE ventanilla_records (id text COLLATE "C" PRIMARY KEY, text text NOT NULL, expires_at timestamptz NOT NULL);
 * CREATE INDEX ON ventanilla_records (expires_at);
 * ```
 *
 * @param pool as for `createPostgresClaimStore`.
 * @example
 * const store = createPostgresRecordStore(new Pool({ connectionString: process.env.DATABASE_URL }).on("error", log));
 */
export function createPostgresRecordStore(pool: PostgresRecordPool): RecordStore {
  return {
    ...createPostgresClaimStore(pool),
    async write(id, text, expiresAt) {
      const { rowCount } = await pool.query(WRITE, [id, text, expiresAt.getTime() - Date.now()]);
      return isOneRow(rowCount);
    },
    replace: (id, text, expiresAt) => pool.query(REPLACE, [id, text, expiresAt.getTime() - Date.now()]),
    read: async (id) => (await pool.query(READ, [id])).rows[0]?.["text"] as string | undefined,
    list: async (prefix, limit) =>
      (await pool.query(LIST, [prefix, `${prefix}${AFTER_ALL}`, limit])).rows.map(({ id }) => id as string),
    delete: (id) => pool.query(DELETE, [id]),
  };
}

/** Whether a statement has inserted its row. */
function isOneRow(rowCount: number | null): boolean {
  if (rowCount === 1) return true;
  if (rowCount === 0) return false;
  throw new TypeError("neither one row nor none");
}
