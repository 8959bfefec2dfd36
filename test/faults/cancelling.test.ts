import { describe, expect, test } from "vitest";
import { programs } from "../programs.ts";
import { cancelPoints, cleanPoints } from "./cancel-points.ts";
import { openFaultyBank } from "./faulty-bank.ts";

describe.concurrent.each(cancelPoints)("a flow given up $name", ({ fault, line, lines, machine, at, isOpen }) => {
  test.each(["cancelled by an event", "stopped with its actor"])(
    "and %s hangs up and sends nothing more",
    async (how) => {
      const bank = await openFaultyBank(fault, line);
      try {
        await at(bank, (flow) => {
          const state = flow.state();
          if (how === "stopped with its actor") {
            flow.stop();
            expect(flow.state()).toBe(state);
          } else {
            flow.cancel();
            expect(flow.state()).toBe(machine === "login" ? "idle" : "cancelled");
            expect(flow.left()).toEqual([]);
          }
        });
        if (isOpen) await bank.wire.requests.at(-1)?.hungUp;
        // By the time this is through, a stray request would be as well.
        await fetch(`http://127.0.0.1:${bank.wire.port}/last`);
        expect(bank.lines()).toEqual([...lines, "GET /last"]);
      } finally {
        await bank.close();
      }
    },
  );
});

const run = programs(new URL("exits.ts", import.meta.url));

// Whatever time-out or connection stayed would hold it for a minute.
test("a process in which flows are cancelled at each point ends on its own, with nothing left or unhandled", async () => {
  const { complaints, code, printed } = await run("exits");
  expect([complaints, code]).toEqual(["", 0]);
  const reports = printed.trimEnd().split("\n");
  expect(reports.map((report) => JSON.parse(report))).toEqual(
    cleanPoints.map(({ name }) => ({ point: name, left: [] })),
  );
});
