import { createBankClient, createLoginMachine, type LoginSettings } from "ventanilla";
import type { LoginEvent } from "ventanilla/machines/login";
import { describe, expect, test } from "vitest";
import { initialTransition, transition } from "xstate";
import { type LoginCaseName, loginCase, loginCaseNames, type Slot } from "./login-cases.ts";
import { announced, expectedLogin, type LoginObservation, observeLogin } from "./login-facts.ts";
import { type LoginFacts, loginOracle, loginSettings } from "./login-oracle.ts";
import { loginRows } from "./login-rows.ts";
import { reachableFacts, readEffects } from "./oracle.ts";

const machine = createLoginMachine(createBankClient({ baseUrl: "http://bank.test", apiKey: "never-sent" }));
type Snapshot = ReturnType<typeof machine.transition>;

const happen = (snapshot: Snapshot, name: LoginCaseName) =>
  transition(machine, snapshot, loginCase(name).event as LoginEvent);

const snapshotAfter = (settings: LoginSettings, path: readonly LoginCaseName[]): Snapshot =>
  path.reduce<Snapshot>((snapshot, name) => happen(snapshot, name)[0], initialTransition(machine, settings)[0]);

const stateOfSlot: Record<Slot, LoginFacts["state"]> = {
  submitCredentials: "submitting",
  listClients: "selectClient.listing",
  selectClient: "selectClient.selecting",
  closeSession: "replacingSession",
  interactionDeadline: "awaitingInteraction",
  choiceDeadline: "selectClient.choosing",
};

// A request that was given up reports nothing; a fault out of nowhere would be the statechart's own.
const canHappen = ({ state }: LoginFacts, name: LoginCaseName) => {
  const { isFault, slot } = loginCase(name);
  return !isFault || (slot !== undefined && stateOfSlot[slot] === state);
};

const findSlots = ({ state }: LoginFacts): string[] =>
  Object.entries(stateOfSlot)
    .filter(([, own]) => own === state)
    .map(([slot]) => slot);

type Consequence = LoginObservation & ReturnType<typeof readEffects>;

const formatFacts = (
  { state, settings, key, interactions, field, answersSent, replaced, failure }: LoginFacts,
  own: LoginSettings,
) =>
  [
    state,
    ...(failure ? [`with ${failure}`] : []),
    ...(interactions > 0 ? [`at question ${interactions}, ${field}`] : []),
    ...(answersSent > 0 ? [`asked again after ${answersSent}`] : []),
    ...(key ? [`on the ${key}`] : []),
    ...(replaced ? ["after a replacement"] : []),
    ...(settings === own ? [] : ["under the settings it was paused with"]),
  ].join(" ");

describe.each(Object.entries(loginSettings))("a login %s", (_, settings) => {
  const oracle = loginOracle(settings);

  test.each(reachableFacts(oracle).map(({ facts, path }) => [formatFacts(facts, settings), facts, path] as const))(
    "in %s does what the contract says about everything that can happen",
    (_situation, facts, path) => {
      const before = snapshotAfter(settings, path);
      expect(observeLogin(before)).toEqual(expectedLogin(facts));
      const actual: Record<string, Consequence | "ignored"> = {};
      const expected: typeof actual = {};
      for (const name of loginCaseNames.filter((candidate) => canHappen(facts, candidate))) {
        const [after, actions] = happen(before, name);
        actual[name] =
          after === before && actions.length === 0 ? "ignored" : { ...observeLogin(after), ...readEffects(actions) };
        const next = oracle.next(facts, name);
        expected[name] =
          next === "ignored"
            ? next
            : { ...expectedLogin(next), begun: findSlots(next), announced: announced(name, next), forwarded: [] };
        // Each step has a number of its own, by which the statechart knows a view of an earlier one.
        if (next === "ignored" || next.state === "loggedIn") continue;
        expect(after.context.stepNumber, name).toBeGreaterThan(before.context.stepNumber);
      }
      expect(actual).toEqual(expected);
    },
  );
});

test("every row of the oracle is used", () => {
  const used = Object.values(loginSettings).flatMap((settings) => {
    const oracle = loginOracle(settings);
    return reachableFacts(oracle).flatMap(({ facts }) =>
      loginRows.filter(({ in: state, when, to, because }) => {
        if (state !== facts.state) return false;
        const next = oracle.next(facts, when);
        return next !== "ignored" && next.state === to && next.failure === because;
      }),
    );
  });
  expect(loginRows.filter((row) => !used.includes(row))).toEqual([]);
});
