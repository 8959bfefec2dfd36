import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Connection, createPool, postgres } from "./connections.ts";
import { type Server, startPooler } from "./servers.ts";
import { conformance } from "./store-conformance.ts";

describe("Postgres behind PgBouncer in transaction mode", () => {
  let [database, pooler]: Server[] = [];
  let [first, second]: Connection[] = [];
  const both = () => [first, second] as [Connection, Connection];

  beforeAll(async () => {
    database = await postgres.start();
    await postgres.prepare?.(database);
    pooler = await startPooler(database);
    [first, second] = await Promise.all([postgres.connect(pooler), postgres.connect(pooler)]);
  });
  afterAll(async () => {
    await Promise.all([first?.close(), second?.close()]);
    await pooler?.stop();
    await database?.stop();
  });

  // Or this file would show nothing.
  test("the statements of one connection run in three sessions", async () => {
    const pool = createPool(pooler as Server);
    pool.on("error", () => undefined);
    onTestFinished(() => pool.end());
    const clients = await Promise.all([1, 2, 3].map(() => pool.connect()));
    onTestFinished(() => {
      for (const client of clients) client.release();
    });
    // Three transactions at once open three sessions.
    for (const statement of ["BEGIN", "SELECT 1", "COMMIT"]) {
      await Promise.all(clients.map((client) => client.query(statement)));
    }
    const sessions = new Set<unknown>();
    for (let statement = 0; statement < 6; statement += 1) {
      sessions.add((await clients[0]?.query("SELECT pg_backend_pid() AS id"))?.rows[0]?.id);
    }
    expect(sessions.size).toBe(3);
  });

  test.each(conformance)("%s", async (_title, run) => {
    const [{ store: one }, { store: other }] = both();
    await run(one, other);
  });

  test("gives an id to one of many simultaneous claims", async () => {
    for (const id of Array.from({ length: 50 }, (_, number) => `race-${number}`)) {
      const claims = Array.from({ length: 20 }, (_, number) =>
        both()[(number % 2) as 0 | 1].store.swap(id, undefined, `${number}`, 3_600_000),
      );
      const won = (await Promise.all(claims)).filter((claimed) => claimed);
      expect({ id, won }).toEqual({ id, won: [true] });
    }
  });
});
