import { readFile } from "node:fs/promises";
import sqlite from "node-sqlite3-wasm";
import { expect, onTestFinished, test } from "vitest";
import { createSqliteStore } from "../../../docs/examples/sqlite-store.ts";
import { conformance } from "./store-conformance.ts";

// The example of docs/production.md. D1 and a durable object are SQLite, with one writer too.

async function openDatabase() {
  const page = await readFile(new URL("../../../docs/production.md", import.meta.url), "utf8");
  const [, table = "no table is documented"] = /```sql\n(CREATE TABLE [^`]*REAL[^`]*)```/.exec(page) ?? [];
  const database = new sqlite.Database();
  onTestFinished(() => database.close());
  database.exec(table);
  const createStore = () =>
    createSqliteStore(
      (statement, ...values) => database.all(statement, values as string[]) as Record<string, unknown>[],
    );
  return { database, createStore };
}

test.each(conformance)("in SQLite: %s", async (_, run) => {
  const { createStore } = await openDatabase();
  await run(createStore(), createStore());
});

test("the documented statement removes what has expired, and nothing else", async () => {
  const page = await readFile(new URL("../../../docs/production.md", import.meta.url), "utf8");
  const [, statement = "no statement is documented"] = /`(DELETE FROM ventanilla_records [^`]*)`/.exec(page) ?? [];
  const { database, createStore } = await openDatabase();
  const store = createStore();
  await store.swap("a:short", undefined, "text", 1);
  await store.swap("a:long", undefined, "text", 60_000);
  await expect.poll(() => store.read("a:short")).toBeUndefined();
  database.exec(statement);
  expect(database.all("SELECT id FROM ventanilla_records")).toEqual([{ id: "a:long" }]);
});
