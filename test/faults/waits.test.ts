import { failures } from "ventanilla";
import { describe, expect, test } from "vitest";
import { openBank } from "./bank.ts";
import { waits } from "./places.ts";
import { quickFaults, slowFaults } from "./table.ts";
import { holdTimeout } from "./timeouts.ts";

describe.concurrent.each([...quickFaults, ...slowFaults])("$fault", (row) => {
  test.each(waits)(
    `ends $name: ${row.code}`,
    async ({ drive, before, line, kind, leadsTo, after, sessionEnd = "failed" }) => {
      const { play, code, reads, told } = row;
      const tries = kind === "read" && reads === "again" ? 2 : 1;
      const bank = await openBank(play, line);
      try {
        const timeout = holdTimeout();
        if (row.stuckAt) bank.whenever(row.stuckAt, timeout.runOut);
        const flow = await drive(bank.client({ timeout: { login: timeout.length, read: timeout.length } }));
        const end = await flow.until(leadsTo, "failed", sessionEnd);

        if (code === "answered") {
          expect(end).toBe(leadsTo);
          expect(flow.failure()).toBeUndefined();
        } else {
          expect(end).toBe(code === "invalid_key" ? sessionEnd : "failed");
          expect(flow.failure()).toMatchObject({ kind: failures[code].kind, code });
          expect(flow.failure()).toMatchObject(told);
        }
        expect(bank.tries()).toBe(tries);
        // Where the fault lies at the address, the bank itself sees nothing of the request.
        const seen = typeof play === "function" ? Array.from({ length: tries }, () => line) : [];
        expect(bank.lines()).toEqual([...before, ...seen, ...(code === "answered" ? after : [])]);
        expect(bank.elsewhere.requests).toEqual([]);
        flow.stop();
      } finally {
        await bank.close();
      }
    },
  );
});
