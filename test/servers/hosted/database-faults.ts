import { isDeepStrictEqual } from "node:util";
import type { Store } from "ventanilla/tokens";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Server } from "../../core/stores/servers.ts";
import { type Fault, type FaultyStore, operations, runWithFault, table } from "./store-faults.ts";

/** A store over a connection of its own, which connects again by itself. */
export interface Connected {
  readonly store: Store;
  close(): Promise<unknown>;
}

export interface Database {
  /** Whether its client keeps what it is told until it is connected again. */
  readonly isQueued: boolean;
  start(): Promise<Server>;
  connect(server: Server): Promise<Connected>;
  /** Stops it without an end of its connections, until it is let. */
  pause(server: Server): Promise<() => unknown>;
}

type Time = "before" | "after";

/** On which side of each operation the database is killed, the database is stopped, an instance is killed. */
export interface Times {
  readonly killed: Time;
  readonly stopped: Time;
  readonly instance: Time;
}

/** The table of store-faults.ts with a real database, which is killed and stopped. */
export function describeDatabase(name: string, database: Database, { killed, stopped, instance }: Times): void {
  describe(`a hosted login with a store in ${name}`, () => {
    let server: Server;
    let connections: Connected[] = [];
    beforeAll(async () => {
      server = await database.start();
      // Two instances, and the app.
      connections = await Promise.all([database.connect(server), database.connect(server), database.connect(server)]);
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
          else goOn = await database.pause(server);
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
      time: Time,
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

    const expectAll = (fault: Fault, time: Time, change: (row: string) => string = (row) => row) =>
      table
        .filter(([operation]) => fault === "store fails" || !operation.startsWith("app"))
        .map(([operation, expected]) => [operation, change(expected[fault][time === "before" ? 0 : 1]), true]);

    const waits = () => "2 sent, 2 at the bank";

    /** Before an operation, all of them only wait. After it, its response is lost: a second swap settles what was claimed. */
    const expectWaits = (time: Time) =>
      time === "before"
        ? expectAll("store fails", time, waits)
        : expectAll("store fails", time).map(([operation, row, isRight]) =>
            /:submit:\d$/.test(String(operation)) ? [operation, waits(), isRight] : [operation, row, isRight],
          );

    test(`keeps what the bank said, killed ${killed} any operation`, async () => {
      const results = await runAll("killed", "store fails", killed, false);
      const expected = expectAll("store fails", killed);
      if (!database.isQueued) return expect(results).toEqual(expected);
      // It waits, unless another command was on its way to the database at that moment: then it goes as the table says.
      const waiting = expectWaits(killed);
      const isLegal = (result: unknown, at: number) =>
        [expected[at], waiting[at]].some((row) => isDeepStrictEqual(result, row));
      expect(results.filter((result, at) => !isLegal(result, at))).toEqual([]);
      expect(results).toHaveLength(expected.length);
    });

    test(`keeps what the bank said, stopped ${stopped} any operation`, async () => {
      expect(await runAll("stopped", "store fails", stopped, false)).toEqual(expectWaits(stopped));
    });

    test(`keeps what the bank said, an instance killed ${instance} any operation`, async () => {
      expect(await runAll("killed", "instance killed", instance, true)).toEqual(expectAll("instance killed", instance));
    });
  });
}
