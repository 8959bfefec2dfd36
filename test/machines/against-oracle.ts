import { expect, test } from "vitest";
import { type BaseFacts, happen, type Model, readEffects, snapshotAfter } from "./model.ts";
import { reachableFacts } from "./oracle.ts";

/** Tests each situation that the oracle can reach against everything that can happen in it. */
export function testAgainstOracle<Facts extends BaseFacts, Name extends string, Settings>(
  flow: string,
  model: Model<Facts, Name, Settings>,
): void {
  const names = Object.keys(model.cases) as Name[];
  const runningIn = ({ state }: Facts) => model.running[state as Facts["state"]] ?? [];

  // An invocation that has ended reports nothing; an error out of nowhere would be the statechart's own.
  const canHappen = (facts: Facts, name: Name) => {
    const { isFault, slot = "" } = model.cases[name];
    return !isFault || runningIn(facts).includes(slot);
  };

  const expectedEffects = (name: Name, from: Facts, to: Facts) => {
    const { event, isForwarded } = model.cases[name];
    const isBegun = (slot: string) => !runningIn(from).includes(slot) || model.restarted?.[name] === slot;
    return {
      announced: model.announced(name, to),
      forwarded: isForwarded ? [{ to: "login", event }] : [],
      begun: runningIn(to).filter(isBegun),
    };
  };

  const situations = Object.entries(model.variants).flatMap(([variant, settings]) =>
    reachableFacts(model.oracle(settings)).map(({ facts, path }) => {
      const name = `${variant}, in ${facts.state} after ${path.length > 0 ? path.join(", then ") : "nothing"}`;
      return [name, settings, facts, path] as const;
    }),
  );

  test.each(situations)(
    `a ${flow} %s, does what the contract says about each event`,
    (_name, settings, facts, path) => {
      const oracle = model.oracle(settings);
      const before = snapshotAfter(model, settings, path);
      expect(model.observe(before)).toEqual(model.expected(facts, settings));
      const actual: Record<string, object | "ignored"> = {};
      const expected: typeof actual = {};
      for (const name of names.filter((candidate) => canHappen(facts, candidate))) {
        const [after, actions] = happen(model, before, name);
        const isIgnored = after === before && actions.length === 0;
        actual[name] = isIgnored ? "ignored" : { ...model.observe(after), ...readEffects(actions) };
        const next = oracle.next(facts, name);
        expected[name] =
          next === "ignored" ? next : { ...model.expected(next, settings), ...expectedEffects(name, facts, next) };
      }
      expect(actual).toEqual(expected);
    },
  );

  test("every row of the oracle is used", () => {
    const isUsed = ({ in: state, when, to, because }: (typeof model.rows)[number]) =>
      situations.some(([, settings, facts]) => {
        const next = facts.state === state ? model.oracle(settings).next(facts, when) : "ignored";
        return next !== "ignored" && next.state === to && (because === undefined || next.failure === because);
      });
    expect(model.rows.filter((row) => !isUsed(row))).toEqual([]);
  });
}
