import { createPostgresStore } from "ventanilla/tokens";
import { expect, test } from "vitest";
import type { PostgresPool } from "../../../src/core/tokens/postgres-store.ts";

// What real databases show is in test/core/stores.

/** Each operation of a store, once. `rowCount` is what the driver reports of each. */
async function recordQueries() {
  const queries: (readonly unknown[])[] = [];
  // A store that took a connection of its own would fail here: there is `query` alone.
  const pool: PostgresPool = {
    async query(...parameters) {
      queries.push(parameters);
      return { rowCount: 1, rows: [{ id: "a:id", text: "text" }] };
    },
  };
  const store = createPostgresStore(pool);
  await store.read("a:id");
  await store.swap("a:id", undefined, "a text", 60_000, true);
  await store.swap("a:id", "another text", "a text", 60_000, true);
  await store.list("a:", 10);
  await store.delete("a:id");
  return queries;
}

test("a pooler may give each statement another connection: each is alone, and leaves nothing in a session", async () => {
  const queries = await recordQueries();
  expect(queries).toHaveLength(5);
  for (const [statement, values, ...rest] of queries) {
    // An object would have a `name`: a prepared statement stays in its session.
    expect([typeof statement, Array.isArray(values), rest]).toEqual(["string", true, []]);
    expect(statement).toMatch(/^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\s/);
    expect(statement).not.toMatch(/;|\b(pg_(try_)?advisory|set_config|currval|lastval|temp|temporary|cursor)/i);
  }
});

test("ids and texts travel as parameters alone", async () => {
  for (const [statement, values] of await recordQueries()) {
    expect(statement).not.toMatch(/a:|a text|60.?000/);
    expect(values).toContainEqual(expect.stringMatching(/^a:/));
  }
});

test.each([null, 2])("a row count of %s is neither success nor failure, but an error", async (rowCount) => {
  const store = createPostgresStore({ query: async () => ({ rowCount, rows: [] }) });
  for (const expected of [undefined, "text"]) {
    await expect((async () => store.swap("id", expected, "new", 1000))()).rejects.toThrow(TypeError);
  }
});
