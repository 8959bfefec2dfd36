import { createBankClient, createLinkMachine } from "ventanilla";
import type { LinkEvent } from "ventanilla/machines/link";
import { expect, test } from "vitest";
import { getNextSnapshot, initialTransition } from "xstate";
import { testFaults } from "./faults.ts";
import { type LinkCaseName, linkCase } from "./link-cases.ts";

const machine = createLinkMachine(createBankClient({ baseUrl: "http://bank.test", apiKey: "never-sent" }));
type Snapshot = ReturnType<typeof machine.transition>;

const happen = (snapshot: Snapshot, event: object): Snapshot => getNextSnapshot(machine, snapshot, event as LinkEvent);
const after = (...path: LinkCaseName[]): Snapshot =>
  path.reduce<Snapshot>((snapshot, name) => happen(snapshot, linkCase(name).event), initialTransition(machine, {})[0]);
const thrown = (error: unknown) => {
  const { value, context } = happen(after(), { type: "xstate.error.actor.listProviders", error });
  expect(value).toBe("failed");
  return context.failure;
};

testFaults(thrown);

test("a refusal is kept as it is", () => {
  const failure = { kind: "outcome", code: "unexpected_status", httpStatus: 418, wireStatus: "teapot" } as const;
  const output = { status: "refused", failure };
  expect(happen(after(), { type: "xstate.done.actor.listProviders", output }).context.failure).toEqual(failure);
});

test("the choice of another bank shows no field of the one before", () => {
  const chosen = after("the banks are listed", "a bank is chosen", "the bank's fields are read");
  expect(chosen.context.detail).toBeDefined();
  const changed = happen(chosen, { type: "provider.change" });
  expect(changed.context.detail).toBeUndefined();
  const other = happen(changed, { type: "provider.choose", provider: "other" });
  expect(other.context).toMatchObject({ provider: "other", detail: undefined });
});
