import { LAST_CHARACTER, type Store } from "./store.ts";

/** The part of a `Pool` of the package `pg` that the store uses. */
export interface PostgresPool {
  /** Sends one statement with its parameters. */
  query(
    text: string,
    values: unknown[],
  ): Promise<{ rowCount: number | null; rows: readonly Readonly<Record<string, unknown>>[] }>;
}

// Each is one statement: a pooler may run every transaction on another connection.

// Skips rows that another statement is removing, so that neither waits.
const INSERT = `
  WITH expired AS (
    DELETE FROM ventanilla_records WHERE id IN (
      SELECT id FROM ventanilla_records WHERE expires_at <= now() AND id <> $1 LIMIT 100 FOR UPDATE SKIP LOCKED
    )
  )
  INSERT INTO ventanilla_records AS record (id, text, expires_at) VALUES ($1, $2, now() + $3 * interval '1 ms')
  ON CONFLICT (id) DO UPDATE SET text = excluded.text, expires_at = excluded.expires_at
  WHERE record.expires_at <= now()`;

const UPDATE = `
  UPDATE ventanilla_records SET text = $2, expires_at = now() + $3 * interval '1 ms'
  WHERE id = $1 AND text = $4 AND expires_at > now()`;

const READ = "SELECT text FROM ventanilla_records WHERE id = $1 AND expires_at > now()";

// With the collation C, also for a table whose ids have another one.
const LIST = `
  SELECT id FROM ventanilla_records WHERE id COLLATE "C" >= $1 AND id COLLATE "C" < $2 AND expires_at > now()
  ORDER BY id COLLATE "C" LIMIT $3`;

const DELETE = "DELETE FROM ventanilla_records WHERE id = $1";

/**
 * The store in Postgres, for any number of instances, also behind a pooler in transaction mode. Each new id also removes up to 100 rows that have expired. It
 * needs this table:
 *
 * ```sql
 * CREATE TABLE ventanilla_records (id text COLLATE "C" PRIMARY KEY, text text NOT NULL, expires_at timestamptz NOT NULL);
 * CREATE INDEX ON ventanilla_records (expires_at);
 * ```
 *
 * @param pool a `Pool` of `pg`, not a client in a transaction: a rollback would undo a claim. You close it.
 * @example
 * const store = createPostgresStore(new Pool({ connectionString: process.env.DATABASE_URL }).on("error", log));
 */
export function createPostgresStore(pool: PostgresPool): Store {
  return {
    read: async (id) => (await pool.query(READ, [id])).rows[0]?.["text"] as string | undefined,
    async swap(id, expected, text, lifetime) {
      const { rowCount } =
        expected === undefined
          ? await pool.query(INSERT, [id, text, lifetime])
          : await pool.query(UPDATE, [id, text, lifetime, expected]);
      if (rowCount === 1) return true;
      if (rowCount === 0) return false;
      throw new TypeError("neither one row nor none");
    },
    delete: (id) => pool.query(DELETE, [id]),
    list: async (prefix, limit) =>
      (await pool.query(LIST, [prefix, `${prefix}${LAST_CHARACTER}`, limit])).rows.map(({ id }) => id as string),
  };
}
