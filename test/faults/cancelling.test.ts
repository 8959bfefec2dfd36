import { describe, expect, test } from "vitest";
import { type Bank, openBank } from "./bank.ts";
import { cancelPoints } from "./cancel-points.ts";

describe.concurrent.each(cancelPoints)("a flow given up $name", ({ fault, line, lines, machine, at, isOpen }) => {
  const expectNothingMore = async ({ wire, lines: seen }: Bank) => {
    if (isOpen) await wire.requests.at(-1)?.hungUp;
    // By the time this is through, a stray request would be as well.
    await fetch(`http://127.0.0.1:${wire.port}/last`);
    expect(seen()).toEqual([...lines, "GET /last"]);
  };

  test("by an event hangs up, asks nothing more and keeps no secret", async () => {
    const bank = await openBank(fault, line);
    try {
      await at(bank, (flow) => {
        flow.cancel();
        expect(flow.state()).toBe(machine === "login" ? "idle" : "cancelled");
        expect(flow.left()).toEqual([]);
      });
      await expectNothingMore(bank);
    } finally {
      await bank.close();
    }
  });

  test("by stopping its actor hangs up, asks nothing more and stays where it was", async () => {
    const bank = await openBank(fault, line);
    try {
      await at(bank, (flow) => {
        const state = flow.state();
        flow.stop();
        expect(flow.state()).toBe(state);
      });
      await expectNothingMore(bank);
    } finally {
      await bank.close();
    }
  });
});
