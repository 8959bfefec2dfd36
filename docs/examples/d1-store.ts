import type { Store } from "ventanilla/tokens";

/** What the store needs of a `D1Database`. */
export interface Database {
  prepare(statement: string): {
    bind(...values: unknown[]): { all(): Promise<{ results: Record<string, unknown>[] }> };
  };
}

const now = "unixepoch('subsec') * 1000"; // the clock of the database decides

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

/** The store in Cloudflare D1: createD1Store(env.DB) */
export function createD1Store(database: Database): Store {
  async function run(statement: string, ...values: unknown[]) {
    const bound = database.prepare(statement).bind(...values);
    return (await bound.all()).results;
  }
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
