import { inspect } from "node:util";
import { failures, reveal } from "ventanilla";
import { describe, expect, test } from "vitest";
import { API_KEY, openBank } from "./bank.ts";
import { endpoints, passwords } from "./endpoints.ts";
import { classes, quickFaults, slowFaults } from "./table.ts";
import { holdTimeout } from "./timeouts.ts";

const secrets = [API_KEY, ...passwords];

describe.concurrent.each([...quickFaults, ...slowFaults])("$fault", (row) => {
  test.each(endpoints)(`at $line: ${row.code}`, async ({ request, line, kind, prepare, before, call, says }) => {
    const { play, code, details } = row;
    const tries = kind === "read" && row.reads === "again" ? 2 : 1;
    const bank = await openBank(play, line);
    try {
      const client = bank.client();
      const key = await prepare(client);
      const timeout = holdTimeout();
      if (row.stuckAt) bank.whenever(row.stuckAt, timeout.runOut);
      const end = await call(client, key, { timeout: timeout.length }).catch((error: unknown) => error);

      if (code === "success") expect(end).toMatchObject({ status: says });
      else if (failures[code].kind === "outcome") expect(end).toMatchObject({ status: code, ...details });
      else {
        expect(end).toBeInstanceOf(classes[code]);
        expect(end).toMatchObject({ code, request, ...details });
        expect(end).not.toHaveProperty("cause");
        const seen = inspect(end, { depth: 9, showHidden: true });
        expect([...secrets, reveal(key)].filter((value) => seen.includes(value))).toEqual([]);
      }
      // Whoever gives up waiting hangs up.
      const givenUp = code === "request_timed_out" ? bank.wire.requests.slice(before.length) : [];
      await Promise.all(givenUp.map(({ hungUp }) => hungUp));
      expect(bank.tries()).toBe(tries);
      // Where the fault lies at the address, the bank itself sees nothing of the request.
      const seen = typeof play === "function" ? Array.from({ length: tries }, () => line) : [];
      expect(bank.lines()).toEqual([...before, ...seen]);
      expect(bank.elsewhere.requests).toEqual([]);
    } finally {
      await bank.close();
    }
  });
});
