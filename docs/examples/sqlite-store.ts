import type { Store } from "ventanilla/tokens";

/** Runs a statement, and returns its rows. */
type Run = (statement: string, ...values: unknown[]) => Rows | Promise<Rows>;

type Rows = readonly Record<string, unknown>[];

const now = "unixepoch('subsec') * 1000"; // the clock of the database

const read = `SELECT text FROM ventanilla_records WHERE id = ?1 AND expires_at > ${now}`;

const insert = `
  INSERT INTO ventanilla_records (id, text, expires_at) VALUES (?1, ?2, ${now} + ?3)
  ON CONFLICT (id) DO UPDATE SET text = excluded.text, expires_at = excluded.expires_at
  WHERE ventanilla_records.expires_at <= ${now} RETURNING id`;

const update = `
  UPDATE ventanilla_records SET text = ?2, expires_at = ${now} + ?3
  WHERE id = ?1 AND text = ?4 AND expires_at > ${now} RETURNING id`;

const list = `
  SELECT id FROM ventanilla_records WHERE id >= ?1 AND id < ?2 AND expires_at > ${now} ORDER BY id LIMIT ?3`;

/**
 * The store in SQLite, which one process or service has for all instances.
 *
 * Cloudflare D1: createSqliteStore(async (statement, ...values) => (await env.DB.prepare(statement).bind(...values).all()).results)
 * A durable object: createSqliteStore((statement, ...values) => state.storage.sql.exec(statement, ...values).toArray())
 */
export function createSqliteStore(run: Run): Store {
  return {
    read: async (id) => (await run(read, id))[0]?.["text"] as string | undefined,
    async swap(id, expected, text, lifetime) {
      const changed =
        expected === undefined
          ? await run(insert, id, text, lifetime)
          : await run(update, id, text, lifetime, expected);
      return changed.length === 1;
    },
    delete: (id) => run("DELETE FROM ventanilla_records WHERE id = ?1", id),
    list: async (prefix, limit) => (await run(list, prefix, `${prefix}~`, limit)).map(({ id }) => String(id)),
  };
}
