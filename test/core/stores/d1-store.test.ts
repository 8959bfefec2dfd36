import { readFile } from "node:fs/promises";
import sqlite from "node-sqlite3-wasm";
import { expect, onTestFinished, test } from "vitest";
import { createD1Store, type Database } from "../../../docs/examples/d1-store.ts";
import { conformance } from "./store-conformance.ts";

// The example of docs/operate.md on SQLite, which D1 is. D1 itself has one writer too.

async function openDatabase() {
  const page = await readFile(new URL("../../../docs/operate.md", import.meta.url), "utf8");
  const [, table = "no table is documented"] = /```sql\n(CREATE TABLE [^`]*REAL[^`]*)```/.exec(page) ?? [];
  const database = new sqlite.Database();
  onTestFinished(() => database.close());
  database.exec(table);
  const d1: Database = {
    prepare: (statement) => ({
      bind: (...values) => ({
        all: async () => ({ results: database.all(statement, values as string[]) as Record<string, unknown>[] }),
      }),
    }),
  };
  return { database, d1 };
}

test.each(conformance)("in D1: %s", async (_, run) => {
  const { d1 } = await openDatabase();
  await run(createD1Store(d1), createD1Store(d1));
});

test("the documented statement removes what has expired, and nothing else", async () => {
  const page = await readFile(new URL("../../../docs/operate.md", import.meta.url), "utf8");
  const [, statement = "no statement is documented"] = /`(DELETE FROM ventanilla_records [^`]*)`/.exec(page) ?? [];
  const { database, d1 } = await openDatabase();
  const store = createD1Store(d1);
  await store.swap("a:short", undefined, "text", 1);
  await store.swap("a:long", undefined, "text", 60_000);
  await expect.poll(() => store.read("a:short")).toBeUndefined();
  database.exec(statement);
  expect(database.all("SELECT id FROM ventanilla_records")).toEqual([{ id: "a:long" }]);
});
