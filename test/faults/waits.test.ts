import { type Failure, failures } from "ventanilla";
import { describe, expect, test } from "vitest";
import { type Bank, openBank } from "./bank.ts";
import { waits } from "./places.ts";
import { classes, quickFaults, type Row, slowFaults } from "./table.ts";
import { holdTimeout } from "./timeouts.ts";
import { type Verb, verbs } from "./verbs.ts";

/** Plays a fault at a request, and checks what the bank has seen in the end. */
async function play<Result>(
  { play: fault, stuckAt, reads, code }: Row,
  { before, line, kind, after }: Pick<Verb, "before" | "line" | "kind" | "after">,
  run: (client: ReturnType<Bank["client"]>) => Promise<Result>,
): Promise<Result> {
  const tries = kind === "read" && reads === "again" ? 2 : 1;
  const bank = await openBank(fault, line);
  try {
    const timeout = holdTimeout();
    if (stuckAt) bank.whenever(stuckAt, timeout.runOut);
    const result = await run(bank.client({ timeout: { login: timeout.length, read: timeout.length } }));
    expect(bank.tries()).toBe(tries);
    // Where the fault lies at the address, the bank itself sees nothing of the request.
    const seen = typeof fault === "function" ? Array.from({ length: tries }, () => line) : [];
    expect(bank.lines()).toEqual([...before, ...seen, ...(code === "success" ? after : [])]);
    expect(bank.elsewhere.requests).toEqual([]);
    return result;
  } finally {
    await bank.close();
  }
}

function expectFailure(failure: Failure | undefined, { code, details }: Row): void {
  if (code === "success") expect(failure).toBeUndefined();
  else expect(failure).toMatchObject({ kind: failures[code].kind, code, ...details });
}

describe.concurrent.each([...quickFaults, ...slowFaults])("$fault", (row) => {
  const { code, details } = row;

  test.each(waits.filter(({ machine }) => machine === "link"))(`ends $name: ${code}`, async (wait) => {
    const { drive, target, sessionEnd = "failed" } = wait;
    const { end, failure } = await play(row, wait, async (client) => {
      const flow = await drive(client);
      const ended = await flow.until(target, "failed", sessionEnd);
      flow.stop();
      return { end: ended, failure: flow.failure() };
    });
    if (code === "success") expect(end).toBe(target);
    else expect(end).toBe(code === "invalid_key" ? sessionEnd : "failed");
    expectFailure(failure, row);
  });

  test.each(verbs)(`ends $name: ${code}`, async (verb) => {
    const { status, error, failure } = await play(row, verb, verb.run);
    expectFailure(failure, row);
    if (code === "success") expect({ status, error }).toEqual({ status: verb.expected, error: undefined });
    else if (failures[code].kind === "outcome") expect({ status, error }).toEqual({ status: code, error: undefined });
    else {
      expect(error).toBeInstanceOf(classes[code]);
      expect(error).toMatchObject({ code, ...details });
    }
  });
});
