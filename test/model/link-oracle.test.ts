import { createBankClient, linkMachineOf } from "ventanilla";
import type { LinkEvent } from "ventanilla/machines/link";
import { expect, test } from "vitest";
import { initialTransition, transition } from "xstate";
import { emittedBy, forwardedBy } from "./effects.ts";
import { type LinkCaseName, type LinkSlot, linkCase, linkCaseNames } from "./link-cases.ts";
import { announcedByLink, expectedLink, type LinkObservation, observeLink } from "./link-facts.ts";
import { type LinkFacts, linkOracle, linkRows } from "./link-oracle.ts";
import { situationsOf } from "./oracle.ts";

const machine = linkMachineOf(createBankClient({ baseUrl: "http://bank.test", apiKey: "never-sent" }));
type Snapshot = ReturnType<typeof machine.transition>;

const happen = (snapshot: Snapshot, name: LinkCaseName) =>
  transition(machine, snapshot, linkCase(name).event as LinkEvent);

const snapshotAfter = (path: readonly LinkCaseName[]): Snapshot =>
  path.reduce<Snapshot>((snapshot, name) => happen(snapshot, name)[0], initialTransition(machine, {})[0]);

const stateOfSlot: Record<LinkSlot, LinkFacts["state"]> = {
  listProviders: "loadingProviders",
  getProvider: "loadingFields",
  login: "loggingIn",
  listDestinations: "loadingDestinations",
};

// A request that was given up reports nothing; a fault out of nowhere would be the statechart's own.
const canHappen = ({ state }: LinkFacts, name: LinkCaseName) => {
  const { isFault, slot } = linkCase(name);
  return !isFault || (slot !== undefined && stateOfSlot[slot] === state);
};

interface Consequence extends LinkObservation {
  readonly announced: readonly unknown[];
  readonly forwarded: readonly unknown[];
}

const situations = situationsOf(linkOracle).map(({ facts, path }) => {
  const trail = path.length > 0 ? path.join(", then ") : "it has begun";
  return [facts.state, trail, facts, path] as const;
});

test.each(situations)("a link that is in %s when %s takes whatever comes as it should", (_, _trail, facts, path) => {
  const before = snapshotAfter(path);
  expect(observeLink(before)).toEqual(expectedLink(facts));
  const actual: Record<string, Consequence | "ignored"> = {};
  const expected: typeof actual = {};
  for (const name of linkCaseNames.filter((candidate) => canHappen(facts, candidate))) {
    const [after, actions] = happen(before, name);
    actual[name] =
      after === before && actions.length === 0
        ? "ignored"
        : { ...observeLink(after), announced: emittedBy(actions), forwarded: forwardedBy(actions) };
    const next = linkOracle.next(facts, name);
    const { isForwarded, event } = linkCase(name);
    expected[name] =
      next === "ignored"
        ? next
        : {
            ...expectedLink(next),
            announced: announcedByLink(next),
            forwarded: isForwarded ? [{ to: "login", event }] : [],
          };
  }
  expect(actual).toEqual(expected);
});

test("every row of the oracle is used", () => {
  const used = situations.flatMap(([, , facts]) =>
    linkRows.filter(({ in: state, when, to, because }) => {
      if (state !== facts.state) return false;
      const next = linkOracle.next(facts, when);
      return next !== "ignored" && next.state === to && next.failure === because;
    }),
  );
  expect(linkRows.filter((row) => !used.includes(row))).toEqual([]);
});
