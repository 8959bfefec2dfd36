import { createBankClient, linkMachineOf } from "ventanilla";
import type { LinkEvent } from "ventanilla/machines/link";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { getNextSnapshot } from "xstate";
import { type Bank, openBank } from "./bank.ts";
import { recorder, transitionsOf } from "./coverage.ts";
import { type LinkCaseName, linkCase, linkCaseNames } from "./link-cases.ts";
import { runLink } from "./link-run.ts";
import { edgePaths } from "./walk.ts";

const machine = linkMachineOf(createBankClient({ baseUrl: "http://bank.test", apiKey: "never-sent" }));

const edges = edgePaths(machine, {
  input: {},
  happenings: linkCaseNames.map((name) => ({ name, event: linkCase(name).event as LinkEvent })),
  canHappen: ({ status, children }, name) => {
    const { slot } = linkCase(name);
    return status === "active" && (slot === undefined || slot in children);
  },
  next: (snapshot, event) => getNextSnapshot(machine, snapshot, event),
  situation: ({ value, context: { providers, provider, key } }) =>
    JSON.stringify([value, providers.length > 0, provider !== undefined, key !== undefined]),
});

// What a link passes on to its login leaves the link itself as it is, so it is no edge.
const passedOn = linkCaseNames
  .filter((name) => linkCase(name).isForwarded)
  .map((name): LinkCaseName[] => ["the banks are listed", "a bank is chosen", "the bank's fields are read", name]);

const paths: readonly (readonly LinkCaseName[])[] = [...edges, ...passedOn];

let bank: Bank;
const { taken, inspect } = recorder();
const runs = new Map<readonly LinkCaseName[], Promise<void>>();
// A path runs once, whether its own test asks first or the coverage does.
const runOf = (path: readonly LinkCaseName[]): Promise<void> => {
  const run = runs.get(path) ?? runLink(bank, path, inspect);
  runs.set(path, run);
  return run;
};

beforeAll(async () => {
  bank = await openBank();
});
afterAll(() => bank.close());

describe("a link goes where the contract says when", () => {
  test.each(paths.map((path) => [path.join(", then "), path] as const))("%s", (_, path) => runOf(path));
});

test("the paths take every transition of the link statechart", { timeout: 20_000 }, async () => {
  await Promise.allSettled(paths.map(runOf));
  const transitions = transitionsOf(machine);
  expect(transitions.length).toBeGreaterThan(0);
  expect(transitions.filter((transition) => !taken.has(transition))).toEqual([]);
});
