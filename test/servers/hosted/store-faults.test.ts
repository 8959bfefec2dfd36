import { describe, expect, test } from "vitest";
import { localStores } from "./local-stores.ts";
import { type Fault, operations, runWithFault, simulateFaults, table } from "./store-faults.ts";

// `npm run test:gate` has the same table for Redis and Postgres, half of it for each; `npm run test:full` has the other halves.

describe.each(localStores)("a hosted login with a store in %s", (store, prepare) => {
  test("does what the table has a row for, in this order", async () => {
    const { seen, row, isKeyRight } = await runWithFault(simulateFaults(await prepare()));
    // The page does not wait until the end is told: a sweep, or the app when it reads the session, may see that it has not been.
    const told = seen.map((line) => line.replace(/^app: (?=.*:(turn:0|told)$|delete due)/, ""));
    expect([...new Set(told)].toSorted()).toEqual(operations.toSorted());
    expect(seen.slice(0, 10)).toEqual(operations.slice(0, 10));
    expect(table.map(([operation]) => operation)).toEqual(operations);
    expect([row, isKeyRight]).toEqual(["2 sent, 2 at the bank", true]);
  });

  const kills: readonly [Fault, "before" | "after"][] = [
    ["instance killed", "before"],
    ["instance killed", "after"],
  ];
  // Simulated in front of the store: an operation has done nothing or all of it, in a folder as in memory.
  const fails: typeof kills = [
    ["store fails", "before"],
    ["store fails", "after"],
  ];
  test.each(store === "memory" ? [...fails, ...kills] : kills)(
    "keeps what the bank said, if at any operation: %s, %s it",
    async (fault, time) => {
      const rows = table.filter(([operation]) => fault === "store fails" || !operation.startsWith("app"));
      const results = await Promise.all(
        rows.map(async ([operation]) => {
          const result = await runWithFault(simulateFaults(await prepare()), { operation, fault, time });
          // Whoever has begun to tell of the end has a minute for it.
          const isTold = result.ends[0] ?? "told a minute later";
          // By then the response may have reached the page.
          const row = /:(turn:0|told)$|^delete due/.test(operation)
            ? result.row.replace(", network_failed", "")
            : result.row;
          return [operation, row, result.hasHappened && result.isKeyRight, isTold];
        }),
      );
      const turnIsTaken = (operation: string) => time === "after" && operation === "claim hosted:…:turn:0";
      expect(results).toEqual(
        rows.map(([operation, expected]) => [
          operation,
          expected[fault][time === "before" ? 0 : 1],
          true,
          turnIsTaken(operation) ? "told a minute later" : "logged_in",
        ]),
      );
    },
  );
});
