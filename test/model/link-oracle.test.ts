import { createBankClient, createLinkMachine, type LinkSettings } from "ventanilla";
import type { LinkEvent } from "ventanilla/machines/link";
import { expect, test } from "vitest";
import { initialTransition, transition } from "xstate";
import { type LinkCaseName, type LinkSlot, linkCase, linkCaseNames } from "./link-cases.ts";
import { announcedByLink, expectedLink, type LinkObservation, observeLink } from "./link-facts.ts";
import { type LinkFacts, linkOracle, linkRows } from "./link-oracle.ts";
import { linkVariants } from "./link-paths.ts";
import { reachableFacts, readEffects } from "./oracle.ts";

const machine = createLinkMachine(createBankClient({ baseUrl: "http://bank.test", apiKey: "never-sent" }));
type Snapshot = ReturnType<typeof machine.transition>;

const happen = (snapshot: Snapshot, name: LinkCaseName) =>
  transition(machine, snapshot, linkCase(name).event as LinkEvent);

const snapshotAfter = (settings: LinkSettings, path: readonly LinkCaseName[]): Snapshot =>
  path.reduce<Snapshot>((snapshot, name) => happen(snapshot, name)[0], initialTransition(machine, settings)[0]);

const statesOfSlot: Record<LinkSlot, LinkFacts["state"][]> = {
  listProviders: ["loadingProviders"],
  getProvider: ["loadingFields"],
  narrowChoices: ["loggingIn.narrowing"],
  login: ["loggingIn.active", "loggingIn.stale", "loggingIn.narrowing"],
  listDestinations: ["loadingDestinations"],
};

// A request that was given up reports nothing; a fault out of nowhere would be the statechart's own.
const canHappen = ({ state }: LinkFacts, name: LinkCaseName) => {
  const { isFault, slot } = linkCase(name);
  return !isFault || (slot !== undefined && statesOfSlot[slot].includes(state));
};

// Which requests begin, a path shows that runs (paths.test.ts).
const effectsBesideRequests = (actions: Parameters<typeof readEffects>[0]) => {
  const { announced, forwarded } = readEffects(actions);
  return { announced, forwarded };
};
type Consequence = LinkObservation & ReturnType<typeof effectsBesideRequests>;

const situations = Object.entries(linkVariants).flatMap(([variant, settings]) =>
  reachableFacts(linkOracle(settings)).map(({ facts, path }) => {
    const trail = path.length > 0 ? path.join(", then ") : "it has begun";
    return [variant, facts.state, trail, settings, facts, path] as const;
  }),
);

const readStep = ({ state }: LinkFacts) => state.split(".")[0];

test.each(situations)("a link %s that is in %s when %s takes whatever comes as it should", (...situation) => {
  const [, , , settings, facts, path] = situation;
  const oracle = linkOracle(settings);
  const before = snapshotAfter(settings, path);
  expect(observeLink(before)).toEqual(expectedLink(facts, settings));
  const actual: Record<string, Consequence | "ignored"> = {};
  const expected: typeof actual = {};
  for (const name of linkCaseNames.filter((candidate) => canHappen(facts, candidate))) {
    const [after, actions] = happen(before, name);
    actual[name] =
      after === before && actions.length === 0
        ? "ignored"
        : { ...observeLink(after), ...effectsBesideRequests(actions) };
    const next = oracle.next(facts, name);
    const { isForwarded, event } = linkCase(name);
    expected[name] =
      next === "ignored"
        ? next
        : {
            ...expectedLink(next, settings),
            announced: announcedByLink(next),
            forwarded: isForwarded ? [{ to: "login", event }] : [],
          };
    // Each step has a number of its own, by which the statechart knows a view of an earlier one.
    const isOver = next !== "ignored" && ["linked", "cancelled"].includes(next.state);
    if (next === "ignored" || isOver || readStep(next) === readStep(facts)) continue;
    expect(after.context.stepNumber, name).toBeGreaterThan(before.context.stepNumber);
  }
  expect(actual).toEqual(expected);
});

test("a step of the login within is a step of the link", () => {
  const settings = { provider: "test" };
  const ready = snapshotAfter(settings, ["the bank's fields are read", "the login is ready"]);
  const [same] = happen(ready, "the login is ready");
  expect(same.context.stepNumber).toBe(ready.context.stepNumber);
  const [underWay] = happen(ready, "the login is under way");
  expect(underWay.context.stepNumber).toBeGreaterThan(ready.context.stepNumber);
});

test("what is passed on to the login within counts there for itself: the link's step number stays behind", () => {
  const ready = snapshotAfter({ provider: "test" }, ["the bank's fields are read", "the login is ready"]);
  const [, actions] = transition(machine, ready, { type: "login.cancel", stepNumber: ready.context.stepNumber });
  expect(readEffects(actions).forwarded).toEqual([{ to: "login", event: { type: "login.cancel" } }]);
});

test("every row of the oracle is used", () => {
  const used = situations.flatMap(([, , , settings, facts]) =>
    linkRows.filter(({ in: state, when, to, because }) => {
      if (state !== facts.state) return false;
      const next = linkOracle(settings).next(facts, when);
      return next !== "ignored" && next.state === to && (because === undefined || next.failure === because);
    }),
  );
  expect(linkRows.filter((row) => !used.includes(row))).toEqual([]);
});
