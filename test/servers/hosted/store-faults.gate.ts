import { join } from "node:path";
import { createClient } from "redis";
import { createPostgresRecordStore, createRedisRecordStore, type RecordStore } from "ventanilla/tokens";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPool, postgres } from "../../core/stores/connections.ts";
import { type Server, startPostgres, startRedis } from "../../core/stores/servers.ts";
import { type Fault, type FaultyStore, operations, runWithFault, table } from "./store-faults.ts";

// The table of store-faults.test.ts with real databases, which are killed and stopped.

/** A store over a connection of its own, which connects again by itself. */
interface Connected {
  readonly store: RecordStore;
  close(): Promise<unknown>;
}

interface Kind {
  /** Whether its client keeps what it is told until it is connected again. */
  readonly isQueued: boolean;
  start(): Promise<Server>;
  connect(server: Server): Promise<Connected>;
  /** Stops it without an end of its connections, until it is let. */
  pause(server: Server): Promise<() => unknown>;
}

const redis: Kind = {
  isQueued: true,
  start: startRedis,
  async connect({ folder }) {
    const client = createClient({ socket: { path: join(folder, "redis.sock"), tls: false, reconnectStrategy: 50 } });
    client.on("error", () => undefined);
    await client.connect();
    return { store: createRedisRecordStore(client), close: async () => client.destroy() };
  },
  async pause(server) {
    server.pause();
    return server.resume;
  },
};

const locked: Kind = {
  isQueued: false,
  async start() {
    const server = await startPostgres();
    await postgres.prepare?.(server);
    return server;
  },
  async connect(server) {
    const pool = createPool(server);
    pool.on("error", () => undefined);
    return { store: createPostgresRecordStore(pool), close: () => pool.end() };
  },
  // Its processes are many. Behind a lock all of them wait.
  async pause(server) {
    const pool = createPool(server);
    const client = await pool.connect();
    await client.query("BEGIN; LOCK TABLE ventanilla_records, ventanilla_claims IN ACCESS EXCLUSIVE MODE");
    return async () => {
      await client.query("COMMIT");
      client.release();
      await pool.end();
    };
  },
};

describe.each<[string, Kind]>([
  ["Redis", redis],
  ["Postgres", locked],
])("a hosted login with a store in %s", (_, kind) => {
  let server: Server;
  let connections: Connected[] = [];
  beforeAll(async () => {
    server = await kind.start();
    // Two instances, and the app.
    connections = await Promise.all([kind.connect(server), kind.connect(server), kind.connect(server)]);
  });
  afterAll(async () => {
    await Promise.all(connections.map(({ close }) => close()));
    await server?.stop();
  });

  const createFaults = (how: "killed" | "stopped"): FaultyStore => {
    let next = 0;
    let goOn: () => unknown = () => undefined;
    return {
      outage: 300,
      connect() {
        const { store } = connections[next++ % connections.length] as Connected;
        return store;
      },
      async fail() {
        if (how === "killed") await server.kill();
        else goOn = await kind.pause(server);
      },
      async recover() {
        if (how === "killed") await server.restart();
        else await goOn();
      },
    };
  };

  const runAll = async (
    how: "killed" | "stopped",
    fault: Fault,
    time: "before" | "after",
    isTogether: boolean,
  ): Promise<unknown[]> => {
    const rows = operations.filter((operation) => fault === "store fails" || !operation.startsWith("app"));
    const run = async (operation: (typeof operations)[number]) => {
      const result = await runWithFault(createFaults(how), { operation, fault, time });
      const row = /:(turn:0|told)$|^delete due/.test(operation)
        ? result.row.replace(", network_failed", "")
        : result.row;
      return [operation, row, result.hasHappened && result.isKeyRight];
    };
    if (isTogether) return Promise.all(rows.map(run));
    const results: unknown[] = [];
    for (const operation of rows) results.push(await run(operation));
    return results;
  };

  const expectAll = (fault: Fault, time: "before" | "after", change: (row: string) => string = (row) => row) =>
    table
      .filter(([operation]) => fault === "store fails" || !operation.startsWith("app"))
      .map(([operation, expected]) => [operation, change(expected[fault][time === "before" ? 0 : 1]), true]);

  const waits = () => "2 sent, 2 at the bank";

  test("keeps what the bank said, killed before any operation", async () => {
    const results = await runAll("killed", "store fails", "before", false);
    expect(results).toEqual(expectAll("store fails", "before", kind.isQueued ? waits : undefined));
  });

  test("keeps what the bank said, killed after any operation", async () => {
    expect(await runAll("killed", "store fails", "after", false)).toEqual(expectAll("store fails", "after"));
  });

  test("keeps what the bank said, stopped before any operation: all of them only wait", async () => {
    expect(await runAll("stopped", "store fails", "before", false)).toEqual(expectAll("store fails", "before", waits));
  });

  test("keeps what the bank said, stopped after any operation whose response is lost", async () => {
    expect(await runAll("stopped", "store fails", "after", false)).toEqual(expectAll("store fails", "after"));
  });

  test.each(["before", "after"] as const)("keeps it, an instance killed %s any operation", async (time) => {
    expect(await runAll("killed", "instance killed", time, true)).toEqual(expectAll("instance killed", time));
  });
});
